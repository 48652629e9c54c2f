import { ANOTHER, change, type EventFields, gone, has, insert, later, omit, repeat, type Spoiling } from './spoil.ts';

const isEvicted = ({ reason }: EventFields) => reason === 'evicted';
const isOfQueue = ({ certainty, reason }: EventFields) => certainty === 'observed' && reason === 'gave-up';
const isConcluded = ({ certainty }: EventFields) => certainty === 'inferred';

/** Kinds of mistakes about attempts, sleep, queues, messages and causes. */
export const SPOILED_WAITS: Readonly<Record<string, Spoiling>> = {
  'a wait for replicas is not reported': omit({ type: 'replicas.awaited' }),
  'a wait for replicas is by another thread': change({ type: 'replicas.awaited' }, () => ({ holder: `${ANOTHER}:1` })),
  'a wait for replicas took longer': change({ type: 'replicas.awaited' }, later('tookMs', 5)),
  'a refusal is not reported': omit({ type: 'lock.refused' }),
  'a refusal is reported twice': repeat({ type: 'lock.refused' }),
  'a refusal is an acquisition': change({ type: 'lock.refused' }, ({ at }) => ({
    type: 'lock.acquired',
    holdCount: 1,
    leaseMs: 30_000,
    expiresAt: at + 30_000_000,
  })),
  'the TTL is 500 ms wrong': change({ type: 'lock.refused', when: ({ ttlMs }) => ttlMs != null }, later('ttlMs', 500)),
  'the TTL is 5 ms wrong': change({ type: 'lock.refused', when: ({ ttlMs }) => ttlMs != null }, later('ttlMs', 5)),
  'the TTL is not known': change({ type: 'lock.refused', when: ({ ttlMs }) => ttlMs != null }, () => ({ ttlMs: null })),
  'the attempt is one too high': change({ type: 'lock.refused' }, later('attempt', 1)),
  'a later attempt is the first': change({ type: 'lock.refused', when: ({ attempt }) => Number(attempt) > 1 }, () => ({
    attempt: 1,
  })),
  'a sleeper is awake': change({ type: 'lock.refused', when: ({ asleep }) => asleep === true }, () => ({
    asleep: false,
  })),
  'a caller that only tried sleeps': change({ type: 'lock.refused', when: ({ asleep }) => asleep === false }, () => ({
    asleep: true,
  })),
  'a refusal has the wrong reason': change({ type: 'lock.refused' }, ({ reason }) => ({
    reason: reason === 'held' ? 'error' : 'held',
  })),
  'a queue head is not in the way': change({ when: ({ reason }) => reason === 'not-head' }, () => ({ reason: 'held' })),
  'a refusal is for the wrong mode': change({ when: has('heldFor') }, ({ heldFor }) => ({
    heldFor: heldFor === 'read' ? 'write' : 'read',
  })),
  'a refusal does not say for what the lock is held': change({ when: has('heldFor') }, gone('heldFor')),
  'a refusal names no holder': change({ type: 'lock.refused', when: has('because') }, gone('because')),
  'the deadline of a refusal is missing': change({ type: 'lock.refused', when: has('deadline') }, gone('deadline')),
  'the deadline of a refusal is wrong': change(
    { type: 'lock.refused', when: has('deadline') },
    later('deadline', 5_000_000),
  ),
  'a queued waiter is not reported': omit({ type: 'waiter.queued' }),
  'a queued waiter is one place too far back': change({ type: 'waiter.queued' }, later('position', 1)),
  'a queued waiter is the head': change(
    { type: 'waiter.queued', when: ({ position }) => Number(position) > 1 },
    () => ({ position: 1 }),
  ),
  'a queued waiter has a deadline 5 s later': change({ type: 'waiter.queued' }, later('deadline', 5_000_000)),
  'a queued waiter has no deadline': change({ type: 'waiter.queued' }, () => ({ deadline: null })),
  'an evicted waiter is not reported': omit({ type: 'waiter.dequeued', when: isEvicted }),
  'an evicted waiter gave up': change({ type: 'waiter.dequeued', when: isEvicted }, () => ({ reason: 'gave-up' })),
  'the deadline of an evicted waiter is wrong': change(
    { type: 'waiter.dequeued', when: isEvicted },
    later('deadline', 1_000_000),
  ),
  'a waiter that left the queue is not reported': omit({ type: 'waiter.dequeued', when: isOfQueue }),
  'a waiter that left the queue was evicted': change({ type: 'waiter.dequeued', when: isOfQueue }, () => ({
    reason: 'evicted',
  })),
  'a waiter that gave up is not reported': omit({ type: 'waiter.dequeued', when: isConcluded }),
  'a waiter that gave up is another': change({ type: 'waiter.dequeued', when: isConcluded }, () => ({
    holder: `${ANOTHER}:1`,
  })),
  'a waiter gives up that waits on': insert(
    { type: 'lock.refused', when: ({ asleep }) => asleep === true },
    ({ holder, seq, lock, kind, at }) => ({
      ...{ type: 'waiter.dequeued', holder, lock, kind, at, reason: 'gave-up', certainty: 'inferred', because: [seq] },
      ...{
        ttlMs: undefined,
        attempt: undefined,
        asleep: undefined,
        mode: undefined,
        by: undefined,
        deadline: undefined,
      },
      ...{ heldFor: undefined, wokenBy: undefined },
    }),
  ),
  'deadlines of the queue did not move': change({ when: has('shiftMs') }, gone('shiftMs')),
  'deadlines of the queue moved too far': change({ when: has('shiftMs') }, later('shiftMs', -1000)),
  'a wrong clock is not reported': change({ when: has('clockAheadMs') }, gone('clockAheadMs')),
  'a subscription is not reported': omit({ type: 'waiter.subscribed' }),
  'a subscription is reported twice': repeat({ type: 'waiter.subscribed' }),
  'an end of a subscription is not reported': omit({ type: 'waiter.unsubscribed' }),
  'the number of subscribers is wrong': change({ when: has('subscribers') }, later('subscribers', 1)),
  'a subscriber is another client': change({ type: 'waiter.*', when: has('client') }, () => ({ client: ANOTHER })),
  'a subscriber is missing': change({ type: 'waiter.*', when: has('client') }, gone('client', 'holder')),
  'a subscription is for another thread': change({ type: 'waiter.subscribed', when: has('holder') }, ({ holder }) => ({
    holder: `${holder}9`,
  })),
  'a subscription is for no thread': change(
    { type: 'waiter.subscribed', when: (event) => has('holder')(event) && has('client')(event) },
    gone('holder'),
  ),
  'a subscription is on another channel': change({ type: 'waiter.subscribed' }, ({ channel }) => ({
    channel: `${channel}!`,
  })),
  'a message is not reported': omit({ type: 'wakeup.published' }),
  'a message is reported twice': repeat({ type: 'wakeup.published' }),
  'a message is on another channel': change({ type: 'wakeup.published' }, ({ channel }) => ({
    channel: `${channel}!`,
  })),
  'a message says something else': change({ type: 'wakeup.published' }, ({ message }) => ({
    message: message === '1' ? '0' : '1',
  })),
  'a message is for another waiter': change({ type: 'wakeup.published', when: has('holder') }, () => ({
    holder: `${ANOTHER}:1`,
  })),
  'a message has no cause': change({ type: 'wakeup.published', when: has('because') }, gone('because')),
  'a message is a timer': change({ when: ({ wokenBy }) => wokenBy === 'message' }, () => ({ wokenBy: 'own-timer' })),
  'a timer is a message': change({ when: ({ wokenBy }) => wokenBy === 'own-timer' }, () => ({ wokenBy: 'message' })),
  'nothing woke a sleeper': change({ when: has('wokenBy') }, gone('wokenBy')),
  'a message woke a caller that did not wait': change(
    { type: 'lock.acquired', when: (event) => !event.waitedMs && !event.wokenBy },
    () => ({ wokenBy: 'message' }),
  ),
  'an acquisition does not name its message': change(
    { type: 'lock.acquired', when: ({ wokenBy }) => wokenBy === 'message' },
    gone('because'),
  ),
  'an acquisition names another event': change(
    { type: 'lock.acquired', when: ({ because }) => (because?.[0] ?? 0) > 2 },
    ({ because }) => ({ because: [(because?.[0] ?? 0) - 2] }),
  ),
  'the time waited is 1 s longer': change({ when: has('waitedMs') }, later('waitedMs', 1000)),
  'the time waited is missing': change({ when: has('waitedMs') }, gone('waitedMs')),
  'a caller that did not wait waited': change({ type: 'lock.acquired', when: (event) => !event.waitedMs }, () => ({
    waitedMs: 700,
  })),
};
