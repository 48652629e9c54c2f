import { describe, expect, test } from 'vitest';
import { beginningOf, stepsFromRecording } from '../../testing/stories/record-and-replay.ts';
import { script, stepsAt } from '../../testing/stories/script-story.ts';
import { seconds, signalsFromStory } from '../../testing/stories/story.ts';
import { goldensOfNewest } from '../../testing/traces/read-trace.ts';
import { signalsFromTrace, stepsFromSignals } from '../../testing/traces/trace-file.ts';
import { redisTime } from '../base/time.ts';
import type { LockEvent } from '../events/event.ts';
import { Interpreter } from '../events/interpreter.ts';
import { recogniseCommand } from '../events/recognise/plain-command.ts';
import type { ClientRow } from '../signals/signal.ts';
import type { Step } from '../signals/step.ts';
import { signalFromJson } from './parse-signal-line.ts';
import { Recorder } from './recorder.ts';
import { lineFromSignal } from './signal-line.ts';

/**
 * The steps of a trace, with a CLIENT LIST every 1.3 s and three after its end. Connections have the names they gave
 * themselves. Every third connection ends half way, every fourth is idle for a while, and connections that send no lock
 * scripts appear and disappear.
 */
function withLists(steps: readonly Step[]): Step[] {
  const seen: string[] = [];
  const names = new Map<string, string>();
  let listedAt = 0;
  let count = 0;
  const list = (at: number, isLate: boolean): Step => {
    count++;
    listedAt = at;
    const listed = seen.filter((_, index) => !(isLate && index % 3 === 0));
    const host = listed[0]?.slice(0, listed[0].lastIndexOf(':')) ?? '10.0.0.1';
    const strangers = [`10.9.9.9:${count}`, ...(count % 2 === 0 ? [`${host}:9${count % 3}`] : [])];
    // An unknown connection from the first client's host also has that client's name, so it may belong to that client.
    const nameOf = (address: string) => names.get(address.startsWith(`${host}:9`) ? (listed[0] ?? '') : address) ?? '';
    const clients = [...listed, ...strangers].map((address, index): ClientRow => {
      const idleSeconds = index % 4 === 0 && count % 3 === 0 ? 60 : 1;
      return { address, name: nameOf(address), library: '', ageSeconds: 100, idleSeconds };
    });
    return { kind: 'clients', at: redisTime(at), clients };
  };
  const all = steps.flatMap((step, n): Step[] => {
    if (step.kind !== 'command') return [step];
    const { client, at } = step.head;
    if (client !== null && !seen.includes(client)) seen.push(client);
    const [named] = recogniseCommand(step.head);
    if (client !== null && named?.do === 'name-connection') names.set(client, named.name);
    return at < listedAt + 1_300_000 ? [step] : [step, list(at, n > steps.length / 2)];
  });
  return [...all, ...[2, 4, 6].map((seconds) => list(listedAt + seconds * 1_000_000, true))];
}

describe.each(goldensOfNewest())('$folder', ({ name, isPushFirst, trace }) => {
  test(`[O7] ${name}: a recording gives the same events, including those about clients`, () => {
    const live = new Interpreter({ source: 'redis' });
    const recorder = new Recorder(live);
    const events: LockEvent[] = [];
    const lines: string[] = [];
    const steps = withLists(stepsFromSignals(signalsFromTrace(trace()), isPushFirst));
    for (const step of steps) {
      const made = live.interpret(step);
      lines.push(...recorder.note(step, made.length).map(lineFromSignal));
      events.push(...made);
    }
    const fresh = new Interpreter({ source: 'redis' });
    const recorded = stepsFromRecording(lines.map(signalOf));
    const replayed = [...beginningOf(steps), ...recorded].flatMap((step) => fresh.interpret(step));
    expect(replayed).toEqual(events);
    expect(lines.join('')).not.toContain('10.9.9.9');
    const observed = events.filter(({ certainty }) => certainty === 'observed').map(({ at }) => at);
    expect(observed).toEqual([...observed].sort((a, b) => a - b));
  });
});

test('[O7] together, the traces with client lists show clients that are connected, idle, gone and unknown', () => {
  const reported = new Set<string>();
  for (const { trace, isPushFirst } of goldensOfNewest()) {
    const live = new Interpreter({ source: 'redis' });
    for (const step of withLists(stepsFromSignals(signalsFromTrace(trace()), isPushFirst))) {
      for (const { type } of live.interpret(step)) reported.add(type);
    }
  }
  expect([...reported]).toEqual(
    expect.arrayContaining(['client.connected', 'client.idle', 'client.gone', 'client.unknown']),
  );
});

