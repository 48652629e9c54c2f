import { millisBetween } from '../../../base/time.ts';
import type { DetailOf, LockEvent } from '../../../events/event.ts';
import { rankOf } from '../../../events/libraries/script-versions.ts';
import { clientOf } from '../../../events/names/names.ts';
import type { FoundHolder } from '../../../events/types/watch-event.ts';
import { cutOf } from './cut-lease.ts';
import { lastBefore } from './overlap.ts';

/** A watchdog renews every third of its lease. Two renewals within this time are one command and its repetition. */
const REPEATED_MS = 50;

type AcquiredDetail = DetailOf<'lock.acquired'>;
/** How a hold began. If it began before it was seen, all optional fields are absent. */
export type Began = Pick<LockEvent, 'seq' | 'at'> &
  Pick<AcquiredDetail, 'holder' | 'mode'> & { readonly clientVersion?: string | undefined } & {
    readonly [Field in 'leaseMs' | 'expiresAt' | 'values']?: AcquiredDetail[Field] | undefined;
  };
export type Renewed = LockEvent & DetailOf<'lease.renewed'>;
export type Expired = LockEvent & DetailOf<'lease.expired'>;

/** A hold that ended because its lease expired, and its renewals. */
export type ExpiredHold = {
  readonly holder: string;
  readonly began: Began;
  readonly ended: Expired;
  /** Oldest first. */
  readonly renewals: readonly Renewed[];
};

/**
 * The holds of one lock that ended because their lease expired, oldest first. Group locks and permits are left out, and
 * so are holds whose lease a plain command cut: no watchdog failed.
 */
export function expiredHolds(events: readonly LockEvent[]): ExpiredHold[] {
  const found: ExpiredHold[] = [];
  const open = new Map<string, { readonly began: Began; readonly renewals: Renewed[] }>();
  for (const event of events) {
    if (event.type === 'lock.found') {
      const { seq, at, holders, isKept } = event;
      for (const { holder, mode } of holders)
        if (!isKept || !open.has(holder)) open.set(holder, { began: { seq, at, holder, mode }, renewals: [] });
    }
    if (!('holder' in event) || event.holder === undefined) continue;
    const { holder } = event;
    if (event.type === 'lock.acquired') open.set(holder, { began: event, renewals: [] });
    else if (event.type === 'lease.renewed') open.get(holder)?.renewals.push(event);
    else if (event.type === 'lease.expired' && !event.values && event.mode !== 'permit') {
      const { began, renewals = [] } = open.get(holder) ?? {};
      const isCut = cutOf(event, holder, events) !== undefined;
      if (began && began.mode === event.mode && !began.values && !isCut)
        found.push({ holder, began, ended: event, renewals: [...renewals] });
    }
  }
  return found;
}

/**
 * How the hold that ended with its lease had begun. Undefined if its beginning is not among the events, or if the lease
 * of its acquisition was not seen.
 */
export function beganBefore(ended: LockEvent, holder: string, events: readonly LockEvent[]): Began | undefined {
  const isFound = (each: FoundHolder) => each.holder === holder;
  const event = lastBefore(ended, events, (each) =>
    each.type === 'lock.found'
      ? each.isKept !== true && each.holders.some(isFound)
      : each.type === 'lock.acquired' && each.holder === holder,
  );
  if (event?.type === 'lock.acquired') return event.leaseMs === undefined ? undefined : event;
  const found = event?.type === 'lock.found' ? event.holders.find(isFound) : undefined;
  return event && found && { seq: event.seq, at: event.at, holder, mode: found.mode };
}

/** Whether the last renewal of a hold repeats the previous one, which had got no answer. */
export function isRepeated({ renewals }: ExpiredHold): boolean {
  const [before, last] = renewals.slice(-2);
  return before !== undefined && last !== undefined && millisBetween(before.at, last.at) <= REPEATED_MS;
}

/** Whether the client of a hold that expired acquired or renewed the lock again after the expiry. */
export function hasComeBack({ holder, ended }: ExpiredHold, events: readonly LockEvent[]): boolean {
  const client = clientOf(holder);
  return events.some(
    (event) =>
      (event.type === 'lock.acquired' || event.type === 'lease.renewed') &&
      event.seq > ended.seq &&
      event.holder !== undefined &&
      clientOf(event.holder) === client,
  );
}

/** Whether a client has this version or an older one, by the scripts it sent; false if that is not known. */
export function isUpTo(clientVersion: string | undefined, release: string): boolean {
  const last = clientVersion?.split('–').at(-1);
  return last !== undefined && rankOf(last) <= rankOf(release);
}
