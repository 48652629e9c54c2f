/**
 * The lock page: how the lock passes from thread to thread, whether its lease is renewed, and what the user can do.
 */
export const remedies = {
  renewal: {
    gone: () => 'The client has no connection to Redis, so it does not renew this lease.',
    'never-ends': () => 'There is no lease: the lock never ends by itself.',
    renewed: (due: string | null) => `A watchdog renews the lease${due === null ? '' : `, next within ${due}`}.`,
    extended: () => 'The lease was renewed. It is not known when it will be again.',
    late: () => 'A watchdog renewed the lease, but the next renewal is late.',
    missed: (lease: string) =>
      `A watchdog would have renewed this lease of ${lease} after a third of it. No renewal came, so the caller probably set the lease.`,
    long: (lease: string) =>
      `No watchdog is known to renew this hold. Redisson’s sets 30 s by default, so the caller probably set this lease of ${lease}.`,
    due: (due: string | null) =>
      `No watchdog is known to renew this hold yet${due === null ? '' : `. One would be due within ${due}`}.`,
    unseen: () => 'Not known: Lockscope did not see how the lease was set last.',
  },
  turns: 'Hand-overs',
  rate: 'Rate',
  rateText: (rate: string, count: string, span: string) => `${rate} a second (${count} in ${span})`,
  tooFew: (count: string, span: string) => `not enough data: ${count} in ${span}`,
  longest: 'Longest wait seen',
  longestText: (length: string, isOpen: boolean) => `${length}${isOpen ? ' so far' : ''}`,
  overtaken: (times: number, text: string, isWhole: boolean) =>
    `a thread seen to ask later went first ${isWhole ? '' : 'at least '}${times === 1 ? 'once' : `${text} times`}`,
  inOrder: 'no thread seen to ask later went first',
  newcomer: 'New waiter',
  newcomerText: (length: string, waiting: string, rate: string) =>
    `waits about ${length} on average, if this goes on: ${waiting} waiting, ${rate} hand-overs a second`,
  newcomerUnknown: 'cannot be estimated now',
  noTurns: (span: string | null) => `No hand-over seen${span === null ? ' yet' : ` in the last ${span}`}.`,

  title: 'What you can do',
  risk: (text: string) => `Risk: ${text}`,
  convoy:
    'Do not release it: it is handed over quickly, and a release would put two threads inside. Hold the lock for less time, or divide it into several locks.',
  wait: (clock: string) =>
    `Wait until ${clock}. If the client does not return, the lease ends then, and Redis frees the lock.`,
  waitRisk: 'the process may still work then, without a connection. Make sure that it is dead.',
  ends: (clock: string) => `If nothing renews the lease, it ends at ${clock}, even if the holder is still working.`,
  endsRisk: 'another thread may then get the lock while this one still works.',
  renewed: 'Waiting may not be enough: the watchdog renews the lease as long as the client runs and does not unlock.',
  dump: (thread: string, who: string) => `Look at what Java thread ${thread} of ${who} is doing.`,
  dumpAgain: (clock: string | null, thread: string, who: string) =>
    `A thread dump${clock === null ? '' : ` of ${clock}`} is shown with the holder. A later one shows what Java thread ${thread} of ${who} does by then.`,
  dumpRisk:
    'the dump pauses that JVM for a moment. Virtual threads are not in it, nor are ids that asynchronous calls set.',
  release: 'Release the lock by hand.',
  releaseChecks: 'It does nothing if another thread holds the lock by then, and it wakes the waiters.',
  releaseChecksPolling: 'It does nothing if Redis names another holder by then.',
  releaseForces:
    'In an application with Redisson. It does not check which thread holds the lock, and it wakes waiters.',
  releaseGone: (clock: string | null) =>
    `its client has had no connection to Redis${clock === null ? '' : ` since ${clock}`}, but its process may still be working. Make sure that it is dead.`,
  releaseAlive:
    'the holder is not informed. It and the next holder may work at the same time, and its own unlock may then fail.',
  noDelete: 'Do not use DEL alone: it wakes no waiter.',
};
