import type { InsightWords } from './words.ts';

/** What each insight says in English: on the page, and in JSON. */
export const ENGLISH: InsightWords = {
  'holder-crashed-wait-ttl': {
    title: 'The client of the holder is gone',
    explanation: ({ holder, goneSince, endsAt, neverEnds, isPermit, waiting }, { who, clock }) =>
      sentences(
        `The client of ${who(holder)} has no open connection${goneSince === null ? '' : `, last seen at ${clock(goneSince)}`}.`,
        isPermit
          ? endsAt === null
            ? 'Its permit does not come back by itself.'
            : `Its permit comes back at ${clock(endsAt)}.`
          : neverEnds
            ? 'The lock has no lease that could end, so no client can take it.'
            : `Until the lease ends${endsAt === null ? '' : ` at ${clock(endsAt)}`}, no client can take this lock.`,
        waiting > 0 && `${count(waiting, 'thread waits', 'threads wait')} for it.`,
      ),
    advice: ({ endsAt, neverEnds }, { clock }) =>
      endsAt === null
        ? `${neverEnds ? 'This does not end by itself' : 'It is not known when this ends'}. Make sure that the client is really gone, then release the lock by hand.`
        : `No action is needed: this ends by itself at ${clock(endsAt)}. A shorter lease makes the wait shorter.`,
  },
  'renewal-overdue': {
    title: 'Renewal overdue, holder probably gone',
    explanation: ({ holder, dueAt, endsAt, renewals }, { who, clock }) =>
      sentences(
        `The watchdog of ${who(holder)} should have renewed the lease at ${clock(dueAt)}, after ${count(renewals, 'renewal', 'renewals')}.`,
        endsAt !== null && `If no renewal arrives, the lease ends at ${clock(endsAt)}, also if its work still runs.`,
      ),
    advice: () =>
      'Look for a pause of that process: garbage collection, a busy CPU, a suspended container. Use a fencing token for writes.',
  },
  'abba-deadlock': {
    title: 'Deadlock: threads wait for each other',
    explanation: ({ path, endsAt }, { who, clock }) =>
      sentences(
        ...path.map(({ holder, lock, heldBy }) => `${who(holder)} waits for ${lock}, which ${who(heldBy)} holds.`),
        endsAt === null
          ? 'No lease in the circle is known to end, so the threads may wait for ever.'
          : `A lease in the circle ends at ${clock(endsAt)}, which breaks it.`,
      ),
    advice: () =>
      'Release one of these locks by hand. Take locks in the same order everywhere, or use tryLock with a time limit.',
  },
  'fair-head-dead': {
    title: 'The first waiter in the queue is gone',
    explanation: ({ holder, goneSince, deadline, dead, waiting, isFree }, { who, clock }) =>
      sentences(
        `${who(holder)} is first in the queue and is gone${goneSince === null ? '' : `, last seen at ${clock(goneSince)}`}.`,
        `${isFree ? 'The lock is free, but no' : 'No'} other waiter can take it${deadline === null ? ' before it is removed' : ` before ${clock(deadline)}`}.`,
        dead > 1 && `${dead} waiters in a row are gone.`,
        waiting > 0 && `${count(waiting, 'waiter is', 'waiters are')} behind.`,
      ),
    advice: () =>
      'Wait for the deadline, or remove the dead waiter from the queue and from its deadlines. A shorter fair-lock wait timeout makes this shorter.',
  },
  'failover-lock-lost': {
    title: 'A holder lost this lock and does not know it',
    explanation: ({ holder, lostAt, endsAt, heldBy }, { who, clock }) =>
      sentences(
        `The hold of ${who(holder)} was lost at ${clock(lostAt)}, when another server took over or the server was restarted.`,
        endsAt !== null && `Its thread may work as if it held the lock until ${clock(endsAt)}.`,
        heldBy !== null && `${who(heldBy)} holds the lock now, so both may work at the same time.`,
      ),
    advice: () => 'Check what both threads wrote. Let locks wait for replicas, and use a fencing token for writes.',
  },
  'unlock-by-non-owner': {
    title: 'A thread unlocked a lock that it does not hold',
    explanation: ({ holder, at, heldBy, times, sawSuccess }, { who, clock }) =>
      sentences(
        `${who(holder)} tried to unlock this lock at ${clock(at)}, but another thread held it.`,
        heldBy !== null && heldBy !== holder && `${who(heldBy)} holds it now.`,
        times > 1 && `It tried ${times} times.`,
        sawSuccess && 'Its version of the client reported success.',
      ),
    advice: () => 'Unlock in the thread that locked, and only after tryLock() returned true.',
  },
};

function sentences(...all: readonly (string | false)[]): string {
  return all.filter((sentence) => sentence !== false).join(' ');
}

function count(n: number, one: string, many: string): string {
  return `${n} ${n === 1 ? one : many}`;
}
