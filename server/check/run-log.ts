import { count } from '../../shared/base/count.ts';
import { forgetOldest } from '../../shared/base/forget-oldest.ts';
import { isoText } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import { clientOf } from '../../shared/events/names/names.ts';
import { lockIdOf } from '../../shared/state/lock-state.ts';
import type { Holder, Lock } from '../../shared/wire/locks/lock.ts';
import type { Fault } from './fault.ts';

/** How many refused unlocks, and how many leases that ended, are kept. Further ones are only counted. */
const MOST_EVENTS = 1000;
const MOST_CLIENTS = 10_000;

type Refused = Extract<LockEvent, { type: 'unlock.refused' }>;
type Expired = Extract<LockEvent, { type: 'lease.expired' | 'permits.expired' }>;

/**
 * What happened to locks while a program ran: refused unlocks, leases that ended, and locks that are held at its end.
 */
export class RunLog {
  readonly #heldBefore: ReadonlySet<string>;
  readonly #refused: Refused[] = [];
  readonly #expired: Expired[] = [];
  /** When each client that is gone was last seen. */
  readonly #goneSince = new Map<string, number>();
  /** Events that were not kept. */
  more = 0;

  /** `before`: the locks when the program was started. Their holders do not belong to it. */
  constructor(before: readonly Lock[]) {
    this.#heldBefore = new Set(before.flatMap((lock) => lock.holders.map((holder) => keyOf(lock.id, holder.id))));
  }

  take(event: LockEvent): void {
    switch (event.type) {
      case 'unlock.refused':
        // A RedLock unlocks all its members, also those that it never held.
        if (event.groupStep === undefined) this.#keep(this.#refused, event);
        break;
      case 'lease.expired':
      case 'permits.expired':
        this.#keep(this.#expired, event);
        break;
      case 'client.gone':
        this.#goneSince.set(event.client, event.since);
        forgetOldest(this.#goneSince, MOST_CLIENTS);
        break;
      case 'client.connected':
        this.#goneSince.delete(event.client);
        break;
      default: // the other events are not faults
    }
  }

  /** The holds that did not exist when the program was started. */
  leftBehind(locks: readonly Lock[]): { lock: Lock; holder: Holder }[] {
    return locks.flatMap((lock) =>
      lock.holders.filter(({ id }) => !this.#heldBefore.has(keyOf(lock.id, id))).map((holder) => ({ lock, holder })),
    );
  }

  /** All faults. `endedAt`: when the program ended, by the clock of a source. */
  faults(locks: readonly Lock[], endedAt: (source: string) => number): Fault[] {
    const held = this.leftBehind(locks).map(({ lock, holder }) => faultOfHold(lock, holder));
    const ended = this.#expired.flatMap((event) => this.#faultOfEnd(event, endedAt(event.source)));
    return [...held, ...ended, ...this.#refused.map(faultOfRefusal)];
  }

  #keep<E extends LockEvent>(list: E[], event: E): void {
    if (list.length < MOST_EVENTS) list.push(event);
    else this.more++;
  }

  #faultOfEnd(event: Expired, endedAt: number): Fault[] {
    const { at, source, db, lock, seq } = event;
    const about = { source, db, lock, at, events: [seq] };
    if (event.type === 'permits.expired') {
      const old = event.permitIds?.filter((id) => this.#heldBefore.has(keyOf(lockIdOf(event), id))) ?? [];
      const permits = event.permits - old.length;
      if (permits <= 0) return [];
      const text = `${count(permits, 'permit')} expired before ${permits === 1 ? 'it was' : 'they were'} released.`;
      return [{ ...about, kind: 'lease-ended', holders: [], text }];
    }
    const { holder } = event;
    // an expiry without a holder is that of the key of a semaphore or latch, which has no lease of a thread
    if (holder === undefined) return [];
    if (this.#heldBefore.has(keyOf(lockIdOf(event), holder))) return [];
    const gone = this.#goneSince.get(clientOf(holder));
    const isAlone = at >= endedAt || (gone !== undefined && gone <= at);
    const why = at >= endedAt ? 'after the program had ended' : `its client was last seen at ${isoText(gone ?? at)}`;
    const text = isAlone
      ? `${holder} did not release this lock. Its lease ended at ${isoText(at)}, ${why}.`
      : `The lease of ${holder} ended at ${isoText(at)}, before it released the lock.${this.#laterUnlock(event, holder)}`;
    return [{ ...about, kind: isAlone ? 'left-behind' : 'lease-ended', holders: [holder], text }];
  }

  /** The sentence that proves that the holder still worked; empty: nothing proves it. */
  #laterUnlock({ source, db, lock, seq }: Expired, holder: string): string {
    const later = this.#refused.find(
      (each) =>
        each.seq > seq && each.holder === holder && each.lock === lock && each.db === db && each.source === source,
    );
    return later ? ` It still worked: its unlock at ${isoText(later.at)} was refused.` : '';
  }
}

function faultOfHold({ source, db, name: lock, lease, changedAt }: Lock, holder: Holder): Fault {
  const { id, name, since, firstSeenAt, mode } = holder;
  const at = since ?? firstSeenAt ?? changedAt;
  const begin = since === null ? `found held at ${isoText(at)}` : `since ${isoText(at)}`;
  const end = holder.expiresAt ?? lease.expiresAt;
  const what =
    mode === 'permit'
      ? 'still has a permit'
      : mode === 'exclusive'
        ? 'still holds this lock'
        : `still holds this lock (${mode})`;
  const until =
    end === null
      ? lease.neverEnds
        ? 'It has no lease that could end.'
        : 'The end of its lease is not known.'
      : `Its lease ends at ${isoText(end)}.`;
  const client = name ? ` (client ${name})` : '';
  const text = `${id}${client} ${what}, ${begin}. ${presenceText(holder)} ${until}`;
  return { kind: 'left-behind', source, db, lock, holders: [id], at, text, events: [] };
}

function presenceText({ presence, goneSince }: Holder): string {
  switch (presence) {
    case 'gone':
      return `Its client is gone${goneSince === null ? '' : `, last seen at ${isoText(goneSince)}`}.`;
    case 'connected':
    case 'idle':
      return 'Its client is still connected.';
    default:
      return 'It is not known whether its client is connected.';
  }
}

const WHY_REFUSED: Readonly<Record<Refused['reason'], string>> = {
  'not-owner': 'it did not hold the lock',
  expired: 'its lease had ended',
  'no-lock': 'the lock was not held',
  error: 'its script was cut off, probably by an error',
};

function faultOfRefusal({ source, db, lock, holder, at, reason, seq, callerSawSuccess }: Refused): Fault {
  const seen = callerSawSuccess ? ' Its version of the client reported success.' : '';
  const text = `The unlock of ${holder} at ${isoText(at)} was refused: ${WHY_REFUSED[reason]}.${seen}`;
  return { kind: 'unlock-refused', source, db, lock, holders: [holder], at, text, events: [seq] };
}

function keyOf(lockId: string, holder: string): string {
  return `${lockId} ${holder}`;
}
