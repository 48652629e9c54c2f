import type { DemoProcess, ToldCall } from '../clients/demo-process.ts';
import type { ToldEvent } from '../clients/lockscope.ts';
import type { RandomLock } from './random-lock.ts';

/** An operation of a client, and the events that report it. */
type Deed = {
  readonly what: string;
  readonly isDone: (call: ToldCall) => boolean;
  readonly isTold: (event: ToldEvent) => boolean;
};

const DEEDS: readonly Deed[] = [
  {
    what: 'set permits',
    isDone: ({ action, result }) => action === 'trySetPermits' && result === 'true',
    isTold: ({ type }) => type === 'permits.set',
  },
  {
    what: 'took permits',
    isDone: ({ action, result }) => action === 'tryAcquire' && result === 'true',
    isTold: ({ type }) => type === 'permits.acquired',
  },
  {
    what: 'gave permits back in time',
    isDone: ({ action, ok }) => action === 'release' && ok === true,
    isTold: (event) => event.type === 'permits.released' && event.isLate !== true,
  },
  {
    what: 'set a count',
    isDone: ({ action, result }) => action === 'trySetCount' && result === 'true',
    isTold: ({ type }) => type === 'latch.set',
  },
  {
    what: 'counted down',
    isDone: ({ action, ok }) => action === 'countDown' && ok === true,
    isTold: ({ type }) => type === 'latch.counted-down',
  },
];

/** The refused release of an expired permit names only the permit, so these are counted for all clients together. */
const TOO_LATE: Deed = {
  what: 'gave permits back too late',
  isDone: ({ action, ok }) => action === 'release' && ok === false,
  isTold: (event) => event.type === 'unlock.refused' || (event.type === 'permits.released' && event.isLate === true),
};

/**
 * Compares how often each client did something to a semaphore or latch with how often it was reported. Permits have no
 * owner, so events name the connection. An operation that was running when its client was killed may have happened
 * without a message. Redis 6 does not show the names of connections, so events of a new one may have only its address.
 */
export function compareCounter(
  { name: lock }: RandomLock,
  clients: readonly DemoProcess[],
  all: readonly ToldEvent[],
): string[] {
  const events = all.filter((event) => event.lock === lock);
  const names = new Set(clients.map(({ name }) => name));
  const problems: string[] = [];
  for (const { what, isDone, isTold } of [...DEEDS, TOO_LATE]) {
    const told = events.filter(isTold);
    const unnamed = told.filter((event) => !names.has(holderOf(event))).length;
    const sum = { done: 0, open: 0 };
    for (const client of clients) {
      const done = callsOf(client, lock).filter(isDone).length;
      const open = client.open().filter((order) => order.lock === lock).length;
      const own = told.filter((event) => holderOf(event) === client.name).length;
      sum.done += done;
      sum.open += open;
      const isFitting = own + unnamed >= done && own <= done + open;
      if (!isFitting) problems.push(`${client.name} ${what} ${done} times, told are ${own} and ${unnamed} of nobody`);
    }
    const isFitting = told.length >= sum.done && told.length <= sum.done + sum.open;
    if (!isFitting) problems.push(`all together ${what} ${sum.done} times, told are ${told.length}`);
  }
  const strange = events.filter(({ type }) => type === 'drift.healed' || type === 'lock.found');
  return [...problems, ...strange.map((event) => `nothing of the kind happened: ${JSON.stringify(event)}`)].map(
    (problem) => `${lock}: ${problem}`,
  );
}

function callsOf({ told }: DemoProcess, lock: string): ToldCall[] {
  return told.flatMap((one) => (one.type === 'truth' && one.lock === lock && one.phase === 'returned' ? [one] : []));
}

function holderOf(event: ToldEvent): string {
  return 'holder' in event ? (event.holder ?? '') : '';
}
