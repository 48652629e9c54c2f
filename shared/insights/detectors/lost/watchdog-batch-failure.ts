import { keySlot } from '../../../base/key-slot.ts';
import { type Millis, millisBetween, plusMillis, type RedisTime, redisTime } from '../../../base/time.ts';
import type { DetailOf, LockEvent } from '../../../events/event.ts';
import { LEASE_READ_MS } from '../../../events/groups/one-operation.ts';
import { clientOf, isHolder } from '../../../events/names/names.ts';
import type { LockSight, WorldDetector } from '../../detector.ts';
import type { FindingOf } from '../../insight.ts';
import { DEFAULT_WATCHDOG_MS } from '../../lease-renewal.ts';
import { stoodStillIn } from '../../standstills.ts';
import { aftermathOf, LOST_WITHIN_MS, mayBeOfLaterTry } from './overlap.ts';
import { unrenewedReaders } from './unrenewed-readers.ts';
import { type ExpiredHold, expiredHolds, isUpTo } from './watchdog-hold.ts';

type Incident = 'watchdog-batch-failure';
type Refusal = LockEvent & DetailOf<'server.refused'>;

/** The last release that renews each lock with a script of its own. */
const RENEWS_ALONE = '3.43.0';
/** A renewal that is at most this late is in time. */
const LATE_MS: Millis = 1000;

/** A hold that expired, and the known facts about its lock and client. */
type Loss = ExpiredHold & {
  readonly sight: LockSight;
  readonly leaseMs: Millis;
  /** When the lease of the hold was last set. */
  readonly setAt: RedisTime;
};
/** The lost holds of a client, and when renewals of that client were seen. */
type Client = { readonly losses: Loss[]; readonly renewedAt: RedisTime[] };

/**
 * One script renews all locks of a client, and a server in cluster mode refuses the script if two of the locks are in
 * different slots. So no lock is renewed, and the locks expire together while the client is alive.
 *
 *   cart:1   ┃██▲██▲██ · · · · ✕
 *   cart:2             ┃██ · · · · ✕
 *   CROSSSLOT             !  !  !        INFO counts them; MONITOR does not show refused commands
 *
 * INFO does not show which client was refused. So the finding is likely only if a watchdog renewed one of the locks
 * before, and the client was seen after that; otherwise it is a hint. If no lock was renewed, the application may have
 * set their leases, which end while another client gets CROSSSLOT. So if the lease is not the default one, two scripts
 * must have been refused, and the threads of two locks must have unlocked after the end. Readers:
 * `unrenewed-readers.ts`.
 */
export const watchdogBatchFailure: WorldDetector<Incident> = {
  incident: 'watchdog-batch-failure',
  effect: 'lost',
  of: 'world',
  withoutCommands: 'hint',
  levels: ['monitor', 'replication', 'events'],
  concerns: ({ library }) => library === 'redisson',
  wants: {
    types: ['lease.expired', 'server.refused', 'server.stood-still', 'blind-spot.ended'],
    beside: ['lock.acquired', 'lock.found', 'lease.renewed', 'lease.shortened', 'renewal.refused', 'unlock.refused'],
    withinMs: LOST_WITHIN_MS,
  },
  begins: ({ holders }, events) => events.length > 0 || holders.some(({ mode }) => mode === 'read'),
  begin() {
    const clients = new Map<string, Client>();
    const readers: FindingOf<Incident>[] = [];
    return {
      take(sight) {
        const { lock, events, watched } = sight;
        readers.push(...unrenewedReaders(sight));
        const clientFor = (holder: string) => {
          const key = `${lock.source} ${clientOf(holder)}`;
          const known = clients.get(key) ?? { losses: [], renewedAt: [] };
          clients.set(key, known);
          return known;
        };
        for (const { id, mode, lastRenewedAt } of lock.holders)
          if (lastRenewedAt !== null && mode !== 'read') clientFor(id).renewedAt.push(lastRenewedAt);
        for (const event of events)
          if (event.type === 'lease.renewed' && event.holder !== undefined && event.mode !== 'read')
            clientFor(event.holder).renewedAt.push(event.at);
        const losses = expiredHolds(events).flatMap((hold) => lossFrom(hold, sight) ?? []);
        if (losses.length > 0 && !sight.server && !sight.sourceEvents.some(({ type }) => type === 'server.refused'))
          return 'server';
        for (const loss of losses) if (loss.began.at >= watched.watchedSince) clientFor(loss.holder).losses.push(loss);
        return losses.some(({ began }) => began.at < watched.watchedSince) ? 'blind-spot' : undefined;
      },
      needsOthers: () => [...clients.values()].some(({ losses }) => losses.length > 0),
      conclude: () => [...[...clients.values()].flatMap(findingsOf), ...readers],
    };
  },
};

/**
 * The loss of a hold whose lease may have been that of a watchdog. Undefined: the hold was a reader's, something else
 * set the lease, the lease is not known, or the client renews each lock alone.
 */
function lossFrom(hold: ExpiredHold, sight: LockSight): Loss | undefined {
  const { holder, began, renewals } = hold;
  const last = renewals.at(-1);
  if (!isHolder(holder) || began.mode === 'read' || (last && last.cause !== 'watchdog')) return undefined;
  const { clientVersion } = last ?? began;
  const { leaseMs } = last ?? began;
  if (leaseMs === undefined || isUpTo(clientVersion, RENEWS_ALONE)) return undefined;
  return { ...hold, sight, leaseMs, setAt: last?.at ?? began.at };
}

