/** The stage with many threads or several locks. Numbers are passed as text; a caption has at most twelve words. */
export const several = {
  on: (lock: string, server: string) => `${lock} on ${server}`,
  captions: {
    named: {
      taken: (who: string, lock: string) => `${who} acquires ${lock}.`,
      asleep: (who: string, lock: string) => `${who} asks for ${lock} once more, then sleeps.`,
      released: (who: string, lock: string) => `${who} releases ${lock}.`,
      'released-to-waiter': (who: string, lock: string) => `${who} releases ${lock} and publishes one message.`,
      'rolled-back': (who: string, lock: string) => `${who} releases ${lock}: all or nothing.`,
      'never-held': (who: string, lock: string) => `${who} releases ${lock} too, which it never had.`,
      'local-taken': (who: string, lock: string) => `${who} acquires ${lock} in its own memory. It stores no owner.`,
      'local-waits': (who: string, lock: string) => `${who} waits for ${lock}.`,
      'local-waits-for-itself': (who: string, _lock: string) =>
        `${who} asks again. The lock is taken: ${who} waits for itself.`,
      'local-freed': (who: string, lock: string) => `${who} frees ${lock}.`,
    },
    refused: (who: string, lock: string, left: string | null) =>
      left === null ? `${who} asks for ${lock}: busy.` : `${who} asks for ${lock}: busy, lease left ${left} s.`,
    groupRefused: (who: string, lock: string, of: string) => `${lock} is busy: ${who} cannot have all ${of}.`,
    group: {
      'group-took': (who: string, lock: string, have: string, of: string) =>
        `${who} acquires ${lock} as well: ${have} of ${of}.`,
      'group-complete': (who: string, lock: string, _have: string, of: string) =>
        `${who} acquires ${lock} as well: it has all ${of}.`,
    },
    votes: {
      majority: (who: string, have: string, of: string) =>
        `${have} of ${of} servers said yes: a majority, ${who} holds it.`,
      'no-majority': (who: string, have: string, of: string) =>
        `${who} counts ${have} of ${of} servers: no majority. It gives up.`,
    },
    server: {
      'server-killed': (server: string) => `${server} is killed. It no longer answers.`,
      'server-link-cut': (server: string) => `${server} is cut off: it no longer copies.`,
      'server-promoted': (server: string) => `${server} is promoted: it is the master now.`,
    },
    after: {
      'local-gave-up': (who: string, after: string) =>
        `${who} gives up after ${after} seconds. No thread could free it.`,
      'local-let-go': (who: string, after: string) =>
        `After ${after} seconds the demo interrupts ${who}. Otherwise it would wait forever.`,
    },
    circle: (_who: string) => 'Deadlock: each waits for the lock the other holds.',
    circleBroken: (who: string, after: string) => `${who} gives up after ${after} seconds: the deadlock is over.`,
    failover: {
      lost: (who: string, server: string) => `${server} has no record of ${who}’s lock. ${who} does not know that.`,
      'lost-unlock': (who: string, server: string) => `${who}’s unlock is refused: ${server} never knew its lock.`,
    },
    crowdAsleep: (n: string) => `${n} threads sleep now. A sleeping thread sends no commands.`,
    crowdReported: (who: string, clients: string | null) =>
      clients === null
        ? `${who} publishes one message.`
        : `${who} publishes one message. ${clients === '1' ? '1 client receives' : `${clients} clients receive`} it.`,
    crowdWon: (who: string, after: string | null) =>
      after === null ? `${who} is first and gets the lock.` : `${who} is first, ${after} after the message.`,
    crowdLost: (who: string) => `${who} woke for nothing: another was faster. It sleeps again.`,
  },
  local: {
    label: (client: string, name: string) => `In the memory of ${client}: ${name}`,
    title: (client: string) => `In ${client}’s memory`,
    free: 'free',
    taken: 'taken, stores no owner',
    waits: 'a thread waits for it:',
    waitsForItself: 'its own thread waits:',
    reported: 'Reported by the demo client. It is not in Redis.',
  },
  group: {
    multiLock: (who: string) => `${who}’s multi lock:`,
    redLock: (who: string) => `${who}’s RedLock:`,
    has: (have: string, of: string, isMajority: boolean) =>
      isMajority ? `${have} of ${of} servers, a majority` : `${have} of ${of}`,
    hasNone: 'nothing so far',
    ends: { released: 'released', 'rolled-back': 'rolled back, it holds nothing', lost: 'lost' },
    inferred: 'It is inferred that they belong together.',
    reported: 'The demo client reports that they belong together.',
    unasked: (who: string) => `${who} has not asked here`,
    members: {
      held: (who: string) => `${who} has it`,
      refused: (who: string) => `${who} was refused`,
      'rolled-back': (who: string) => `${who} released it: all or nothing`,
      released: (who: string) => `${who} released it`,
      'never-held': (who: string) => `${who} never had it, and unlocked all the same`,
      lost: (who: string) => `${who} lost it`,
    },
  },
  nodes: {
    label: 'Servers',
    states: {
      master: (_of: string) => 'master',
      copies: (of: string) => `replica, copies ${of}`,
      'cut-off': (of: string) => `replica, cut off from ${of}`,
      killed: (_of: string) => 'killed',
      promoted: (_of: string) => 'master now',
    },
  },
  server: {
    down: 'Killed. It does not answer and is not watched.',
    unseen: 'not seen now: its state is not known',
  },
  circle: {
    label: 'Deadlock',
    wants: 'wants',
    heldBy: 'held by',
    step: (who: string, lock: string, holder: string) => `${who} wants ${lock}, which ${holder} holds.`,
  },
  tally: {
    title: 'Counted from the events',
    asleep: 'asleep',
    asked: 'woke and asked',
    won: 'won',
    forNothing: 'for nothing',
    release: (n: string) => `Release ${n}`,
    inAll: 'In all',
  },
};
