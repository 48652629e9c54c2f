import type { Counter } from 'prom-client';
import { isOfLock, type LockEvent } from '../../shared/events/event.ts';
import type { LockCount } from '../../shared/state/lock-counts.ts';
import { lockIdOf, nameInId, sourceInId } from '../../shared/state/lock-state.ts';
import type { Observatory } from '../watch/observatory.ts';
import { patternFromGlob } from '../watch/reads/glob.ts';
import type { Sliced } from '../watch/slices/in-slices.ts';
import type { Exposition, Replace, Series } from './exposition.ts';
import type { Sights } from './sights.ts';

/** How many locks have series of their own. The others that match are counted together, as `other` of their source. */
export const MOST_NAMED = 200;
/** A lock with a longer name is counted among the others. */
const LONGEST_NAME = 200;
/** The work yields after this many locks. */
const STEP = 200;

type Label = 'source' | 'db' | 'lock';
type Labels = Record<Label, string>;

/**
 * Metrics about single locks: those whose names match `--metrics-lock`. The first 200 of them that are seen have series
 * of their own. If one of them is dropped from memory, its series end and its place is free again.
 */
export class NamedLocks {
  readonly #globs;
  readonly #follows;
  readonly #named = new Map<string, Labels>();
  /** The matching locks that are held or waited for, by id, as of the last count. */
  readonly #busy = new Map<string, LockCount>();
  /** Matching locks that changed since the last count. */
  readonly #changed = new Set<string>();
  readonly #holders: Replace<Label>;
  readonly #waiters: Replace<Label>;
  readonly #acquisitions: Counter<Label>;
  readonly #expiries: Counter<Label>;
  readonly #waited: Counter<Label>;
  readonly #held: Counter<Label>;

  /** `follows`: whether the beginning and the end of each hold of a source are seen. */
  constructor(to: Exposition, globs: readonly string[], follows: (source: string) => boolean) {
    this.#follows = follows;
    this.#globs = globs.map(patternFromGlob);
    const labelNames = ['source', 'db', 'lock'] as const;
    const counter = (name: string, help: string) =>
      to.counter({
        name: `lockscope_lock_${name}`,
        help: `${help} of one lock, or of the other matching locks.`,
        labelNames,
      });
    const gauge = (name: string, help: string) =>
      to.gauge({
        name: `lockscope_lock_${name}`,
        help: `${help} of one lock, or of the other matching locks.`,
        labelNames,
      });
    this.#holders = gauge('holders', 'Holders');
    this.#waiters = gauge('waiters', 'Waiters (absent if the level does not show waits)');
    this.#acquisitions = counter('acquisitions_total', 'Acquisitions');
    this.#expiries = counter('lease_expiries_total', 'Holds that ended because their lease ran out,');
    this.#waited = counter(
      'wait_seconds_total',
      'Time of all waits that ended with an acquisition, and whose beginning was seen,',
    );
    this.#held = counter('hold_seconds_total', 'Time of all holds that ended, and whose beginning and end were seen,');
  }

  take(event: LockEvent): void {
    const labels = isOfLock(event) ? this.#labelsOf(lockIdOf(event)) : undefined;
    if (!labels) return;
    if (event.type === 'lock.acquired') {
      if (!event.isOlder) this.#acquisitions.inc(labels);
      if (event.waitedMs !== undefined && !event.waitedAtLeast) this.#waited.inc(labels, event.waitedMs / 1000);
    }
    if (event.type === 'lease.expired') this.#expiries.inc(labels);
  }

  /** Takes the length of a hold that ended. */
  takeHold(event: LockEvent, heldMs: number): void {
    const labels = this.#labelsOf(lockIdOf(event));
    if (labels) this.#held.inc(labels, heldMs / 1000);
  }

  /** Takes the ids of locks that changed, and of those that were dropped from memory. */
  change(changed: readonly string[], gone: readonly string[]): void {
    for (const id of changed) if (this.#labelsOf(id)) this.#changed.add(id);
    for (const id of gone) {
      this.#changed.delete(id);
      this.#busy.delete(id);
      const labels = this.#named.get(id);
      if (!labels || !this.#named.delete(id)) continue;
      for (const counter of [this.#acquisitions, this.#expiries, this.#waited, this.#held]) counter.remove(labels);
    }
  }

  /** Sets the gauges of these locks. */
  *set(observatory: Observatory, sights: Sights): Sliced<void> {
    const changed = [...this.#changed];
    this.#changed.clear();
    let n = 0;
    for (const id of changed) {
      const count = observatory.countOf(id);
      if (count && count.holders + count.waiters > 0) this.#busy.set(id, count);
      else this.#busy.delete(id);
      if (++n % STEP === 0) yield;
    }
    const others = new Map<string, { holders: number; waiters: number }>();
    for (const [id, { holders, waiters }] of this.#busy) {
      if (++n % STEP === 0) yield;
      if (this.#named.has(id)) continue;
      const other = others.get(sourceInId(id)) ?? { holders: 0, waiters: 0 };
      others.set(sourceInId(id), other);
      other.holders += holders;
      other.waiters += waiters;
    }
    const all = [
      ...[...this.#named].map(([id, labels]) => [labels, this.#busy.get(id)] as const),
      ...[...others].map(([source, other]) => [otherOf(source), other] as const),
    ];
    this.#holders(
      all.map(
        ([labels, count]): Series<Label> => [labels, sights.isWatched(labels.source) ? (count?.holders ?? 0) : null],
      ),
    );
    this.#waiters(
      all.map(
        ([labels, count]): Series<Label> => [labels, sights.hasWaits(labels.source) ? (count?.waiters ?? 0) : null],
      ),
    );
  }

  /** The labels of a lock; undefined: its name does not match. */
  #labelsOf(id: string): Labels | undefined {
    const known = this.#named.get(id);
    if (known) return known;
    const [source, lock] = [sourceInId(id), nameInId(id)];
    if (!this.#globs.some((glob) => glob.test(lock))) return undefined;
    if (this.#named.size >= MOST_NAMED || lock.length > LONGEST_NAME) return otherOf(source);
    const labels = { source, db: id.slice(source.length + 1, id.length - lock.length - 1), lock };
    this.#named.set(id, labels);
    // A counter that begins with its first increase would hide this increase from Prometheus.
    if (this.#follows(source))
      for (const counter of [this.#acquisitions, this.#expiries, this.#held]) counter.inc(labels, 0);
    return labels;
  }
}

/** These labels have no database, but those of each lock do. So a lock named `other` has different labels. */
function otherOf(source: string): Labels {
  return { source, db: '', lock: 'other' };
}