function findingsOf(client: Client): FindingOf<Incident>[] {
  const left = [...client.losses].sort((a, b) => a.ended.at - b.ended.at);
  const findings: FindingOf<Incident>[] = [];
  for (let first = left.shift(); first; first = left.shift()) {
    const others = left.filter((other) => first && isLostWith(first, other, client));
    const slot = keySlot(first.sight.lock.name);
    const apart = others.find(({ sight }) => keySlot(sight.lock.name) !== slot);
    const finding = apart && findingOf(first, apart, [first, ...others]);
    if (!finding) continue;
    findings.push(finding);
    for (const other of others) left.splice(left.indexOf(other), 1);
  }
  return findings;
}

/**
 * Whether one script should have renewed both: they had the same lease and were held at the same time for longer than a
 * renewal may take, and in that time no other lock of the client was renewed.
 */
function isLostWith(a: Loss, b: Loss, { renewedAt }: Client): boolean {
  const { from, to } = overlapOf(a, b);
  if (Math.abs(a.leaseMs - b.leaseMs) > LEASE_READ_MS) return false;
  if (millisBetween(from, to) < a.leaseMs / 3 + LATE_MS) return false;
  return !renewedAt.some((at) => at > from && at <= to);
}

/** From when both leases were set until the first of them ended. */
function overlapOf(a: Loss, b: Loss): { readonly from: RedisTime; readonly to: RedisTime } {
  return {
    from: redisTime(Math.max(a.setAt, b.setAt)),
    to: redisTime(Math.min(a.ended.at, b.ended.at)),
  };
}

/** `apart`: the loss of a lock in another slot than the first, so that a script with both was refused. */
function findingOf(first: Loss, apart: Loss, losses: readonly Loss[]): FindingOf<Incident> | undefined {
  const { sight, holder, ended, leaseMs } = first;
  const { from, to } = overlapOf(first, apart);
  const refusals = refusalsIn(sight.sourceEvents, from, to);
  const crossSlot = refusals.reduce((sum, { errors }) => sum + (errors.CROSSSLOT ?? 0), 0);
  const due = Math.floor(millisBetween(from, to) / (leaseMs / 3)) - 1;
  if (crossSlot < Math.max(1, due) || stoodStillIn(sight, from, plusMillis(to, LATE_MS))) return undefined;
  const { presence } = sight.clientOf(clientOf(holder));
  if (presence === 'gone') return undefined;
  const wasRenewed = losses.some(({ renewals }) => renewals.length > 0);
  const isAlive = presence === 'connected' || presence === 'idle' || losses.some((loss) => hasActed(loss, to));
  const isDefault = Math.abs(leaseMs - DEFAULT_WATCHDOG_MS) <= LEASE_READ_MS;
  if (!wasRenewed && !isDefault && (crossSlot < 2 || losses.filter(wasWorkedOn).length < 2)) return undefined;
  const after = losses.map((loss) => aftermathOf(loss.ended, loss.holder, loss.sight.events));
  const taken = after.find(({ takenBy }) => takenBy !== null);
  const isTaken = taken !== undefined;
  const noticed = after.map(({ noticedAt }) => noticedAt);
  return {
    incident: 'watchdog-batch-failure',
    severity: isTaken ? 'critical' : 'warning',
    confidence: wasRenewed && isAlive ? 'likely' : 'hint',
    lockId: sight.lockId,
    holders: [...new Set(losses.map((loss) => loss.holder))].slice(0, 20),
    from: ended.expiresAt ?? ended.at,
    to: noticed.includes(null) ? null : redisTime(Math.max(...noticed.map((at) => at ?? 0))),
    selfHealsAt: null,
    events: [...refusals, ...losses.map((loss) => loss.ended)].map(({ seq }) => seq).slice(0, 20),
    values: {
      ...{ holder, locks: losses.length, refusals: crossSlot, since: from, endedAt: ended.expiresAt ?? ended.at },
      ...{ takenBy: taken?.takenBy ?? null, takenAt: taken?.takenAt ?? null, isReader: false },
    },
  };
}

/** Whether the thread tried to unlock the lock after it had lost it, and that unlock belongs to the lost hold. */
function wasWorkedOn({ holder, ended, sight }: Loss): boolean {
  return sight.events.some(
    (event) =>
      event.type === 'unlock.refused' &&
      event.holder === holder &&
      event.seq > ended.seq &&
      !mayBeOfLaterTry(event, ended.at, sight),
  );
}

/** Whether the client sent anything about this lock later than `after`. */
function hasActed({ holder, sight }: Loss, after: RedisTime): boolean {
  return sight.events.some((event) => event.at > after && event.type !== 'lease.expired' && isOf(event, holder));
}

function isOf(event: LockEvent, holder: string): boolean {
  return 'holder' in event && event.holder !== undefined && clientOf(event.holder) === clientOf(holder);
}

/** The reports about scripts that were refused with CROSSSLOT in this time. */
function refusalsIn(events: readonly LockEvent[], from: RedisTime, to: RedisTime): Refusal[] {
  return events.filter(
    (event): event is Refusal =>
      event.type === 'server.refused' &&
      event.errors.CROSSSLOT !== undefined &&
      (event.rejected?.eval ?? 0) + (event.rejected?.evalsha ?? 0) > 0 &&
      event.at > from &&
      event.since < to,
  );
}
