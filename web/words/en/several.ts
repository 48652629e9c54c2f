/** The stage with many threads or several locks. Numbers come as text; a caption has at most twelve words. */
export const several = {
  captions: {
    named: {
      taken: (who: string, lock: string) => `${who} takes ${lock}.`,
      asleep: (who: string, lock: string) => `${who} asks for ${lock} once more, then sleeps.`,
      released: (who: string, lock: string) => `${who} releases ${lock}.`,
      'released-to-waiter': (who: string, lock: string) => `${who} releases ${lock} and publishes one message.`,
      'local-taken': (who: string, lock: string) => `${who} takes ${lock} in its own memory. It notes no owner.`,
      'local-waits': (who: string, lock: string) => `${who} waits for ${lock}.`,
      'local-waits-for-itself': (who: string, _lock: string) =>
        `${who} asks again. Taken, says the lock: ${who} waits for itself.`,
      'local-freed': (who: string, lock: string) => `${who} frees ${lock}.`,
    },
    refused: (who: string, lock: string, left: string | null) =>
      left === null ? `${who} asks for ${lock}: busy.` : `${who} asks for ${lock}: busy, ${left} seconds left.`,
    after: {
      'local-gave-up': (who: string, after: string) =>
        `${who} gives up after ${after} seconds. Nobody could have freed it.`,
      'local-let-go': (who: string, after: string) =>
        `After ${after} seconds the demo interrupts ${who}. Else it waits for ever.`,
    },
    circle: (_who: string) => 'A circle: each waits for what the other holds. Deadlock.',
    circleBroken: (who: string, after: string) => `${who} gives up after ${after} seconds: the circle is open.`,
    crowdAsleep: (n: string) => `${n} threads sleep now. Sleeping costs Redis nothing.`,
    crowdTold: (who: string, clients: string | null) =>
      clients === null ? `${who} publishes one message.` : `${who} publishes one message. ${clients} clients hear it.`,
    crowdWon: (who: string, after: string | null) =>
      after === null ? `${who} is first and gets the lock.` : `${who} is first, ${after} after the message.`,
    crowdLost: (who: string) => `${who} woke for nothing: another was faster. It sleeps again.`,
  },
  local: {
    label: (client: string, name: string) => `In the memory of ${client}: ${name}`,
    title: (client: string) => `In ${client}’s memory`,
    free: 'free',
    taken: 'taken; by whom, it does not know',
    waits: 'somebody waits for it:',
    waitsForItself: 'its own thread waits:',
    told: 'Told by the demo client. Redis sees nothing of it, nor does Lockscope.',
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
