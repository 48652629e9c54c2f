import { plusMillis, type RedisTime, redisTime } from '../../shared/base/time.ts';
import type { ClientRow, ClientsSignal, LineSignal, Signal } from '../../shared/signals/signal.ts';

/** CLIENT LIST is read this often. */
const LIST_EVERY_MS = 5000;
/** How long a client pauses after one round of a trace, in ms. The pauses are used in turn. */
const PAUSES_MS = [50, 2500, 700, 12_000, 4000, 35_000];

/**
 * Repeats a recorded trace until `lengthMs` is over, as if its clients had gone on in the same way:
 *
 *   trace   ├─ 3 s ─┤
 *   looped  ├─ 3 s ─┤·├─ 3 s ─┤···├─ 3 s ─┤··  …
 *
 * Times are shifted, also those that a client sent as arguments. Each round has new ids of requests, permits and
 * tokens, as in the libraries. A CLIENT LIST comes every 5 s and has every connection of the trace.
 */
export function* loopedTrace(signals: readonly Signal[], lengthMs: number): Generator<Signal> {
  const lines = signals.filter((signal): signal is LineSignal => signal.kind === 'line');
  const [first] = lines;
  const last = lines.at(-1);
  if (!first || !last) return;
  const rows = rowsOf(lines);
  let listAt = plusMillis(first.at, LIST_EVERY_MS);
  let shiftMs = 0;
  for (let round = 0; shiftMs < lengthMs; round++) {
    for (const signal of signals) {
      const shifted = shiftedBy(signal, shiftMs, round);
      for (; listAt < shifted.at; listAt = plusMillis(listAt, LIST_EVERY_MS)) yield listOf(rows, listAt);
      yield shifted;
    }
    const pause = PAUSES_MS[round % PAUSES_MS.length] ?? 0;
    shiftMs += Math.ceil((last.at - first.at) / 1000) + pause;
  }
}

function rowsOf(lines: readonly LineSignal[]): ClientRow[] {
  const names = new Map<string, string>();
  for (const { client, words } of lines) {
    if (client === null) continue;
    const isNaming = words[0]?.toUpperCase() === 'CLIENT' && words[1]?.toUpperCase() === 'SETNAME';
    names.set(client, isNaming ? (words[2] ?? '') : (names.get(client) ?? ''));
  }
  return [...names].map(([address, name]) => ({ address, name, library: '', ageSeconds: 60, idleSeconds: 1 }));
}

function listOf(clients: readonly ClientRow[], at: RedisTime): ClientsSignal {
  return { kind: 'clients', at, clients };
}

function shiftedBy(signal: Signal, ms: number, round: number): Signal {
  const at = redisTime(signal.at + ms * 1000);
  if (signal.kind === 'line') {
    const words = signal.words.map((word) => later(word, signal.at, ms, round));
    return { ...signal, at, words };
  }
  if (signal.kind !== 'push') return { ...signal, at } as Signal; // only the time differs
  return { ...signal, at, channel: later(signal.channel, signal.at, ms, round) };
}

/** A text with the times in it shifted, and with the numbers of another round. */
function later(text: string, at: RedisTime, ms: number, round: number): string {
  if (text.length < 13) return text;
  const isNear = (time: number) => Math.abs(time - at / 1000) < 24 * 3_600_000;
  return text
    .replace(/(?<![\w])\d{13}(?![\w])/g, (time) => (isNear(Number(time)) ? String(Number(time) + ms) : time))
    .replace(/(?<![\w-])[0-9a-f]{32}(?![\w-])/g, (id) => id.slice(0, 24) + round.toString(16).padStart(8, '0'))
    .replace(
      /^[\w+/]{22}==$|^(?=.*\d)(?=.*[A-Z])[A-Za-z\d]{22}$/,
      (token) => token.slice(0, 14) + round.toString(36).padStart(8, '0') + token.slice(22),
    );
}
