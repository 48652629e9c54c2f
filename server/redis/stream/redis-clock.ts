import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { RawConnection } from '../connection/raw-connection.ts';
import { steadyEpochMs, wallMs } from '../connection/surroundings.ts';
import { microsFromTime } from '../reads/read-replies.ts';

/** How far two clocks may drift apart, in ms per ms. */
const DRIFT = 1 / 5000;
/** A first measurement that may be wrong by more than this many ms is repeated. */
const WRONG_BY_MS = 250;
const FIRST_TRIES = 4;

type Measured = {
  /** Redis's clock minus ours, in µs. */
  readonly offset: number;
  /** By how many ms the offset may be wrong: half of the time that the reply took. */
  readonly errorMs: number;
  /** Our clock at the measurement, in ms. */
  readonly at: number;
  /** Our clock minus this machine's at the measurement, in ms. */
  readonly leadMs: number;
};

/** Our clock in ms: that of this machine when Node.js began, and never set since. */
const ourMs = () => steadyEpochMs();
/** Our clock minus this machine's. It changes if this machine's clock is set, or if the machine sleeps. */
const leadMs = () => ourMs() - wallMs();

/** A clock that is off by more than this was set: one that is only slowed or sped up never jumps. */
export const CLOCK_STEP_MICROS = 1_000_000;

/** A clock that is set again and again, or seems to be, may end this many connections within this time. */
const MOST_ENDS = 3;
const WITHIN_MS = 60_000;

/** Not a failure: Redis's clock was set, or is not known now. Another connection follows, whose times continue. */
export class ClockWasSet extends Error {}

/**
 * The clock of one Redis, as far as it was measured; it outlives a connection.
 *
 * Times must not go back. If Redis's clock does, times go on from the clock before: `setBack` is added to all of
 * Redis's times, until the clock goes forward again. It changes only between two connections.
 *
 *   Redis's clock    10:00:00 ··· 10:00:05 ─┐  09:00:05 ··· 09:00:09
 *   setBack          0                      │  1 h
 *   our times        10:00:00 ··· 10:00:05  └► 10:00:05 ··· 10:00:09
 */
export class RedisClock {
  /** The best measurement, and the last one. */
  #best: Measured | undefined;
  #last: Measured | undefined;
  /** By how much Redis's clock is behind our times, in µs: whole ms. */
  setBack: number;
  #wasSet = false;
  /** When the last connections were ended because the clock was set, or was not known. */
  #ends: number[] = [];
  /** A connection was ended for the times of its lines, but TIME did not confirm that the clock was set. */
  #areLinesOdd = false;

  constructor(setBack = 0) {
    this.setBack = setBack;
  }

  /** Redis's clock minus this machine's, in µs. */
  get offset(): number {
    return this.#best ? this.#best.offset + this.#best.leadMs * 1000 : 0;
  }

  /** This machine slept or its clock was set since the last measurement: `now` may be wrong. */
  get isDoubtful(): boolean {
    return this.#last !== undefined && Math.abs(leadMs() - this.#last.leadMs) * 1000 > CLOCK_STEP_MICROS;
  }

  /** Whether the connection may be ended because the clock was set. */
  get mayEnd(): boolean {
    const since = ourMs() - WITHIN_MS;
    return this.#ends.filter((at) => at > since).length < MOST_ENDS;
  }

  /** Whether a line with an impossible time shows that the clock was set. */
  get trustsLines(): boolean {
    return this.mayEnd && !this.#areLinesOdd;
  }

  /** The connection ends. `isSet`: its signals show that the clock was set, and `begin` must find out by how much. */
  noteEnd({ isSet }: { isSet: boolean }): void {
    this.#wasSet = isSet;
    this.#ends = [...this.#ends, ourMs()].slice(-MOST_ENDS);
  }

  /** By how many ms the offset may be wrong. */
  get errorMs(): number {
    return this.#best?.errorMs ?? 0;
  }

