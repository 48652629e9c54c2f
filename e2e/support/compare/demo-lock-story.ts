import type { DemoProcess, ToldStep } from '../clients/demo-process.ts';
import type { ToldEvent } from '../clients/lockscope.ts';
import type { RandomLock } from '../random/random-lock.ts';
import { holdProblems, wakeUpProblems } from './lock-story.ts';
import { readWriteProblems } from './read-write-story.ts';

/**
 * Checks rules that are true for every lock: one holder at a time, a loss reported before the next holder, a wake-up for
 * every release. Also checks that subscriptions, renewals and force-unlocks are reported as often as the clients did them.
 * Returns the differences in words.
 */
export function compareLock(
  { name: lock, kind }: RandomLock,
  clients: readonly DemoProcess[],
  all: readonly ToldEvent[],
): string[] {
  const events = all.filter((event) => event.lock === lock);
  const problems = kind === 'read-write' ? readWriteProblems(events) : holdProblems({ events });
  if (kind === 'lock' || kind === 'fenced-lock') problems.push(...wakeUpProblems({ calls: [], events }));
  for (const client of clients) {
    problems.push(
      // a watchdog sets less than the TTL if the hold began with a longer lease
      ...countProblems('renewed', client, lock, events, ['lease.renewed', 'lease.shortened']),
      ...countProblems('renewal-refused', client, lock, events, ['renewal.refused']),
      ...countProblems('subscribed', client, lock, events, ['waiter.subscribed']),
      ...countProblems('unsubscribed', client, lock, events, ['waiter.unsubscribed']),
    );
  }
  problems.push(...forceProblems(lock, clients, events));
  const strange = events.filter(
    (event) => event.type === 'drift.healed' || event.type === 'lock.found' || event.type === 'lock.deleted',
  );
  return [...problems, ...strange.map((event) => `nothing of the kind happened: ${JSON.stringify(event)}`)].map(
    (problem) => `${lock}: ${problem}`,
  );
}

function forceProblems(lock: string, clients: readonly DemoProcess[], events: readonly ToldEvent[]): string[] {
  const done = clients
    .flatMap(({ told }) => told)
    .filter(({ lock: of, ...told }) => {
      return of === lock && told.type === 'milestone' && told.name === 'force-released';
    });
  const open = clients.flatMap((client) => client.open()).filter(({ action }) => action === 'forceUnlock');
  const told = events.filter((event) => event.type === 'lock.force-released');
  if (told.length >= done.length && told.length <= done.length + open.length) return [];
  return [`clients force-unlocked it ${done.length} times, told are ${told.length}`];
}

/**
 * An operation that was running when the client was killed may have happened without a message from the client. A
 * subscription may be reported without its client, if the server does not show the owner of the connection.
 */
function countProblems(
  name: ToldStep['name'],
  client: DemoProcess,
  lock: string,
  events: readonly ToldEvent[],
  types: readonly ToldEvent['type'][],
): string[] {
  const done = client.told.filter((told) => told.type === 'milestone' && told.name === name && told.lock === lock);
  const told = events.filter((event) => types.includes(event.type) && isOf(event, client));
  const unknown = events.filter((event) => types.includes(event.type) && isOfNobody(event));
  const lastWord = Math.max(0, ...client.told.map(({ at }) => at));
  const surely = told.filter(({ at }) => at < lastWord - UNDER_WAY_US);
  if (told.length + unknown.length >= done.length && surely.length <= done.length) return [];
  return [`${client.name} has ${name} ${done.length} times, ${types.join(' or ')} is told ${told.length} times`];
}

const UNDER_WAY_US = 100_000;

function isOf(event: ToldEvent, client: DemoProcess): boolean {
  if ('client' in event) return event.client === client.uuid;
  return 'holder' in event && event.holder?.startsWith(client.uuid) === true;
}

function isOfNobody(event: ToldEvent): boolean {
  return event.type.startsWith('waiter.') && !('client' in event) && !('holder' in event);
}
