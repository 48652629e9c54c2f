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
  return { run, script: (keys: string) => `EVALSHA ${'f'.repeat(40)} 2 ${keys}` };
}

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

test('[M8] a semaphore or latch whose TTL was set by EXPIRE ends without any further command on it', () => {
  const { run, script } = make();
  run(0, `${script(`boot ${CD}`)} 1 2 PUBLISH`, 'exists boot', 'set boot 2', `PUBLISH ${CD} 1`);
  expect(run(100, 'EXPIRE boot 1')).toEqual([]);
  expect(run(3000, 'PING')).toMatchObject([{ type: 'lease.expired', kind: 'latch', at: plusMillis(AT, 1100) }]);
  run(4000, `${script(`boot ${CD}`)} 1 2 PUBLISH`, 'exists boot', 'set boot 2', `PUBLISH ${CD} 1`);
  run(4100, 'EXPIRE boot 1');
  run(4200, 'PERSIST boot');
  expect(run(9000, 'PING')).toEqual([]);
});
