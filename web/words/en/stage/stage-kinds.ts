import { counted } from '../counted.ts';

const PLACES = ['first', 'second', 'third', 'fourth', 'fifth'];

/** The stage with each kind of lock. Times are passed as text, some in seconds; a caption has at most twelve words. */
export const stageKinds = {
  captions: {
    queued: (c: { who: string; place: number }) =>
      `${c.who} is refused and is ${PLACES[c.place - 1] ?? `at ${c.place}`} in the queue.`,
    'asleep-in-queue': (c: { who: string }) => `${c.who} subscribes to a channel of its own, then sleeps.`,
    'released-to-head': (c: { who: string; head: string }) =>
      `${c.who} releases. The message goes to ${c.head} alone: it is first.`,
    'released-to-dead': (c: { who: string; head: string }) =>
      `${c.who} releases. The message goes to ${c.head}, which is dead.`,
    'died-in-queue': (c: { who: string; place: number }) =>
      `${c.who} crashes, but is still ${PLACES[c.place - 1] ?? `at ${c.place}`} in the queue.`,
    'not-head': (c: { who: string; head: string }) => `Free, but ${c.head} is first: ${c.who} asks again and again.`,
    evicted: (c: { who: string; seconds: string }) =>
      `${c.seconds} s after the release, ${c.who}’s place expires and is removed.`,
    'head-at-last': (c: { who: string; times: number }) =>
      `${c.who} has asked ${c.times} times in a row. Now it acquires.`,

    'reads-too': (c: { who: string; readers: number }) =>
      `${c.who} reads as well: ${c.readers} readers share the lock.`,
    'reads-own': (c: { who: string }) => `${c.who} reads too: a writer may read its own lock.`,
    'writer-refused': (c: { who: string; readers: number }) =>
      `${c.who} wants to write and is refused: ${counted(c.readers, 'reader')}.`,
    'reader-refused': (c: { who: string; writer: string }) =>
      `${c.who} wants to read and is refused: ${c.writer} writes.`,
    'reader-left': (c: { who: string; left: number }) =>
      `${c.who} stops reading. ${counted(c.left, 'reader remains', 'readers remain')}, so no waiter is woken.`,
    'last-reader-left': (c: { who: string }) => `${c.who}, the last reader, deletes the key and publishes.`,
    'writer-left': (c: { who: string }) => `${c.who} deletes the key and wakes every waiting reader.`,
    downgraded: (c: { who: string }) => `${c.who} downgrades to reading. No wake-up is sent.`,

    'token-given': (c: { who: string; token: string }) =>
      `${c.who}’s token is ${c.token}: each hold gets a higher one.`,
    'taken-with-token': (c: { who: string; token: string }) => `${c.who} acquires the lock, with token ${c.token}.`,
    'taken-short-with-token': (c: { who: string; token: string; seconds: string }) =>
      `${c.who} acquires it for ${c.seconds} s, without watchdog: token ${c.token}.`,
    'overtaken-with-token': (c: { who: string; token: string; other: string; old: string }) =>
      `${c.who} gets the lock with token ${c.token}. ${c.other} still has ${c.old}.`,
    'thawed-with-token': (c: { who: string; token: string; newest: string }) =>
      `${c.who} continues with token ${c.token}. The newest is ${c.newest}.`,
    'late-with-token': (c: { who: string; token: string }) =>
      `${c.who}’s unlock is refused. Token ${c.token} is old: storage can reject it.`,

    spins: (c: { who: string }) => `${c.who} is refused. It does not subscribe, but asks again and again.`,
    'released-silently': (c: { who: string }) => `${c.who} deletes the key and publishes nothing.`,
    'released-to-spinner': (c: { who: string; other: string; times: number }) =>
      `${c.who} releases without a message. ${c.other} has asked ${c.times} times.`,
    'found-free': (c: { who: string; wake: string }) => `${c.who} asks again, ${c.wake} after the release: free.`,

    'permits-set': (c: { who: string; total: number }) => `${c.who} sets the number of permits: ${c.total}.`,
    'permits-taken': (c: { who: string; permits: number; free: number }) =>
      `${c.who} takes ${counted(c.permits, 'permit')}: ${c.free} still free.`,
    'permits-taken-woken': (c: { who: string; permits: number; wake: string }) =>
      `${c.who} wakes, asks again, takes ${c.permits}: ${c.wake} later.`,
    'permits-refused': (c: { who: string; permits: number; free: number }) =>
      `${c.who} wants ${counted(c.permits, 'permit')}. Free: ${c.free}.`,
    'permits-asleep': (c: { who: string }) => `${c.who} subscribes, checks once more, then sleeps.`,
    'permits-given': (c: { who: string; permits: number; free: number }) =>
      `${c.who} releases ${c.permits} and publishes: ${c.free} free.`,
    'permits-all-free': (c: { who: string; permits: number; free: number }) =>
      `${c.who} releases ${c.permits}: all ${c.free} are free again.`,
    'permit-until': (c: { who: string; seconds: string; free: number }) =>
      `${c.who} takes a permit for ${c.seconds} s: ${c.free} still free.`,
    'permit-for-good': (c: { who: string; free: number }) => `${c.who} takes a permit without an end: ${c.free} free.`,
    'permit-expired': (c: { who: string; seconds: string }) => `${c.who}’s permit expired after ${c.seconds} s.`,
    'permit-taken-back': (c: { who: string }) => `${c.who}’s own timer woke it: its script takes that permit.`,
    'permit-late': (c: { who: string; seconds: string }) =>
      `${c.who}’s release is refused: its permit ended ${c.seconds} s ago.`,

    'latch-set': (c: { who: string; count: number }) => `${c.who} sets the latch to ${c.count}.`,
    'latch-awaited': (c: { who: string }) => `${c.who} finds the latch closed, subscribes and sleeps.`,
    'latch-counted': (c: { who: string; count: number }) => `${c.who} counts down: ${c.count} to go.`,
    'latch-open-already': (c: { who: string }) => `${c.who} counts down an open latch: nothing changes.`,
    'latch-opened': (c: { waiters: number }) =>
      `Zero: the key is deleted. One message wakes ${counted(c.waiters, 'waiter')}.`,
    'latch-passed': (c: { who: string; wake: string }) => `${c.who} wakes and continues, ${c.wake} later.`,
  },
  /** The Redis card, by kind of lock. */
  redis: {
    queue: 'Queue',
    place: (n: number) => `${n}.`,
    dead: 'dead',
    deadline: (time: string) => `place expires in ${time}`,
    overdue: 'place expired',
    readers: (n: number) => `shared by ${counted(n, 'reader')}`,
    writer: 'one writer, alone',
    writerReads: 'one writer, which also reads',
    token: (n: string) => `token ${n}`,
    noChannel: 'no channel, so no message',
    freeOf: (free: number, total: number) => `${free} of ${total} free`,
    free: (free: number) => `${free} free`,
    noPermits: 'No permits yet.',
    permitLeft: (time: string) => `expires in ${time}`,
    permitOver: 'expired, not yet reclaimed',
    permitForEver: 'without an end',
    latchOpen: 'Open: no client has to wait.',
    latchClosed: (n: number) => `Closed: ${n} to go.`,
    latchUnset: 'Not set.',
  },
  /** The card of a client. */
  card: {
    hasPermits: (n: number) => `has ${counted(n, 'permit')}`,
    permit: {
      believes: 'works on, thinks it still has the permit',
      lost: 'knows now that it lost the permit',
    },
    spins: (n: number) => `has asked ${counted(n, 'time')} in a row`,
    place: (n: number) => `${PLACES[n - 1] ?? `at ${n}`} in the queue`,
    token: (n: string) => `token ${n}`,
    oldToken: (n: string) => `token ${n}, no longer the newest`,
    listensAlone: 'listens on a channel of its own',
    listensForPermits: 'listens for permits',
    listensForLatch: 'waits for the latch',
  },
  /** Buttons of a thread for kinds that are not locked and unlocked. */
  yourself: {
    take: 'Take one',
    giveBack: 'Release one',
    wait: 'Wait for it',
    setTo: (n: number) => `Set to ${n}`,
    countDown: 'Count down',
  },
  /** Notes about times that are shorter on the stage than in Redisson, by scenario. */
  notes: {
    'fair-dead-head': 'B’s place lasts 0.7 s longer than A’s lease of 7 s. In Redisson: 5 minutes longer.',
  } as Readonly<Record<string, string>>,
};
