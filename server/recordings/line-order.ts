import type { LineSignal } from '../../shared/signals/signal.ts';

/** A line of a text, or a place where lines were lost. */
export type TextLine = { readonly parsed: LineSignal; readonly number: number } | 'lost';

/** This many steps back in time at the beginning, and none forward, show that the newest line is the first one. */
const STEPS_BACK = 3;
/** Lines that are kept until the end of a text whose newest line is the first one. */
const MOST_KEPT = 1_000_000;

/** Puts the lines of a text in the order of time: Kibana, Grafana and CloudWatch export the newest line first. */
export class LineOrder {
  /** Whether the newest line is the first one. */
  isNewestFirst = false;
  #held: TextLine[] = [];
  #isDecided = false;
  #steps = 0;
  #lastAt: number | undefined;

  /** Whether it keeps as many lines as it may. Lines that follow are older than all of them. */
  get isFull(): boolean {
    return this.isNewestFirst && this.#held.length >= MOST_KEPT;
  }

  /** Takes the next line. Returns the lines whose place is known now. */
  add(line: TextLine): readonly TextLine[] {
    if (this.#isDecided && !this.isNewestFirst) return [line];
    this.#held.push(line);
    if (line === 'lost') return [];
    const { at } = line.parsed;
    const step = this.#lastAt === undefined ? 0 : at - this.#lastAt;
    this.#lastAt = at;
    if (step < 0) this.#steps++;
    if (this.#steps >= STEPS_BACK) this.#decide(true);
    else if (step > 0) this.#decide(false);
    return this.#isDecided && !this.isNewestFirst ? this.#release() : [];
  }

  /** No line follows: returns the others. */
  finish(): readonly TextLine[] {
    if (!this.#isDecided) this.#decide(this.#steps > 0);
    return this.isNewestFirst ? this.#release().reverse() : this.#release();
  }

  #decide(isNewestFirst: boolean): void {
    if (!this.#isDecided) this.isNewestFirst = isNewestFirst;
    this.#isDecided = true;
  }

  #release(): TextLine[] {
    const held = this.#held;
    this.#held = [];
    return held;
  }
}
