import { type EventsOverTime, readEventsOverTime } from '../../data/window/events-over-time.ts';
import type { TimeSpan } from '../../data/window/time-span.ts';

/** The numbers are read again when the ends of the range have moved by this share of its length. */
const GROWN = 0.02;
const ANSWER_MS = 10_000;
const AGAIN_MS = 5000;

/** How many events there were over time, also events that are not loaded. Read once, and again when the range changes. */
export class BeyondReader {
  /** Increases each time that numbers were read. */
  version = 0;
  #known: { readonly span: TimeSpan; readonly load: EventsOverTime } | null = null;
  #isReading = false;
  #againAt = 0;
  readonly #onRead: () => void;
  readonly #ending = new AbortController();

  constructor(onRead: () => void) {
    this.#onRead = onRead;
  }

  end(): void {
    this.#ending.abort();
  }

  /** The numbers as last read, which may be over a slightly different range; null before they were read. */
  over(span: TimeSpan, bins: number): EventsOverTime | null {
    const known = this.#known;
    const grown = known && Math.abs(span.to - known.span.to) + Math.abs(span.from - known.span.from);
    if (!known || (grown ?? 0) > (span.to - span.from) * GROWN) void this.#read(span, bins);
    return known?.load ?? null;
  }

  async #read(span: TimeSpan, bins: number): Promise<void> {
    if (this.#isReading || this.#ending.signal.aborted || performance.now() < this.#againAt) return;
    this.#isReading = true;
    try {
      const signal = AbortSignal.any([this.#ending.signal, AbortSignal.timeout(ANSWER_MS)]);
      this.#known = { span, load: await readEventsOverTime(span, Math.max(1, Math.min(2000, bins)), signal) };
      this.version++;
      this.#onRead();
    } catch {
      this.#againAt = performance.now() + AGAIN_MS;
    } finally {
      this.#isReading = false;
    }
  }
}
