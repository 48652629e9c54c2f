import type { DemoProcess, ReportedStep } from '../lockscope/demo-process.ts';
import type { ReportedEvent } from '../lockscope/lockscope.ts';
import type { RandomLock } from '../random/random-lock.ts';
import { holdProblems, wakeUpProblems } from './lock-story.ts';
import { readWriteProblems } from './read-write-story.ts';

/**
 * Compares one lock with what the clients did. Returns the differences in words.
 *
 * - There is one holder at a time (of a read-write lock: one writer or several readers), and a loss is reported before
 *   the next holder.
 * - Each release of a plain or fenced lock has a wake-up.
 * - Subscriptions, renewals and force-unlocks are reported as often as the clients did them.
 * - There is no drift, and no lock was found by a read or deleted.
 */
export function compareLock(
  { name: lock, kind }: RandomLock,
  clients: readonly DemoProcess[],
  all: readonly ReportedEvent[],
): string[] {
  const events = all.filter((event) => event.lock === lock);
  const problems = kind === 'read-write' ? readWriteProblems(events) : holdProblems({ events });
  if (kind === 'lock' || kind === 'fenced-lock') problems.push(...wakeUpProblems({ calls: [], events }));
  const counted = events.filter(({ type }) => COUNTED.has(type));
  for (const client of clients) problems.push(...countProblems(client, lock, counted));
  problems.push(...forceUnlockCountProblems(lock, clients, events));
  const unexpected = events.filter(
    (event) => event.type === 'drift.healed' || event.type === 'lock.found' || event.type === 'lock.deleted',
  );
  return [...problems, ...unexpected.map((event) => `nothing of the kind happened: ${JSON.stringify(event)}`)].map(
    (problem) => `${lock}: ${problem}`,
  );
}

function forceUnlockCountProblems(
  lock: string,
  clients: readonly DemoProcess[],
  events: readonly ReportedEvent[],
): string[] {
  const done = clients
    .flatMap(({ reported }) => reported)
    .filter(({ lock: name, ...reported }) => {
      return name === lock && reported.type === 'milestone' && reported.name === 'force-released';
    });
  const open = clients.flatMap((client) => client.open()).filter(({ action }) => action === 'forceUnlock');
  const reported = events.filter((event) => event.type === 'lock.force-released');
  if (reported.length >= done.length && reported.length <= done.length + open.length) return [];
  return [`clients force-unlocked it ${done.length} times, reported are ${reported.length}`];
}

/** Milestones that clients report, each with the types of its events. There must be as many of these events. */
const COUNTS: readonly (readonly [name: ReportedStep['name'], types: readonly ReportedEvent['type'][]])[] = [
  // a watchdog sets less than the TTL if the hold began with a longer lease
  ['renewed', ['lease.renewed', 'lease.shortened']],
  ['renewal-refused', ['renewal.refused']],
  ['subscribed', ['waiter.subscribed']],
  ['unsubscribed', ['waiter.unsubscribed']],
];
const COUNTED: ReadonlySet<string> = new Set(COUNTS.flatMap(([, types]) => types));

/**
 * An operation that was running when the client was killed may have happened without a message from the client. A
 * subscription may be reported without its client, if the server does not show the owner of the connection.
 */
function countProblems(client: DemoProcess, lock: string, events: readonly ReportedEvent[]): string[] {
  const steps = client.reported.filter((reported) => reported.type === 'milestone' && reported.lock === lock);
  const lastMessageAt = client.reported.reduce((latest, { at }) => Math.max(latest, at), 0);
  return COUNTS.flatMap(([name, types]) => {
    const done = steps.filter((step) => step.type === 'milestone' && step.name === name).length;
    const reported = events.filter((event) => types.includes(event.type) && belongsTo(event, client));
    const unknown = events.filter((event) => types.includes(event.type) && hasNoClient(event));
    const certain = reported.filter(({ at }) => at < lastMessageAt - UNDER_WAY_US);
    if (reported.length + unknown.length >= done && certain.length <= done) return [];
    return [`${client.name} has ${name} ${done} times, ${types.join(' or ')} is reported ${reported.length} times`];
  });
}

const UNDER_WAY_US = 100_000;

function belongsTo(event: ReportedEvent, client: DemoProcess): boolean {
  if (event.type === 'lease.shortened' && event.cause === 'command') return false; // as a renewal counts only what a script did
  if ('client' in event) return event.client === client.uuid;
  return 'holder' in event && event.holder?.startsWith(client.uuid) === true;
}

function hasNoClient(event: ReportedEvent): boolean {
  return event.type.startsWith('waiter.') && !('client' in event) && !('holder' in event);
}
