import { expect, test } from 'vitest';
import { fairStory } from '../../testing/stories/fair-story.ts';
import { lockAt } from '../../testing/stories/lock-at.ts';
import { holderOf, reported, seconds } from '../../testing/stories/story.ts';

/** The queue as `position waiter deadline`, with the deadline in seconds of the story: `1 B 306`. */
function queueAt(events: Parameters<typeof lockAt>[0], second: number): string[] {
  return lockAt(events, seconds(second))
    .waiters.filter(({ position }) => position !== null)
    .sort((a, b) => (a.position ?? 0) - (b.position ?? 0))
    .map(({ id, position, deadline }) => {
      const until = deadline === null ? '?' : (deadline - seconds(0)) / 1_000_000;
      return `${position} ${id === holderOf('B') ? 'B' : id === holderOf('C') ? 'C' : 'D'} ${until}`;
    });
}

test('[F1] a refused waiter is queued at the tail, with a deadline after that of the waiter before it', () => {
  const events = fairStory(`
    0.000  A waits 300
    1.000  B waits 300
    2.000  C waits 100
    2.001  C subscribes
    2.002  C waits 100
    3.000  D tries
  `);
  expect(reported(events)).toEqual([
    'lock.acquired A ×1',
    'lock.refused B ttl 5000',
    'waiter.queued B',
    'lock.refused C ttl 304000',
    'waiter.queued C',
    'waiter.subscribed C',
    'lock.refused C ttl 3998',
    'lock.refused D',
  ]);
  expect(events[4]).toMatchObject({ position: 2, because: [events[3]?.seq] });
  expect(queueAt(events, 4)).toEqual(['1 B 306', '2 C 406']);
});

test('[F4] [F5] the head is woken on its own channel, leaves the queue, and deadlines become earlier by its wait', () => {
  const events = fairStory(`
    0.000  A waits 300
    1.000  B waits 300
    1.001  B subscribes
    1.002  B waits 300
    2.000  C waits 100
    2.001  C subscribes
    2.002  C waits 100
    3.000  A unlocks
    3.001  B waits 300
  `);
  const published = events.find(({ type }) => type === 'wakeup.published');
  expect(published).toMatchObject({ holder: holderOf('B') });
  expect(events.at(-1)).toMatchObject({
    type: 'lock.acquired',
    holder: holderOf('B'),
    wokenBy: 'message',
    because: [published?.seq],
    shiftMs: -300_000,
  });
  expect(queueAt(events, 4)).toEqual(['1 C 106']);
});

test('[F3] [F4] a waiter that gives up leaves the queue, and only the deadlines behind it become earlier', () => {
  const events = fairStory(`
    0.000  A waits 300
    1.000  B waits 300
    2.000  C waits 10
    3.000  D waits 300
    4.000  C gives up 10
  `);
  expect(events.at(-1)).toMatchObject({ type: 'waiter.dequeued', reason: 'gave-up', certainty: 'observed' });
  expect(queueAt(events, 4)).toEqual(['1 B 306', '2 D 606']);
});

test('[F4] a waiter that a read finds as the holder has left the queue, and those behind it move up', () => {
  const events = fairStory(`
    0.000  A waits 300
    1.000  B waits 300
    2.000  C waits 300
    3.000  D waits 300
  `);
  const [first] = events;
  if (!first) throw new Error('no event');
  const holders = [{ holder: holderOf('B'), holdCount: 1, mode: 'exclusive' }] as const;
  const found = { holders, expiresAt: seconds(34) };
  const { source, db, lock, kind } = first;
  const about = { seq: events.length + 1, at: seconds(4), source, db, lock, kind, certainty: 'observed' } as const;
  const healed = { ...about, type: 'drift.healed', expected: null, found, cause: 'blind-spot' } as const;
  expect(queueAt([...events, healed], 5)).toEqual(['1 C 606', '2 D 906']);
});

test('[F3] a waiter that only stops listening remains in the queue, presumed gone', () => {
  const events = fairStory(`
    0.000  A waits 300
    1.000  B waits 300
    1.001  B subscribes
    1.002  B waits 300
    2.000  B unsubscribes
  `);
  expect(reported(events)).toContain('waiter.dequeued B presumed-gone (inferred)');
  expect(queueAt(events, 3)).toEqual(['1 B 306']);
});

test('[F2] [F6] [F7] a dead head keeps a free lock from the next waiter until it is evicted', () => {
  const events = fairStory(`
    0.000  A waits 300
    1.000  B waits 5
    1.001  B subscribes
    1.002  B waits 5
    2.000  C waits 100
    2.001  C subscribes
    2.002  C waits 100
    3.000  A unlocks
    6.010  C waits 100
    6.011  C waits 100
    11.500 C waits 100
  `);
  const [released] = events.filter(({ type }) => type === 'wakeup.published');
  expect(reported(events).slice(-5)).toEqual([
    'lock.refused C ttl 0 not-head',
    'lock.refused C ttl 0 not-head',
    'waiter.dequeued B presumed-gone (inferred)',
    'waiter.dequeued B evicted',
    'lock.acquired C ×1',
  ]);
  expect(events.at(-1)?.because).toEqual([released?.seq, events.at(-2)?.seq]);
  expect(queueAt(events, 12)).toEqual([]);
});

