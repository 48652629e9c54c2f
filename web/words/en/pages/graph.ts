import { counted } from '../counted.ts';

/** The page that draws which thread waits for which. */
export const graph = {
  title: 'Who waits for whom',
  reading: 'Loading the graph.',
  none: 'No thread is seen to wait for a lock.',
  noneThen: 'No thread was seen to wait for a lock at this instant.',
  noPermits:
    'Redis does not store which thread holds a permit, or which thread will open a latch, so a deadlock through one is not found.',
  unknown: 'It cannot be seen whether a thread waits.',
  unknownThen: 'It cannot be seen whether a thread waited at this instant.',
  listenedFor: (locks: number) => `Clients wait for ${counted(locks, 'lock')}.`,
  threadsUnseen:
    'Which threads wait, and whether they wait for each other, is visible at level Monitor only, from their next attempt on.',
  listeners: 'Waiting',
  notAll: 'Not all waiting threads are known.',
  reason: {
    level: (source: string) => `${source}: only level monitor shows waiting threads.`,
    unwatched: (source: string) => `${source}: not watched.`,
    'blind-spot': (source: string) =>
      `${source}: a part of the time was not watched. A wait may have begun before, or ended in it.`,
    presence: (source: string) => `${source}: it is not known which clients are connected.`,
    server: (source: string) => `${source}: INFO is not read yet, or not permitted.`,
    'key-events': (source: string) => `${source}: Redis sends no key events.`,
    locks: (source: string) => `${source}: some locks are not seen.`,
    memory: (source: string) => `${source}: older events are no longer in memory.`,
  },
  byClient: 'There are many threads, so clients are shown instead. Threads in a deadlock are always shown.',
  more: (nodes: number, edges: number, cycles: number) =>
    `Not shown: ${counted(nodes, 'thread or lock', 'threads and locks')}, ${counted(edges, 'arrow')}, ${counted(cycles, 'deadlock')}.`,
  picture: 'Picture of the list of waits',
  key: {
    waits: 'waits for the lock',
    holds: 'the lock is held by',
    blocked: 'waits for the thread inside the JVM',
    cycle: 'part of a deadlock',
  },
  blockedAt: (clock: string) => `waits in its JVM, ${clock}`,
  insideJvm: 'a lock inside the JVM',
  inDump: (clock: string) => `dump of ${clock}`,
  threads: (n: number) => counted(n, 'thread'),
  waiting: (n: number) => `${counted(n, 'thread')} ${n === 1 ? 'waits' : 'wait'}`,
  free: 'no holder seen',
  gone: 'not connected',
  heldSince: (clock: string | null) => (clock === null ? 'held, start not seen' : `held since ${clock}`),
  waitsSince: (clock: string | null) => (clock === null ? 'waits, start not seen' : `waits since ${clock}`),
  holds: 'holds',
  deadlock: (n: number) => `Deadlock of ${counted(n, 'thread')}`,
  waitsFor: 'waits for',
  heldBy: 'held by',
  since: (clock: string) => `Since ${clock}.`,
  sinceBefore: (clock: string) => `Since before ${clock}.`,
  breaks: {
    lease: (clock: string) => `It breaks by itself at ${clock}: a lease ends then, and no watchdog renews it.`,
    'give-up': 'It breaks by itself: a thread acquires a multi lock, which gives up after a time and tries again.',
    none: 'Nothing is known to break it.',
  },
  toRelease: 'To break it by hand, release:',
  list: 'Waits',
  head: { waiter: 'Waits', lock: 'For the lock', holder: 'Held by', since: 'Since' },
  before: 'before watching began',
  beforeClock: (clock: string) => `before ${clock}`,
};
