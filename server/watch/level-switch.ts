import type { ObserveLevel } from '../../shared/wire/source.ts';

/** Not a failure: the connection ends because another level is wanted. */
export class LevelChange extends Error {}

/** After stepping down from MONITOR for harm, it is tried again this much later. */
const GUARD_PAUSE_MS = 60_000;

/**
 * The level a source is watched at, and what it comes back to.
 *
 *   events ── observe monitor for 5 min ──► monitor ── 5 min ──► events
 *   monitor ── harm ──► events ── 1 min ──► monitor
 *   monitor ── refused ──► events ── refused ──► snapshot
 */
export class LevelSwitch {
  level: ObserveLevel;
  /** Why it is watched at a lower level than asked for, in a sentence or two. */
  reason: string | undefined;
  /** Ends the present connection, so that the next one begins at the new level. */
  onChange: (change: LevelChange) => void = () => {};
  readonly #asked: ObserveLevel;
  #timer: NodeJS.Timeout | undefined;

  constructor(asked: ObserveLevel) {
    this.level = asked;
    this.#asked = asked;
  }

  /** Goes to a level; the one before comes back after `forMs`, when that is given. */
  goTo(level: ObserveLevel, forMs: number | null): void {
    this.stop();
    this.reason = undefined;
    const before = this.#asked === level ? 'events' : this.#asked;
    if (forMs !== null) this.#timer = setTimeout(() => this.#set(before), forMs);
    this.#set(level);
  }

  /** Takes the next level below one that cannot be had, and says so. The caller ends the connection with it. */
  stepDown(reason: string): LevelChange {
    const next = this.level === 'monitor' ? 'events' : 'snapshot';
    this.reason = `${reason} Watching at level ${next} instead.`;
    this.level = next;
    return new LevelChange(reason);
  }

  /** Leaves MONITOR for a while, since it does harm. */
  retreat(reason: string): void {
    const change = this.stepDown(reason);
    this.stop();
    this.#timer = setTimeout(() => {
      this.reason = undefined;
      this.#set('monitor');
    }, GUARD_PAUSE_MS);
    this.onChange(change);
  }

  /** No level comes back by itself any more. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  #set(level: ObserveLevel): void {
    if (level === this.level) return;
    this.level = level;
    this.onChange(new LevelChange(`level changed to ${level}`));
  }
}
