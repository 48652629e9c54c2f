import { expect, test } from 'vitest';
import { script } from '../../testing/stories/script-story.ts';
import { holderOf, reported, seconds } from '../../testing/stories/story.ts';
import { Interpreter } from './interpreter.ts';

const [A, B] = [holderOf('A'), holderOf('B')];
const [Q, Z] = ['redisson_lock_queue:{orders}', 'redisson_lock_timeout:{orders}'];
const KEYS = `app:orders ${Q} ${Z}`;
const NOW = seconds(0) / 1000;

test('[F12] a queue whose name was not mapped belongs to the lock with the mapped name', () => {
  const interpreter = new Interpreter({ source: 'story' });
  const free = [`lindex ${Q} 0`, 'exists app:orders', `exists ${Q}`, `lpop ${Q}`, `zrem ${Z} ${A}`];
  const held = [`lindex ${Q} 0`, 'exists app:orders', `hexists app:orders ${B}`, `zscore ${Z} ${B}`, `lindex ${Q} -1`];
  const takes = [`hset app:orders ${A} 1`, 'pexpire app:orders 30000'];
  const queues = ['pttl app:orders', `zadd ${Z} ${NOW + 35_000} ${B}`, `rpush ${Q} ${B}`];
  const sent = [
    script('a', KEYS, `30000 ${A} 5000 ${NOW}`, ...free, ...takes),
    script('b', KEYS, `30000 ${B} 5000 ${NOW}`, ...held, ...queues),
    script('b', `${Q} ${Z}`, `${B} 5000`, `lrange ${Q} 0 -1`, `zrem ${Z} ${B}`, `lrem ${Q} 0 ${B}`),
  ];
  const steps = sent.map(({ by, words, ran = [] }, n) => {
    const line = (client: string | null, lineWords: readonly string[]) => {
      return { kind: 'line', at: seconds(n), db: 0, client, words: lineWords } as const;
    };
    const inner = ran.map((text) => line(null, text.split(' ')));
    return { kind: 'command', head: line(by, words), inner, pushes: [] } as const;
  });
  const read = {
    ...{ db: 0, name: 'app:orders', hasChanged: false, type: 'hash', fields: { [A]: '1' }, pttl: 28_800 },
    ...{ subscribers: null, companions: { queue: [], timeouts: [] } },
  };
  const [took, waits, gaveUp] = steps;
  const before = [took, waits].flatMap((step) => (step ? interpreter.interpret(step) : []));
  expect(reported(before)).toEqual(['lock.acquired A ×1', 'lock.refused B ttl 30000', 'waiter.queued B']);
  for (const at of [seconds(1.2), seconds(1.201)]) {
    expect(interpreter.interpret({ kind: 'bookmark', at, reads: [read] })).toEqual([]);
  }
  const after = gaveUp ? interpreter.interpret(gaveUp) : [];
  expect(after).toMatchObject([{ type: 'waiter.dequeued', lock: 'app:orders', holder: B, reason: 'gave-up' }]);
});
