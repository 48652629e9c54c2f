import { expect, test } from 'vitest';
import { command, eventsFromScripts, type Sent, script } from '../../testing/stories/script-story.ts';
import { holderOf, reported } from '../../testing/stories/story.ts';

const [A, B, C] = [holderOf('A'), holderOf('B'), holderOf('C')];
const [Q, Z] = ['redisson_lock_queue:{a}', 'redisson_lock_timeout:{a}'];
const NOW = '1795000000000';

const acquired = (lock: string) => {
  return script('a', lock, `30000 ${A}`, `exists ${lock}`, `hincrby ${lock} ${A} 1`, `pexpire ${lock} 30000`);
};

function last(...sent: Sent[]): string[] {
  return reported(eventsFromScripts(sent).slice(-1));
}

test('[L4] a renewal batch cut off by an error renews the locks before it and reports nothing else', () => {
  const ran = [`hexists a ${A}`, 'pexpire a 30000', `hexists b ${A}`];
  const batch = script('a', 'a b c', `30000 ${A} ${A} ${A}`, ...ran);
  const events = eventsFromScripts([...['a', 'b', 'c'].map(acquired), batch]).slice(3);
  expect(events).toMatchObject([
    { type: 'lease.renewed', lock: 'a', holder: A, cause: 'watchdog', batch: 3 },
    { type: 'renewal.refused', lock: 'b', holder: A, reason: 'error', certainty: 'inferred' },
  ]);
});

// Redisson 3.30 and before: if the head of the queue has no deadline, every script that reads it gets an error.
const FAILS_AT_HEAD = [`lindex ${Q} 0`, `zscore ${Z} ${B}`];

test('[H7] if the head of a fair lock’s queue has no deadline, the holder’s unlock fails with an error', () => {
  const free = [`lindex ${Q} 0`, 'exists a', `exists ${Q}`, `lpop ${Q}`, `zrem ${Z} ${A}`, `hset a ${A} 1`];
  const held = script('a', `a ${Q} ${Z}`, `30000 ${A} 5000 ${NOW}`, ...free, 'pexpire a 30000');
  const unlock = script('a', `a ${Q} ${Z} redisson_lock__channel:{a}`, `0 30000 ${A} ${NOW}`, ...FAILS_AT_HEAD);
  expect(last(held, unlock)).toEqual(['unlock.refused A error (inferred)']);
});

test.each([
  ['a waiting attempt', `30000 ${C} 5000 ${NOW}`, FAILS_AT_HEAD],
  ['tryLock', `30000 ${C} ${NOW} 5000`, FAILS_AT_HEAD],
  [
    'a waiting attempt that reads a tail without a deadline (until 3.44)',
    `30000 ${C} 5000 ${NOW}`,
    [...FAILS_AT_HEAD, 'exists a', `hexists a ${C}`, `zscore ${Z} ${C}`, `lindex ${Q} -1`, `zscore ${Z} ${B}`],
  ],
  [
    'a waiting attempt that cannot store its deadline',
    `30000 ${C} 5000 ${NOW}`,
    [`lindex ${Q} 0`, 'exists a', `hexists a ${C}`, `zscore ${Z} ${C}`, `lindex ${Q} -1`, 'pttl a'],
  ],
])('[H7] %s on a fair lock that is cut off by an error is reported as refused with an error', (_, args, ran) => {
  expect(last(script('c', `a ${Q} ${Z}`, args, ...ran))).toEqual(['lock.refused C error']);
});

const CHANNEL = 'redisson_lock__channel:{a}';
const tried = script('a', 'a', `30000 ${A}`, 'exists a', `hexists a ${A}`);
const unlock = script('a', `a ${CHANNEL}`, `0 30000 ${A}`, `hexists a ${A}`);
const fairTry = script('c', `a ${Q} ${Z}`, `30000 ${C} ${NOW} 5000`, `lindex ${Q} 0`, 'exists a', `hexists a ${C}`);

test('[H10] an unlock of a key that is not a hash fails with an error, as the attempt before it did', () => {
  expect(last(tried, unlock)).toEqual(['unlock.refused A error (inferred)']);
  const renewal = script('a', 'a', `30000 ${A}`, `hexists a ${A}`);
  expect(last(tried, renewal)).toEqual(['renewal.refused A error (inferred)']);
  expect(last(unlock)).toEqual(['unlock.refused A no-lock (inferred)']);
});

test('[H10] an unlock after a SET over the lock fails with an error, but not after a later DEL', () => {
  const deleted = eventsFromScripts([acquired('a'), command('ops', 'SET a text'), unlock]);
  expect(reported(deleted).slice(1)).toEqual(['lock.deleted A', 'unlock.refused A error (inferred)']);
  expect(last(acquired('a'), command('ops', 'SET a text'), command('ops', 'DEL a'), unlock)).toEqual([
    'unlock.refused A no-lock',
  ]);
});

test('[H10] tryLock() on a free fair lock fails with an error if the key is not a hash', () => {
  const waited = script('c', `a ${Q} ${Z}`, `30000 ${C} 5000 ${NOW}`, `lindex ${Q} 0`, 'exists a', `hexists a ${C}`);
  expect(last(waited, fairTry)).toEqual(['lock.refused C error (inferred)']);
  expect(last(acquired('a'), fairTry)).toEqual(['lock.refused C']);
});
