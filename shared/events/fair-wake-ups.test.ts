import { expect, test } from 'vitest';
import { command, eventsAt, type Sent, script } from '../../testing/stories/script-story.ts';
import { holderOf } from '../../testing/stories/story.ts';

const [A, B, C] = [holderOf('A'), holderOf('B'), holderOf('C')];
const QUEUE = 'redisson_lock_queue:{jobs}';
const TIMEOUTS = 'redisson_lock_timeout:{jobs}';
const KEYS = `jobs ${QUEUE} ${TIMEOUTS}`;
const looksAt = (head: string) => [`lindex ${QUEUE} 0`, `zscore ${TIMEOUTS} ${head}`];

/** An attempt of a thread that enters the queue, or is in it already. */
function refused(who: string, head: string | undefined, isNew: boolean) {
  const queued = isNew ? [`zadd ${TIMEOUTS} 1800000000000 ${who}`, `rpush ${QUEUE} ${who}`] : [];
  const looksAtHead = head === undefined ? [`lindex ${QUEUE} 0`] : looksAt(head);
  const own = [`exists jobs`, `hexists jobs ${who}`, `zscore ${TIMEOUTS} ${who}`];
  const last = isNew ? [`lindex ${QUEUE} -1`, 'pttl jobs'] : [];
  return script(
    `${who}-commands`,
    KEYS,
    `6000 ${who} 300000 1700000000000`,
    ...looksAtHead,
    ...own,
    ...last,
    ...queued,
  );
}

/**
 * An attempt by a queued waiter while the lock is free and another waiter is the head of the queue. The script returns
 * 0.
 */
function polled(who: string, head: string) {
  const free = ['exists jobs', `exists ${QUEUE}`, `lindex ${QUEUE} 0`];
  const own = [`hexists jobs ${who}`, `zscore ${TIMEOUTS} ${who}`, 'pttl jobs'];
  return script(`${who}-commands`, KEYS, `6000 ${who} 300000 1700000000000`, ...looksAt(head), ...free, ...own);
}

function acquired(who: string, head: string | undefined) {
  const looksAtHead = head === undefined ? [`lindex ${QUEUE} 0`] : looksAt(head);
  const takes = [`lpop ${QUEUE}`, `zrem ${TIMEOUTS} ${who}`, `hset jobs ${who} 1`, 'pexpire jobs 6000'];
  const free = ['exists jobs', `exists ${QUEUE}`, `lindex ${QUEUE} 0`];
  return script(`${who}-commands`, KEYS, `6000 ${who} 300000 1700000000000`, ...looksAtHead, ...free, ...takes);
}

/** An unlock, with a message for the head of the queue. */
function released(who: string, head: string) {
  const channel = 'redisson_lock__channel:{jobs}';
  const inner = [...looksAt(head), 'exists jobs', `hexists jobs ${who}`, `hincrby jobs ${who} -1`, 'del jobs'];
  const reports = [`lindex ${QUEUE} 0`, `PUBLISH ${channel}:${head} 0`];
  return script(`${who}-commands`, `${KEYS} ${channel}`, `0 6000 ${who} 1700000000000`, ...inner, ...reports);
}

test('[W4] a message for the head of a fair queue does not wake the waiter behind it', () => {
  const events = eventsAt([
    { sent: acquired(A, undefined), atMs: 0 },
    { sent: refused(B, undefined, true), atMs: 100 },
    { sent: refused(B, B, false), atMs: 102 },
    { sent: refused(C, B, true), atMs: 200 },
    { sent: command(`${C}-pubsub`, `SUBSCRIBE redisson_lock__channel:{jobs}:${C}`), atMs: 201 },
    { sent: refused(C, B, false), atMs: 202 },
    { sent: released(A, B), atMs: 204 },
    { sent: acquired(B, B), atMs: 206 },
    { sent: refused(C, C, false), atMs: 208 },
  ]);
  const last = events.at(-1);
  expect(last).toMatchObject({ type: 'lock.refused', holder: C, attempt: 3 });
  expect(last).not.toHaveProperty('wokenBy');
});

/** C polls behind B. Then the commands in `more` follow, and C acquires after a pause of more than a second. */
function afterPolls(...more: Sent[]) {
  const events = eventsAt([
    { sent: acquired(A, undefined), atMs: 0 },
    { sent: refused(B, undefined, true), atMs: 100 },
    { sent: refused(C, B, true), atMs: 200 },
    { sent: command(`${C}-pubsub`, `SUBSCRIBE redisson_lock__channel:{jobs}:${C}`), atMs: 201 },
    { sent: released(A, B), atMs: 204 },
    { sent: polled(C, B), atMs: 208 },
    { sent: polled(C, B), atMs: 209 },
    ...more.map((sent) => ({ sent, atMs: 300 })),
    { sent: acquired(C, C), atMs: 1400 },
  ]);
  const last = events.findLast(({ type }) => type === 'lock.refused');
  expect(last).toMatchObject({ holder: C, attempt: 3, ttlMs: 0, asleep: false });
  return events.at(-1);
}

test('[F6] a waiter that polls from the queue waited since its first refusal, also after a pause of a second', () => {
  expect(afterPolls()).toMatchObject({ type: 'lock.acquired', holder: C, waitedMs: 1200 });
});

test('[F6] a waiter that stopped listening and acquires the lock later has not waited for the lock in between', () => {
  const taken = afterPolls(command(`${C}-pubsub`, `UNSUBSCRIBE redisson_lock__channel:{jobs}:${C}`));
  expect(taken).toMatchObject({ type: 'lock.acquired', holder: C });
  expect(taken).not.toHaveProperty('waitedMs');
});
