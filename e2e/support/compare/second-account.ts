import { createHash } from 'node:crypto';
import { tapTrace } from '../../../server/demo/testing/trace-tap.ts';
import { binaryFromText } from '../../../shared/base/bytes-text.ts';
import { accountOf } from '../../../testing/oracle/account.ts';
import { judge } from '../../../testing/oracle/judge.ts';
import type { Known } from '../../../testing/oracle/tracker.ts';
import { unknownScripts } from '../../../testing/oracle/unknown-scripts.ts';
import { signalsFromTrace, stepsFromSignals } from '../../../testing/traces/trace-file.ts';
import type { ReportedEvent } from '../lockscope/lockscope.ts';
import type { RunningRedis } from '../servers/redis.ts';

type Signal = ReturnType<typeof signalsFromTrace>[number];
type LockEvent = Parameters<typeof judge>[1][number];

/**
 * What one server sent, received on a connection of our own. Every field of every event about locks is compared with
 * it, except the letters of holders. The following may differ, because no line of MONITOR shows it:
 *
 *   an expiry without a key event        its position: before the next acquisition, and 3 s after the lease at the latest
 *   listeners of a killed client         counted or not, until Lockscope counts them itself
 *   permits refused before any are set   may be missing, or without a number
 *   the token of a fenced lock           missing until Lockscope has read the counter
 */
export type SecondAccount = {
  /** The differences between the events of this server's source and the account of everything that it sent so far. */
  differences(events: readonly ReportedEvent[], known?: Known): Promise<string[]>;
  /** The trace so far, for debugging a difference. */
  trace(): Promise<string>;
  close(): void;
};

/** Starts to listen to a server, beside Lockscope. */
export async function listenTo(redis: RunningRedis): Promise<SecondAccount> {
  const tap = await tapTrace(redis.url, null);
  const isPushFirst = majorOf(String(await redis.command('INFO', 'server'))) >= 7;
  return {
    differences: async (events, known) => compareWithTrace(await tap.caughtUp(), events, { isPushFirst, ...known }),
    trace: () => tap.caughtUp(),
    close: () => tap.close(),
  };
}

/**
 * Compares events with a trace. `isPushFirst`: the server writes a push before the line that caused it, as Redis 7
 * does.
 */
export function compareWithTrace(
  trace: string,
  events: readonly ReportedEvent[],
  { isPushFirst, ...known }: Known & { isPushFirst: boolean },
): string[] {
  const signals = signalsFromTrace(trace).map(withHash);
  const steps = stepsFromSignals(signals, isPushFirst);
  const account = accountOf(steps, known);
  return [...unknownScripts(steps), ...account.problems, ...judge(account, ofLocks(events))];
}

/** A client may send the text of a script instead of its hash. */
function withHash(signal: Signal): Signal {
  if (signal.kind !== 'line' || !/^eval(_ro)?$/i.test(signal.words[0] ?? '')) return signal;
  const [command = '', text = '', ...rest] = signal.words;
  const sha = createHash('sha1')
    .update(Buffer.from(binaryFromText(text), 'latin1'))
    .digest('hex');
  return { ...signal, words: [command, sha, ...rest] };
}

/**
 * Numbers the events from 1. Leaves out events of clients, servers and verdicts, because no line of a stream shows
 * them.
 */
function ofLocks(events: readonly ReportedEvent[]): LockEvent[] {
  const kept = events.filter(({ type }) => !/^(client|server|insight)\./.test(type));
  const numbers = new Map(kept.map(({ seq }, n) => [seq, n + 1]));
  return kept.map(({ letter: _letter, letters: _letters, because = [], ...event }, n) => {
    const named = because.flatMap((seq) => numbers.get(seq) ?? []);
    const causes = named.length > 0 ? { because: named } : undefined;
    return { ...event, ...causes, seq: n + 1 } as LockEvent; // the body was checked against the contract
  });
}

function majorOf(info: string): number {
  return Number(/redis_version:(\d+)/.exec(info)?.[1]);
}
