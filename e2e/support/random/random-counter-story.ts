import type { DemoProcess, ReportedCall } from '../lockscope/demo-process.ts';
import type { ReportedEvent } from '../lockscope/lockscope.ts';
import type { RandomLock } from './random-lock.ts';

/** An operation of a client, and the events that report it. */
type CountedOperation = {
  readonly what: string;
  readonly isDone: (call: ReportedCall) => boolean;
  readonly isReported: (event: ReportedEvent) => boolean;
};

const OPERATIONS: readonly CountedOperation[] = [
  {
    what: 'set permits',
    isDone: ({ action, result }) => action === 'trySetPermits' && result === 'true',
    isReported: ({ type }) => type === 'permits.set',
  },
  {
    what: 'took permits',
    isDone: ({ action, result }) => action === 'tryAcquire' && result === 'true',
    isReported: ({ type }) => type === 'permits.acquired',
  },
  {
    what: 'gave permits back in time',
    isDone: ({ action, ok }) => action === 'release' && ok === true,
    isReported: (event) => event.type === 'permits.released' && event.isLate !== true,
  },
  {
    what: 'set a count',
    isDone: ({ action, result }) => action === 'trySetCount' && result === 'true',
    isReported: ({ type }) => type === 'latch.set',
  },
  {
    what: 'counted down',
    isDone: ({ action, ok }) => action === 'countDown' && ok === true,
    isReported: ({ type }) => type === 'latch.counted-down',
  },
];

/**
 * The refused release of an expired permit names only the permit, so such releases are counted for all clients
 * together.
 */
const TOO_LATE: CountedOperation = {
  what: 'gave permits back too late',
  isDone: ({ action, ok }) => action === 'release' && ok === false,
  isReported: (event) =>
    event.type === 'unlock.refused' || (event.type === 'permits.released' && event.isLate === true),
};

/**
 * Compares how often each client did something to a semaphore or latch with how often it was reported. Permits have no
 * owner, so events name the connection. An operation that was running when its client was killed may have happened
 * without a message. Redis 6 does not show the names of connections, so events of a new connection may have only its
 * address.
 */
export function compareCounter(
  { name: lock }: RandomLock,
  clients: readonly DemoProcess[],
  all: readonly ReportedEvent[],
): string[] {
  const events = all.filter((event) => event.lock === lock);
  const names = new Set(clients.map(({ name }) => name));
  const problems: string[] = [];
  for (const { what, isDone, isReported } of [...OPERATIONS, TOO_LATE]) {
    const reported = events.filter(isReported);
    const unnamed = reported.filter((event) => !names.has(holderOf(event))).length;
    const sum = { done: 0, open: 0 };
    for (const client of clients) {
      const done = callsOf(client, lock).filter(isDone).length;
      const open = client.open().filter((order) => order.lock === lock).length;
      const own = reported.filter((event) => holderOf(event) === client.name).length;
      sum.done += done;
      sum.open += open;
      const isFitting = own + unnamed >= done && own <= done + open;
      if (!isFitting)
        problems.push(`${client.name} ${what} ${done} times, reported are ${own} and ${unnamed} without a client`);
    }
    const isFitting = reported.length >= sum.done && reported.length <= sum.done + sum.open;
    if (!isFitting) problems.push(`all together ${what} ${sum.done} times, reported are ${reported.length}`);
  }
  const unexpected = events.filter(({ type }) => type === 'drift.healed' || type === 'lock.found');
  return [...problems, ...unexpected.map((event) => `nothing of the kind happened: ${JSON.stringify(event)}`)].map(
    (problem) => `${lock}: ${problem}`,
  );
}

function callsOf({ reported }: DemoProcess, lock: string): ReportedCall[] {
  return reported.flatMap((message) =>
    message.type === 'truth' && message.lock === lock && message.phase === 'returned' ? [message] : [],
  );
}

function holderOf(event: ReportedEvent): string {
  return 'holder' in event ? (event.holder ?? '') : '';
}
