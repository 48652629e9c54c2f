import { expect, test } from 'vitest';
import { plusMillis, redisTime } from '../../../base/time.ts';
import type { LineSignal } from '../../../signals/signal.ts';
import { Interpreter } from '../../interpreter.ts';

const SC = 'redisson_sc:{gate}';
const CD = 'redisson_countdownlatch__channel__{boot}';
const AT = redisTime(1_795_000_000_000_000);

/** A Redis that pushes no key events. */
function make() {
  const interpreter = new Interpreter({ source: 'redis' });
  const line = (ms: number, client: string | null, text: string): LineSignal => {
    return { kind: 'line', at: plusMillis(AT, ms), db: 0, client, words: text.split(' ') };
  };
  const run = (ms: number, text: string, ...inner: string[]) => {
    const lines = inner.map((each) => line(ms, null, each));
    return interpreter.interpret({ kind: 'command', head: line(ms, 'c:1', text), inner: lines, pushes: [] });
  };
  const doubts: string[] = [];
  interpreter.onDoubt = (key) => doubts.push(key.name);
  const read = (ms: number, value: string | undefined) => {
    const about = { db: 0, name: 'gate', fields: {}, hasChanged: false, subscribers: null };
    const found = value === undefined ? { type: 'none', pttl: -2 } : { type: 'string', pttl: -1 };
    const companions = { permits: value === undefined ? [] : [value] };
    return interpreter.interpret({
      kind: 'bookmark',
      at: plusMillis(AT, ms),
      reads: [{ ...about, ...found, companions }],
    });
  };
  return { run, read, doubts, script: (keys: string) => `EVALSHA ${'f'.repeat(40)} 2 ${keys}` };
}

/** A semaphore with 3 permits, after these plain commands. */
function after(...commands: string[]) {
  const { run, read, doubts, script } = make();
  run(0, `${script(`gate ${SC}`)} 3 PUBLISH`, 'get gate', 'set gate 3', `PUBLISH ${SC} 3`);
  const events = commands.flatMap((text, n) => run(100 * (n + 1), text));
  return { events, doubts, read: (value: string | undefined) => read(1000, value) };
}

test.each(['SET gate 5', 'MSET other 1 gate 5', 'GETSET gate 5', 'MSETEX 1 gate 5 EX 10'])(
  '[H6] [M6] %s deletes a semaphore, and the key is read, since the new value may be a semaphore',
  (text) => {
    const { events, doubts, read } = after(text);
    expect(events).toMatchObject([{ type: 'lock.deleted', command: text.split(' ')[0] }]);
    expect(doubts).toEqual(['gate']);
    expect(read('5')).toMatchObject([{ type: 'permits.set', isFound: true, available: 5 }]);
  },
);

test('[M8] a semaphore whose key has a TTL is gone when the TTL ends, and a number set later is a new semaphore', () => {
  const { run, script } = make();
  run(0, `${script(`gate ${SC}`)} 3 PUBLISH 1000`, 'get gate', 'set gate 3 px 1000', `PUBLISH ${SC} 3`);
  const events = run(1500, `${script(`gate ${SC}`)} 5 PUBLISH`, 'get gate', 'set gate 5', `PUBLISH ${SC} 5`);
  expect(events).toMatchObject([
    { type: 'lease.expired', certainty: 'inferred', at: plusMillis(AT, 1000) },
    { type: 'permits.set', available: 5, total: 5 },
    { type: 'wakeup.published' },
  ]);
  expect(events[1]).not.toHaveProperty('changedBy');
  expect(run(9000, 'PING')).toEqual([]);
});

test('[M8] a latch whose TTL was set by EXPIRE ends without a further command, unless PERSIST removes the TTL', () => {
  const { run, script } = make();
  run(0, `${script(`boot ${CD}`)} 1 2 PUBLISH`, 'exists boot', 'set boot 2', `PUBLISH ${CD} 1`);
  expect(run(100, 'EXPIRE boot 1')).toEqual([]);
  expect(run(3000, 'PING')).toMatchObject([{ type: 'lease.expired', kind: 'latch', at: plusMillis(AT, 1100) }]);
  run(4000, `${script(`boot ${CD}`)} 1 2 PUBLISH`, 'exists boot', 'set boot 2', `PUBLISH ${CD} 1`);
  run(4100, 'EXPIRE boot 1');
  run(4200, 'PERSIST boot');
  expect(run(9000, 'PING')).toEqual([]);
});

test.each([
  'INCRBY gate 2',
  'DECR gate',
  'APPEND gate 1',
  'SETRANGE gate 0 5',
  'COPY other gate REPLACE',
  'RENAME other gate',
  'RESTORE gate 0 x REPLACE',
  'SET gate 5 GET',
  'DEL gate · COPY other gate',
  'DEL gate · RENAMENX other gate',
  'DEL gate · RESTORE gate 0 x',
  'DEL gate · SETNX gate 5',
  'DEL gate · INCRBY gate 5',
])('[M6] a number that a read finds after %s is that of the command, not drift', (text) => {
  const { doubts, read } = after(...text.split(' · '));
  expect(new Set(doubts)).toEqual(new Set(['gate']));
  const [found, ...others] = read('5');
  expect(found).toMatchObject({ type: 'permits.set', isFound: true, available: 5, certainty: 'inferred' });
  expect(found).not.toHaveProperty('total');
  expect(others).toEqual([]);
  expect(read('7')).toMatchObject([{ type: 'drift.healed', cause: 'unexplained' }]);
});

test.each([['SETNX gate 5'], ['SET gate 5 NX']])(
  '[M6] %s does not explain another number of a semaphore that exists',
  (text) => {
    expect(after(text).read('5')).toMatchObject([{ type: 'drift.healed', cause: 'unexplained' }]);
  },
);

test.each([
  ['RENAME other gate', 'lock.deleted'],
  ['DELEX gate IFDEQ 0123456789abcdef', 'lock.deleted'],
  ['INCRBY gate 2', 'drift.healed'],
  ['APPEND gate 1', 'drift.healed'],
])('[H6] if a read finds a semaphore gone after %s, %s is reported', (text, type) => {
  const [event, ...others] = after(text).read(undefined);
  expect(event).toMatchObject(
    type === 'lock.deleted' ? { type, command: text.split(' ')[0], certainty: 'inferred' } : { type },
  );
  expect(others).toEqual([]);
});

test.each(['INCRBY', 'RENAME'])('[M6] a semaphore with the expected number after %s is not reported again', (name) => {
  expect(after(name === 'INCRBY' ? 'INCRBY gate 0' : 'RENAME other gate').read('3')).toEqual([]);
});
