import { expect, test } from 'vitest';
import { command, eventsFromScripts, script } from '../../testing/stories/script-story.ts';
import { holderOf, story } from '../../testing/stories/story.ts';

const [A, B] = [holderOf('A'), holderOf('B')];

const WAIT = `
  0.000  A attempts acquired
  1.000  B attempts refused
  1.001  B subscribes
  1.002  B attempts refused
  2.000  A releases
  2.001  B attempts acquired
  2.002  B unsubscribes
`;

test('[V4] the locks {a} and a have the same channel, whose messages belong to the lock that is known', () => {
  const events = story(`{a} lease 6s\n${WAIT}`);
  expect(new Set(events.map(({ lock }) => lock))).toEqual(new Set(['{a}']));
  const published = events.find(({ type }) => type === 'wakeup.published');
  expect(events.find(({ type, seq }) => type === 'lock.acquired' && seq > 1)).toMatchObject({
    wokenBy: 'message',
    because: [published?.seq],
  });
});

test('[V4] if both locks are known, a message belongs to the lock whose script published it', () => {
  const CHANNEL = 'redisson_lock__channel:{a}';
  const held = ['a', '{a}'].map((lock) => script('a', lock, `30000 ${A}`, `exists ${lock}`, `hincrby ${lock} ${A} 1`));
  const unlock = [`hexists {a} ${A}`, `hincrby {a} ${A} -1`, 'del {a}', `PUBLISH ${CHANNEL} 0`];
  const events = eventsFromScripts([...held, script('a', `{a} ${CHANNEL}`, `0 30000 ${A} PUBLISH`, ...unlock)]);
  expect(events.at(-1)).toMatchObject({ type: 'wakeup.published', lock: '{a}' });
});

test('[V4] scripts of {a} with a token counter, a queue or timeout keys are assigned to {a}', () => {
  const token = 'redisson_lock_token:{a}';
  const fenced = script('a', `{a} ${token}`, `30000 ${A}`, 'exists {a}', `incr ${token}`, `hincrby {a} ${A} 1`);
  expect(eventsFromScripts([fenced])).toMatchObject([{ lock: '{a}', kind: 'fenced-lock' }]);

  const [queue, timeouts] = ['redisson_lock_queue:{a}', 'redisson_lock_timeout:{a}'];
  const gaveUp = script('b', `${queue} ${timeouts}`, `${B} 5000`, `lrange ${queue} 0 -1`, `zrem ${timeouts} ${B}`);
  const free = [`lindex ${queue} 0`, 'exists {a}', `exists ${queue}`, `lpop ${queue}`, `zrem ${timeouts} ${A}`];
  const fair = script('a', `{a} ${queue} ${timeouts}`, `30000 ${A} 5000 1795000000000`, ...free, `hset {a} ${A} 1`);
  const left = eventsFromScripts([fair, { ...gaveUp, ran: [...(gaveUp.ran ?? []), `lrem ${queue} 0 ${B}`] }]);
  expect(left.at(-1)).toMatchObject({ type: 'waiter.dequeued', lock: '{a}' });

  const moves = [A, B].flatMap((holder) => [`hget {a} ${holder}`, `pexpire {a}:${holder}:rwlock_timeout:1 30000`]);
  const renewed = script('a', '{a} {a}', `30000 2 ${A} ${B}`, ...moves, 'pexpire {a} 30000');
  expect(eventsFromScripts([renewed])).toMatchObject([
    { type: 'lease.renewed', lock: '{a}', holder: A },
    { type: 'lease.renewed', lock: '{a}', holder: B },
  ]);
});

test('[V4] a subscription to the channel of the semaphore {a} is assigned to {a}', () => {
  const taken = script('a', '{a} redisson_sc:{a}', '1 PUBLISH', 'get {a}', 'set {a} 1', 'PUBLISH redisson_sc:{a} 1');
  const events = eventsFromScripts([taken, command('b', 'SUBSCRIBE redisson_sc:{a}')]);
  expect(new Set(events.map(({ lock }) => lock))).toEqual(new Set(['{a}']));
});
