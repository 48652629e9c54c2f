import { type Millis, millisBetween, plusMillis, type RedisTime, redisTime } from '../../../base/time.ts';
import { KINDS } from '../../../events/kinds/kinds.ts';
import { clientOf } from '../../../events/names/names.ts';
import { idOf, type LockState, type WaiterState } from '../../../state/lock-state.ts';
import type { LockSight, WorldDetector } from '../../detector.ts';
import type { FindingOf, UnseenReason } from '../../insight.ts';

type Incident = 'subscription-pool-exhausted';
type Leak = { readonly lock: LockState; readonly waiter: WaiterState; readonly at: RedisTime };
type Client = { readonly source: string; readonly leaks: Leak[]; silent: string | null };

/** CLIENT LIST is read every 5 s. */
const SILENT: Millis = 6000;
/** How many events of one finding are listed. */
const MOST_EVENTS = 20;

/**
 * A client subscribed for a thread that ran no attempt after it and never unsubscribed: its wait ended while the
 * SUBSCRIBE was under way. The subscription stays until the client restarts. If all of its subscriptions are used up
 * this way, its threads can no longer wait. One finding for each client.
 *
 * A client that gets no processor time looks the same. So a waiter counts only once it is presumed gone (rule W7),
 * while its client is on time with other things. The finding is certain if the threads were seen to do something else
 * since: only the end of their call allows that.
 *
 * Without commands, reads show free locks with listeners, after each waiter would have looked again. One finding for
 * each source.
 */
export const subscriptionPoolExhausted: WorldDetector<Incident> = {
  incident: 'subscription-pool-exhausted',
  effect: 'slow',
  of: 'world',
  withoutCommands: 'hint',
  levels: ['monitor', 'replication', 'events'],
  needs: ['presence'],
  concerns: ({ kind }) => KINDS[kind].wakeUp !== 'polling',
  begins: ({ waiters, freed }) => waiters.some(isLone) || freed?.listened !== undefined,
  begin() {
    const clients = new Map<string, Client>();
    const listened = new Map<string, Listened[]>();
    return {
      take(sight) {
        if (sight.watched.level === 'monitor') return take(clients, sight);
        const found = listenedOf(sight);
        if (!found) return 'level';
        listened.set(sight.lock.source, [...(listened.get(sight.lock.source) ?? []), found]);
        return undefined;
      },
      needsOthers: () => false,
      conclude: () => [
        ...[...clients].flatMap(([, client]) => findingOf(client)),
        ...[...listened].flatMap(([source, found]) => hintOf(source, found)),
      ],
    };
  },
};

/**
 * A free lock whose channel still had subscribers 6 s after `from`, the end of its lease. A waiter would have attempted
 * again by then, so these subscribers do not wait.
 */
type Listened = { readonly lock: LockState; readonly from: RedisTime; readonly seq: number };

function listenedOf({ lock, watched }: LockSight): Listened | undefined {
  const { freed, kind, subscribers, waiters } = lock;
  const { listened, leaseEnd, at } = freed ?? {};
  if (!listened || leaseEnd === undefined || at === undefined || watched.watchedSince > at) return undefined;
  if (!subscribers || waiters.length > 0 || KINDS[kind].wakeUp !== 'channel') return undefined;
  return millisBetween(leaseEnd, listened.at) < SILENT ? undefined : { lock, from: leaseEnd, seq: listened.seq };
}

function hintOf(source: string, found: Listened[]): FindingOf<Incident>[] {
  const [first] = found.sort((a, b) => a.from - b.from);
  if (!first) return [];
  return [
    {
      incident: 'subscription-pool-exhausted',
      severity: 'hint',
      confidence: 'hint',
      lockId: idOf(first.lock),
      source,
      holders: [],
      from: first.from,
      to: null,
      selfHealsAt: null,
      events: found.slice(0, MOST_EVENTS).map(({ seq }) => seq),
      values: { holder: null, leaked: found.length, isShown: false, silent: null },
    },
  ];
}

function take(clients: Map<string, Client>, sight: LockSight): UnseenReason | undefined {
  const { lock } = sight;
  let unseen: UnseenReason | undefined;
  for (const waiter of lock.waiters) {
    if (!isLone(waiter)) continue;
    const uuid = clientOf(waiter.id);
    const client = clients.get(`${lock.source} ${uuid}`) ?? { source: lock.source, leaks: [], silent: null };
    if (waiter.presumedGoneAt === null) {
      if (!waiter.isConfirmed && sight.hasCome(plusMillis(waiter.since, SILENT))) client.silent = waiter.id;
    } else if (isStillSubscribed(lock) && sight.hasCome(plusMillis(waiter.since, SILENT))) {
      const { presence } = sight.clientOf(uuid);
      if (presence === 'unknown') unseen = 'presence';
      if (presence === 'connected' || presence === 'idle')
        client.leaks.push({ lock, waiter, at: waiter.presumedGoneAt });
    }
    clients.set(`${lock.source} ${uuid}`, client);
  }
  return unseen;
}

/** A thread that was refused once and has sent nothing since. */
function isLone({ attempts, isAsleep, position }: WaiterState): boolean {
  return attempts === 1 && !isAsleep && position === null;
}

/** Whether no other waiter of the lock explains its subscriptions. */
function isStillSubscribed({ subscribers, waiters }: LockState): boolean {
  const users = new Set(waiters.filter(({ presumedGoneAt }) => presumedGoneAt === null).map(({ id }) => clientOf(id)));
  return (subscribers ?? 0) > users.size;
}

function findingOf({ source, leaks: all, silent }: Client): FindingOf<Incident>[] {
  const shown = all.filter(({ waiter }) => waiter.hasGoneOn);
  const leaks = (shown.length > 0 ? shown : all).sort((a, b) => a.at - b.at);
  const [first] = leaks;
  if (!first) return [];
  return [
    {
      incident: 'subscription-pool-exhausted',
      severity: silent === null ? 'hint' : 'warning',
      confidence: shown.length > 0 ? 'certain' : 'likely',
      lockId: idOf(first.lock),
      source,
      holders: [...new Set(leaks.map(({ waiter }) => waiter.id))].slice(0, MOST_EVENTS),
      from: redisTime(first.at),
      to: null,
      selfHealsAt: null,
      events: leaks.flatMap(({ waiter }) => waiter.firstSeq ?? []).slice(0, MOST_EVENTS),
      values: { holder: first.waiter.id, leaked: leaks.length, isShown: shown.length > 0, silent },
    },
  ];
}
