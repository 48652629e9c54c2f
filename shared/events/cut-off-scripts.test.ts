import { expect, test } from 'vitest';
import { command, eventsFromScripts, type Said, script } from '../testing/script-story.ts';
import { holderOf, told } from '../testing/story.ts';

const [A, B, C] = [holderOf('A'), holderOf('B'), holderOf('C')];
const [Q, Z] = ['redisson_lock_queue:{a}', 'redisson_lock_timeout:{a}'];
const NOW = '1795000000000';

const acquired = (lock: string) => {
  return script('a', lock, `30000 ${A}`, `exists ${lock}`, `hincrby ${lock} ${A} 1`, `pexpire ${lock} 30000`);
};

function last(...said: Said[]): string[] {
  return told(eventsFromScripts(said).slice(-1));
}

test('[L4] a batch that an error ends has renewed what stood before it, and says nothing of what stands behind', () => {
  const ran = [`hexists a ${A}`, 'pexpire a 30000', `hexists b ${A}`];
  const batch = script('a', 'a b c', `30000 ${A} ${A} ${A}`, ...ran);
  const events = eventsFromScripts([...['a', 'b', 'c'].map(acquired), batch]).slice(3);
  expect(events).toMatchObject([
    { type: 'lease.renewed', lock: 'a', holder: A, cause: 'watchdog', batch: 3 },
    { type: 'renewal.refused', lock: 'b', holder: A, reason: 'error', certainty: 'inferred' },
  ]);
});

// ≤3.30: the head of the queue has no deadline, so whoever looks at it gets an error.
const BEHEADED = [`lindex ${Q} 0`, `zscore ${Z} ${B}`];

test('[H7] a fair lock whose head has no deadline refuses every unlock with an error, the holder’s too', () => {
  const free = [`lindex ${Q} 0`, 'exists a', `exists ${Q}`, `lpop ${Q}`, `zrem ${Z} ${A}`, `hset a ${A} 1`];
  const held = script('a', `a ${Q} ${Z}`, `30000 ${A} 5000 ${NOW}`, ...free, 'pexpire a 30000');
  const unlock = script('a', `a ${Q} ${Z} redisson_lock__channel:{a}`, `0 30000 ${A} ${NOW}`, ...BEHEADED);
  expect(last(held, unlock)).toEqual(['unlock.refused A error (inferred)']);
});

test.each([
  ['a wait', `30000 ${C} 5000 ${NOW}`, BEHEADED],
  ['a try', `30000 ${C} ${NOW} 5000`, BEHEADED],
  [
    'a wait that looks for a tail without a deadline (until 3.44)',
    `30000 ${C} 5000 ${NOW}`,
    [...BEHEADED, 'exists a', `hexists a ${C}`, `zscore ${Z} ${C}`, `lindex ${Q} -1`, `zscore ${Z} ${B}`],
  ],
  [
    'a wait that has no room for its deadline',
    `30000 ${C} 5000 ${NOW}`,
    [`lindex ${Q} 0`, 'exists a', `hexists a ${C}`, `zscore ${Z} ${C}`, `lindex ${Q} -1`, 'pttl a'],
  ],
])('[H7] %s of a fair lock that an error ends waits for nothing', (_, args, ran) => {
  expect(last(script('c', `a ${Q} ${Z}`, args, ...ran))).toEqual(['lock.refused C error']);
});

const CHANNEL = 'redisson_lock__channel:{a}';
const tried = script('a', 'a', `30000 ${A}`, 'exists a', `hexists a ${A}`);
const unlock = script('a', `a ${CHANNEL}`, `0 30000 ${A}`, `hexists a ${A}`);
const fairTry = script('c', `a ${Q} ${Z}`, `30000 ${C} ${NOW} 5000`, `lindex ${Q} 0`, 'exists a', `hexists a ${C}`);

test('[H10] an unlock of a key that is no hash ends with an error, as the attempt before it did', () => {
  expect(last(tried, unlock)).toEqual(['unlock.refused A error (inferred)']);
  const renewal = script('a', 'a', `30000 ${A}`, `hexists a ${A}`);
  expect(last(tried, renewal)).toEqual(['renewal.refused A error (inferred)']);
  expect(last(unlock)).toEqual(['unlock.refused A no-lock']);
});

test('[H10] a SET over the lock shows it as well, and a DEL ends it', () => {
  const deleted = eventsFromScripts([acquired('a'), command('ops', 'SET a text'), unlock]);
  expect(told(deleted).slice(1)).toEqual(['lock.deleted A', 'unlock.refused A error (inferred)']);
  expect(last(acquired('a'), command('ops', 'SET a text'), command('ops', 'DEL a'), unlock)).toEqual([
    'unlock.refused A no-lock',
  ]);
});

test('[H10] a try of a fair lock that is held by nobody ended with the same error', () => {
  const waited = script('c', `a ${Q} ${Z}`, `30000 ${C} 5000 ${NOW}`, `lindex ${Q} 0`, 'exists a', `hexists a ${C}`);
  expect(last(waited, fairTry)).toEqual(['lock.refused C error (inferred)']);
  expect(last(acquired('a'), fairTry)).toEqual(['lock.refused C']);
});