test('[F6] [L3] an attempt just before the end of the lease is refused: the lease has not expired yet', () => {
  const events = fairStory(`
    0.000  A waits 300
    5.990  B tries
    5.995  A waits 300
  `);
  expect(reported(events)).toEqual(['lock.acquired A ×1', 'lock.refused B', 'lock.reentered A ×2']);
});

test('[F2] [F10] a client whose clock is ahead evicts a live waiter, which still waits and may queue again', () => {
  const events = fairStory(`
    0.000  A waits 300
    1.000  B waits 300
    1.001  B subscribes
    1.002  B waits 300
    2.000  C clock 1200
    2.001  C waits 10
    6.001  B waits 300
  `);
  const evicted = events.find((event) => event.type === 'waiter.dequeued');
  expect(evicted).toMatchObject({ holder: holderOf('B'), reason: 'evicted', clockAheadMs: 1_200_000 });
  const between = lockAt(events, seconds(3));
  expect(between.waiters).toMatchObject([
    { id: holderOf('B'), position: null },
    { id: holderOf('C'), position: 1 },
  ]);
  expect(lockAt(events, seconds(7)).waiters).toMatchObject([
    { id: holderOf('B'), position: 2, attempts: 3 },
    { id: holderOf('C'), position: 1 },
  ]);
});

test('[F9] an unlock of a missing lock wakes the head, and its caller sees success', () => {
  const events = fairStory(`
    0.000  A waits 300
    1.000  B waits 300
    7.000  A unlocks
  `);
  expect(reported(events).slice(-3)).toEqual([
    'lease.expired A (inferred)',
    'unlock.refused A expired',
    'wakeup.published B',
  ]);
  expect(events.at(-2)).toMatchObject({ callerSawSuccess: true });
});

test('[V2] [F11] a manual deletion of the queue dequeues every waiter', () => {
  const events = fairStory(`
    0.000  A waits 300
    1.000  B waits 300
    2.000  C waits 300
    3.000  - command DEL redisson_lock_queue:{orders:42}
  `);
  expect(reported(events).slice(-2)).toEqual(['waiter.dequeued B deleted', 'waiter.dequeued C deleted']);
  expect(queueAt(events, 4)).toEqual([]);
});

test('[W6] a late UNSUBSCRIBE of an earlier wait does not end a new wait in the queue', () => {
  const channel = `redisson_lock__channel:{orders:42}:${holderOf('B')}`;
  const events = fairStory(`
    0.000  A waits 300
    1.000  B waits 300
    1.001  B subscribes
    1.002  B waits 300
    2.000  A unlocks
    2.001  B waits 300
    2.100  B unlocks
    2.200  A waits 300
    2.300  B waits 300
    2.301  B-pubsub command UNSUBSCRIBE ${channel}
    2.302  B subscribes
    2.303  B waits 300
  `);
  expect(events.filter(({ type }) => type === 'waiter.dequeued')).toEqual([]);
  const attempts = events.flatMap((event) => (event.type === 'lock.refused' ? [[event.attempt, event.asleep]] : []));
  expect(attempts).toEqual([
    [1, false],
    [2, true],
    [1, false],
    [2, true],
  ]);
});

const TWO_WAIT = `
    0.000  A waits 300
    1.000  B waits 300
    2.000  C waits 100
`;

test('[F14] a waiter that an operator removes from the queue is dequeued at once, with the command', () => {
  const events = fairStory(`${TWO_WAIT}
    3.000  - command LREM Q 0 B
    3.001  - command ZREM Z B
  `);
  expect(events.slice(5)).toMatchObject([
    { type: 'waiter.dequeued', holder: holderOf('B'), reason: 'deleted', command: 'LREM', by: '10.0.0.1:ops' },
  ]);
  expect(events[5]?.certainty).toBe('observed');
  expect(queueAt(events, 4)).toEqual(['1 C 406']);
  expect(queueAt(fairStory(`${TWO_WAIT}3.000 - command LPOP Q`), 4)).toEqual(['1 C 406']);
  expect(queueAt(fairStory(`${TWO_WAIT}3.000 - command LREM Q 0 D`), 4)).toEqual(['1 B 306', '2 C 406']);
});

test('[F14] a deadline that an operator removes or sets is reported at once', () => {
  const events = fairStory(`${TWO_WAIT}3.000 - command ZREM Z B`);
  expect(events.at(-1)).toMatchObject({ type: 'waiter.queued', position: 1, deadline: null, certainty: 'observed' });
  expect(queueAt(events, 4)).toEqual(['1 B ?', '2 C 406']);
  const until = seconds(50) / 1000;
  expect(queueAt(fairStory(`${TWO_WAIT}3.000 - command ZADD Z ${until} B`), 4)).toEqual(['1 B 50', '2 C 406']);
});

test('[F14] the head that a script finds shows which waiters left the queue unseen', () => {
  const unseen = (line: string) => `${TWO_WAIT}3.000 - command ${line} UNSEEN\n3.100 D tries`;
  const events = fairStory(unseen('LPOP Q'));
  expect(events.slice(5)).toMatchObject([
    { type: 'waiter.dequeued', holder: holderOf('B'), reason: 'left', certainty: 'inferred' },
    { type: 'lock.refused', holder: holderOf('D') },
  ]);
  expect(queueAt(events, 4)).toEqual(['1 C 406']);
  expect(queueAt(fairStory(unseen('DEL Q')), 4)).toEqual([]);
});
