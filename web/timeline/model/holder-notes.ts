import type { RedisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import { countedBy } from '../../../shared/events/kinds/kinds.ts';
import type { Wait } from '../../../shared/spans/wait.ts';
import type { LockState } from '../../../shared/state/lock-state.ts';
import type { HoldLevel } from './marks.ts';

/**
 * What happened to one holder in one mode: its hold counts, when its lease was set, when it fell asleep, and its
 * fencing tokens.
 */
export type HolderNotes = {
  levels: HoldLevel[];
  leases: { at: RedisTime; ms: number | null }[];
  sleeps: RedisTime[];
  tokens: { at: RedisTime; token: string }[];
};

/** Notes on every holder, by holder and mode. */
export class NoteTracker {
  readonly #notes = new Map<string, HolderNotes>();

  /** `base`: the state of the lock before the first event. */
  constructor(base?: LockState) {
    for (const { id, mode, since, firstAt, leaseSetAt, holdCount } of base?.holders ?? []) {
      const at = since ?? firstAt;
      const note = this.of(id, mode);
      if (at !== undefined) note.levels.push({ at, count: holdCount ?? 1 });
      if (leaseSetAt !== null) note.leases.push({ at: leaseSetAt, ms: base?.leaseMs ?? null });
      if (at !== undefined && base?.fencingToken != null) note.tokens.push({ at, token: base.fencingToken });
    }
    for (const { id, mode, since, isAsleep } of base?.waiters ?? []) if (isAsleep) this.of(id, mode).sleeps.push(since);
  }

  of(holder: string, mode: Wait['mode']): HolderNotes {
    const key = `${holder} ${mode}`;
    const note = this.#notes.get(key) ?? { levels: [], leases: [], sleeps: [], tokens: [] };
    this.#notes.set(key, note);
    return note;
  }

  /** Adds what the next event shows. */
  take(event: LockEvent): void {
    switch (event.type) {
      case 'lock.acquired':
      case 'lock.reentered':
      case 'lock.partially-released': {
        const note = this.of(event.holder, event.mode);
        note.levels.push({ at: event.at, count: event.holdCount ?? 1 });
        if (event.leaseMs !== undefined) note.leases.push({ at: event.at, ms: event.leaseMs });
        if ('fencingToken' in event && event.fencingToken !== undefined) {
          note.tokens.push({ at: event.at, token: event.fencingToken });
        }
        break;
      }
      case 'lock.learned':
        if (event.holder !== undefined && event.fencingToken !== undefined) {
          this.of(event.holder, 'exclusive').tokens.push({ at: event.at, token: event.fencingToken });
        }
        if (event.holder !== undefined && event.holdCount !== undefined) {
          const note = this.of(event.holder, event.mode ?? 'exclusive');
          note.levels.push({ at: event.at, count: event.holdCount });
          if (event.leaseMs !== undefined) note.leases.push({ at: event.at, ms: event.leaseMs });
        }
        break;
      case 'permits.refused':
        if (event.asleep && event.holder !== undefined) this.of(event.holder, 'permit').sleeps.push(event.at);
        break;
      case 'waiter.subscribed':
        if (countedBy(event.kind) === 'latch' && event.holder !== undefined)
          this.of(event.holder, 'latch').sleeps.push(event.at);
        break;
      case 'lease.renewed':
        if (event.holder !== undefined) {
          this.of(event.holder, event.mode ?? 'exclusive').leases.push({ at: event.at, ms: event.leaseMs ?? null });
        }
        break;
      case 'lease.shortened':
        if (event.holder !== undefined && event.cause === 'holder') {
          this.of(event.holder, event.mode ?? 'exclusive').leases.push({ at: event.at, ms: event.leaseMs ?? null });
        }
        break;
      case 'lock.found':
        for (const { holder, mode, holdCount } of event.holders) {
          this.of(holder, mode).levels.push({ at: event.at, count: holdCount });
        }
        break;
      case 'lock.refused':
        if (event.asleep) this.of(event.holder, event.mode).sleeps.push(event.at);
        break;
      default: // no other event is noted
    }
  }
}
