/**
 * The lock page: how the lock passes from thread to thread, whether its lease is renewed, and what the reader can do.
 */
export const remedies = {
  renewal: {
    gone: () => 'The client is gone, so nothing renews this lease.',
    'never-ends': () => 'There is no lease: the lock never ends by itself.',
    renewed: (due: string | null) => `A watchdog renews the lease${due === null ? '' : `, next in ${due}`}.`,
    late: () => 'A watchdog renewed the lease, but the next renewal is late.',
    missed: (lease: string) =>
      `A watchdog would have renewed this lease of ${lease} after a third of it. No renewal came, so the caller probably set the lease.`,
    long: (lease: string) =>
      `No renewal seen. Redisson’s watchdog sets 30 s by default, so the caller probably set this lease of ${lease}.`,
    due: (due: string | null) => `No renewal seen yet${due === null ? '' : `. A watchdog’s would be due in ${due}`}.`,
    unseen: () => 'No renewal seen. Lockscope did not see how the lease was set.',
  },
  turns: 'Hand-overs',
  rate: 'Rate',
  rateText: (rate: string, count: string, span: string) => `${rate} a second (${count} in ${span})`,
  tooFew: (count: string, span: string) => `not enough data: ${count} in ${span}`,
  longest: 'Longest wait',
  longestText: (length: string, isOpen: boolean) => `${length}${isOpen ? ' so far' : ''}`,
  overtaken: (times: number, text: string) =>
    `a thread that asked later went first ${times === 1 ? 'once' : `${text} times`}`,
  inOrder: 'no thread that asked later went first',
  newcomer: 'New waiter',
  newcomerText: (length: string, waiting: string, rate: string) =>
    `waits about ${length} on average, if this goes on: ${waiting} waiting, ${rate} hand-overs a second`,
  newcomerUnknown: 'not enough data',
  noTurns: 'No thread has waited for this lock in the last minute.',

  title: 'What you can do',
  risk: (text: string) => `Risk: ${text}`,
  wait: (clock: string) => `Wait until ${clock}. Then the lease ends, and Redis frees the lock.`,
  waitRisk: 'none. Until then no other thread can get the lock.',
  ends: (clock: string) => `If nothing renews the lease, it ends at ${clock}, even if the holder is still working.`,
  endsRisk: 'another thread may then get the lock while this one still works.',
  renewed: 'Waiting may not be enough: the watchdog renews the lease as long as the client runs and does not unlock.',
  dump: (thread: string, who: string) => `Look at what Java thread ${thread} of ${who} is doing.`,
  dumpRisk: 'the dump pauses that JVM for a moment. Virtual threads are not in it.',
  release: 'Release the lock by hand.',
  releaseChecks: 'It does nothing if another thread holds the lock by then, and it wakes the waiters.',
  releaseChecksPolling: 'It does nothing if another thread holds the lock by then.',
  releaseForces:
    'Run this in an application with Redisson. It releases the lock even if another thread holds it by then, and wakes waiters.',
  releaseGone: (clock: string | null) =>
    `its client has had no connection to Redis${clock === null ? '' : ` since ${clock}`}, but its process may still be working. Make sure that it is dead.`,
  releaseAlive:
    'the holder is not informed. It and the next holder may work at the same time, and its own unlock then fails.',
  noDelete: 'Do not use DEL alone: it wakes no waiter.',
};
