import { type Millis, millisBetween, plusMillis, type RedisTime, redisTime } from '../../../base/time.ts';
import { KINDS } from '../../../events/kinds/kinds.ts';
import { clientOf } from '../../../events/names/names.ts';
import { idOf, type LockState, type WaiterState } from '../../../state/lock-state.ts';
import type { LockSight, WorldDetector } from '../../detector.ts';
import type { FindingOf, UnseenReason } from '../../insight.ts';

type Incident = 'subscription-pool-exhausted';
type Leak = { readonly lock: LockState; readonly waiter: WaiterState; readonly at: RedisTime };
type Client = { readonly source: string; readonly leaks: Leak[]; silent: string | null };

/**
 * A waiter that attempts nothing for this long after its first refusal, or after the lease would have ended, counts as
 * not waiting. CLIENT LIST, which is read every 5 s, shows within this time whether its client is gone.
 */
const SILENT: Millis = 6000;
/** How many events and holders of one finding are listed. */
const MOST_EVENTS = 20;

/**
 * A client subscribed for a thread, the thread ran no attempt after that, and the client never unsubscribed: the wait
 * ended while the SUBSCRIBE was under way. The subscription stays until the client restarts. If all of its
 * subscriptions are used up this way, its threads can no longer wait. One finding for each client.
 *
 * A client that gets no processor time looks the same. So a waiter counts only once it is presumed gone (rule W7),
 * while its client is on time with other things. The finding is certain if the threads were seen to do something else
 * since: they can do so only after the end of their call.
 *
 * Without commands, reads show free locks that still have listeners when each waiter would have attempted again. One
 * finding for each source.
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
 * A free lock whose channel still had subscribers 6 s after `from`, when its lease would have ended. A waiter would
 * have attempted again by then, so these subscribers do not wait.
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

/** A thread that was refused once and has sent nothing about this lock since. */
function isLone({ attempts, isAsleep, position }: WaiterState): boolean {
  return attempts === 1 && !isAsleep && position === null;
}

/** Whether the lock has more subscribers than clients that wait for it. */
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