test('[O7] [O8] a recording keeps what a complete client list shows about a client that sent nothing', () => {
  // a list waits for the end of the script before it, which the next line shows
  const lists = (from: number, rows: string) =>
    [0, 5, 10, 15, 20]
      .map((after) => `${from + after}.000 redis lists ${rows} cache+jedis\n${from + after}.500 redis command PING`)
      .join('\n');
  const rows = [lists(5, 'B'), lists(30, 'B other another'), lists(55, 'B')].join('\n');
  const text = `0.000 - snapshot A×1 600000\n1.000 B attempts refused\n2.000 redis command PING\n${rows}`;
  const live = new Interpreter({ source: 'redis' });
  const recorder = new Recorder(live);
  const events: LockEvent[] = [];
  const lines: string[] = [];
  for (const step of stepsFromSignals(signalsFromStory(`report lease 900s\n${text}`), true)) {
    const made = live.interpret(step);
    lines.push(...recorder.note(step, made.length).map(lineFromSignal));
    events.push(...made);
  }
  const fresh = new Interpreter({ source: 'redis' });
  expect(stepsFromRecording(lines.map(signalOf)).flatMap((step) => fresh.interpret(step))).toEqual(events);
  const unheard = events.flatMap((event) => (event.type === 'client.unknown' ? [event.connections] : []));
  expect(unheard).toEqual([0, undefined, 0]);
  expect(lines.join('')).not.toContain('cache');
});

test('[O7] [O4] a recording keeps the list that shows that a port was reused', () => {
  const live = new Interpreter({ source: 'redis' });
  const recorder = new Recorder(live);
  const [a, b] = ['a', 'b'].map((letter) => `${letter.repeat(8)}-5c12-4b4c-9d1a-2b1a5e1e7f11:1`);
  const [p1, p2, p3] = ['10.0.0.1:1', '10.0.0.1:2', '10.0.0.1:3'] as const;
  const refused = (by: string, holder = '') =>
    script(by, 'report', `30000 ${holder}`, 'exists report', 'hexists report h', 'pttl report');
  const attempt = (atMs: number, by: string, holder?: string) => stepsAt([{ atMs, sent: refused(by, holder) }]);
  const list = (atMs: number, ...rows: [address: string, ageSeconds: number][]): Step => {
    const clients = rows.map(([address, ageSeconds]) => ({
      address,
      name: '',
      library: '',
      ageSeconds,
      idleSeconds: 0,
    }));
    return { kind: 'clients', at: seconds(atMs / 1000), clients };
  };
  const first = [...attempt(0, p1, a), ...attempt(100, p2, b), ...attempt(200, p3, a)];
  const rows = (ageOfFirst: number): [string, number][] => [
    [p1, ageOfFirst],
    [p2, 60],
    [p3, 60],
  ];
  const steps: Step[] = [
    ...[...first, list(2000, ...rows(9)), list(4000, ...rows(11)), ...attempt(20_000, p1, b)],
    ...[list(23_000, ...rows(5)), list(25_000, ...rows(7)), list(27_000, [p3, 60]), list(29_000, [p3, 60])],
  ];
  const events: LockEvent[] = [];
  const lines: string[] = [];
  for (const step of steps) {
    const made = live.interpret(step);
    lines.push(...recorder.note(step, made.length).map(lineFromSignal));
    events.push(...made);
  }
  const fresh = new Interpreter({ source: 'redis' });
  expect(stepsFromRecording(lines.map(signalOf)).flatMap((step) => fresh.interpret(step))).toEqual(events);
  expect(events.filter(({ type }) => type === 'client.gone')).toMatchObject([{ client: b?.slice(0, -2) }]);
});

test('[O7] [O4] a recording that begins later keeps that a client is behind a proxy, so the client is not reported as gone', () => {
  const live = new Interpreter({ source: 'redis' });
  const [a, b] = ['a', 'b'].map((letter) => `${letter.repeat(8)}-5c12-4b4c-9d1a-2b1a5e1e7f11:1`);
  const attempt = (atMs: number, by: string, holder = '') => {
    const sent = script(by, 'report', `30000 ${holder}`, 'exists report', 'hexists report h', 'pttl report');
    return stepsAt([{ atMs, sent }]);
  };
  const list = (at: number, ...ports: number[]): Step => {
    const row = { name: '', library: '', ageSeconds: 60, idleSeconds: 0 };
    return {
      kind: 'clients',
      at: seconds(at),
      clients: ports.map((port) => ({ ...row, address: `10.0.0.1:${port}` })),
    };
  };
  const inTurn = [a, b, a].flatMap((holder, n) => attempt(n * 100, '10.0.0.1:1', holder));
  for (const step of [...inTurn, ...attempt(400, '10.0.0.1:2', a), list(3, 1, 2)]) live.interpret(step);
  const beliefs = new Recorder(live).beliefs(seconds(4), { level: 'monitor', isPushFirst: true });
  const gone = (lines: readonly string[]) => {
    const fresh = new Interpreter({ source: 'redis' });
    const steps = [...stepsFromRecording(lines.map(signalOf)), list(5, 1, 2), list(7, 1, 2), list(9, 1), list(11, 1)];
    return steps.flatMap((step) => fresh.interpret(step)).filter(({ type }) => type === 'client.gone');
  };
  const lines = beliefs.map(lineFromSignal);
  expect(gone(lines)).toEqual([]);
  expect(gone(lines.map((line) => line.replace(',"behindProxy":true', '')))).toHaveLength(1);
});

function signalOf(line: string) {
  const signal = signalFromJson(JSON.parse(line));
  if (!signal.ok) throw new Error(`${signal.error}: ${line}`);
  return signal.value;
}
