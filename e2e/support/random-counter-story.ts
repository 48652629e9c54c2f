import type { DemoProcess, ToldCall } from './demo-process.ts';
import type { ToldEvent } from './lockscope.ts';
import type { RandomLock } from './random-lock.ts';

/** What a client did, and as what that is told. */
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

/** A permit that is none any more names nobody but itself: these are counted for all clients together. */
function isToldLate(event: ToldEvent): boolean {
  return event.type === 'unlock.refused' || (event.type === 'permits.released' && event.isLate === true);
}

function isLate({ lock, action, phase, ok }: ToldCall, of: string): boolean {
  return lock === of && action === 'release' && phase === 'returned' && ok === false;
}

/**
 * Compares how often each client did something to a semaphore or latch with how often it is told, by the name of the
 * connection: permits have no owner. What a killed client was about to do may have happened and not been said.
 */
export function compareCounter(
  { name: lock }: RandomLock,
  clients: readonly DemoProcess[],
  all: readonly ToldEvent[],
): string[] {
  const events = all.filter((event) => event.lock === lock);
  const problems: string[] = [];
  for (const client of clients) {
    const calls = client.told.flatMap((told) =>
      told.type === 'truth' && told.lock === lock && told.phase === 'returned' ? [told] : [],
    );
    const open = client.open().filter((order) => order.lock === lock).length;
    for (const { what, isDone, isTold } of DEEDS) {
      const done = calls.filter(isDone).length;
      const told = events.filter((event) => isTold(event) && 'holder' in event && event.holder === client.name).length;
      if (told < done || told > done + open) problems.push(`${client.name} ${what} ${done} times, told are ${told}`);
    }
  }
  const open = clients.flatMap((client) => client.open()).filter((order) => order.lock === lock).length;
  const late = clients.flatMap(({ told }) => told.filter((one) => one.type === 'truth' && isLate(one, lock))).length;
  const toldLate = events.filter(isToldLate).length;
  if (toldLate < late || toldLate > late + open)
    problems.push(`given back too late ${late} times, told are ${toldLate}`);
  const strange = events.filter(({ type }) => type === 'drift.healed' || type === 'lock.found');
  return [...problems, ...strange.map((event) => `nothing of the kind happened: ${JSON.stringify(event)}`)].map(
    (problem) => `${lock}: ${problem}`,
  );
}
