import type { DemoProcess, ToldStep } from '../clients/demo-process.ts';
import type { ToldEvent } from '../clients/lockscope.ts';
import type { RandomLock } from '../random/random-lock.ts';
import { holdProblems, wakeUpProblems } from './lock-story.ts';
import { readWriteProblems } from './read-write-story.ts';

/**
 * Checks what is true of one lock whoever used it: one holder at a time, a loss told before the next holder, a wake-up
 * for every release; and that what clients did for all their threads (subscriptions, renewals, force-unlocks) is told
 * as often as they did it. Gives back the differences in words.
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
      // a watchdog that gives less than what is left, of a hold that began with a longer lease
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
 * What was under way when the client was killed may have happened and not been said. A subscription may be told
 * without its client, where the server hides whose connection it is.
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