  /**
   * Measures the offset for a new connection: several times if the replies are slow. Times go on from those of the
   * previous connection.
   */
  async begin(connection: RawConnection): Promise<void> {
    const before = this.#last;
    this.#best = undefined;
    this.#last = undefined;
    try {
      for (let tries = 0; tries < FIRST_TRIES; tries++) {
        await this.sync(connection);
        if (this.errorMs <= WRONG_BY_MS) break;
      }
    } finally {
      const now = this.#last as Measured | undefined; // `sync` has set it, unless it failed or TIME was refused
      if (before && now) this.#goOn(before, now);
      this.#last ??= before;
    }
  }

  #goOn(before: Measured, now: Measured): void {
    const setBack = setBackAfter(this.setBack, before, now, this.#wasSet);
    if (this.#wasSet && setBack === this.setBack) this.#areLinesOdd = true;
    this.#wasSet = false;
    this.setBack = setBack;
  }

  /**
   * Measures the offset. Returns how long the reply took, in ms. A slow reply does not replace a better measurement
   * that it agrees with: half of its time may be far from the moment at which Redis read its clock. Throws
   * `ClockWasSet` if the clock went back, or forward after that, unless `mayEnd` is false.
   */
  async sync(connection: RawConnection): Promise<number> {
    const before = ourMs();
    const [time] = await connection.pipeline([['TIME']]);
    const after = ourMs();
    const micros = microsFromTime(time ?? null);
    if (micros <= 0) return after - before;
    const offset = micros - ((before + after) / 2) * 1000;
    const now = { offset, errorMs: (after - before) / 2, at: after, leadMs: leadMs() };
    if (this.#last && setBackAfter(this.setBack, this.#last, now) !== this.setBack) {
      if (!this.mayEnd) return after - before;
      this.noteEnd({ isSet: false });
      throw new ClockWasSet();
    }
    this.#last = now;
    this.note(now);
    return after - before;
  }

  /** Takes a measurement as the best one, unless it is less exact than the best one and agrees with it. */
  note(measured: Measured): void {
    const best = this.#best;
    if (best) {
      const errorMs = best.errorMs + Math.abs(measured.at - best.at) * DRIFT;
      const apartMs = Math.abs(measured.offset - best.offset) / 1000;
      const isWorse = measured.errorMs > errorMs;
      if (isWorse && apartMs <= measured.errorMs + errorMs) return;
    }
    this.#best = measured;
  }

  /** A command that is sent now cannot be run before this time, unless the clock was set. */
  get earliest(): RedisTime {
    return redisTime(this.now() - CLOCK_STEP_MICROS - this.errorMs * 1000);
  }

  /**
   * What arrives now cannot be from after this time, unless the clock was set; undefined if a later time does no harm,
   * or if `now` may be wrong.
   */
  get latest(): RedisTime | undefined {
    if (this.setBack === 0 || this.isDoubtful) return undefined;
    return redisTime(this.now() + CLOCK_STEP_MICROS + this.errorMs * 1000);
  }

  /** The current Redis time with `setBack`, by our clock and the best measured offset. */
  now(): RedisTime {
    return redisTime(Math.round(ourMs() * 1000 + (this.#best?.offset ?? 0) + this.setBack));
  }
}

/**
 * What `setBack` is after a second measurement, in whole ms: more if the clock went back, less if it went forward. A
 * step that the errors of measurement may explain counts only if `isSure`. A step forward counts only if this machine
 * did not sleep.
 */
export function setBackAfter(setBack: number, before: Measured, now: Measured, isSure = false): number {
  const back = before.offset - now.offset;
  const error = (before.errorMs + now.errorMs + (now.at - before.at) * DRIFT) * 1000;
  const hasSlept = Math.abs(now.leadMs - before.leadMs) * 1000 > CLOCK_STEP_MICROS;
  const isStep = (isSure || Math.abs(back) > CLOCK_STEP_MICROS + error) && (back > 0 || !hasSlept);
  if (!isStep) return setBack;
  const left = Math.ceil((setBack + back) / 1000) * 1000;
  return back > 0 || left > CLOCK_STEP_MICROS ? Math.max(0, left) : 0;
}
