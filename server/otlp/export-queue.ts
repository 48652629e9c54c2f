/** Sends items in one request; rejects if they were not accepted. */
type Send<T> = (items: T[]) => Promise<void>;

/**
 * Why items are not exported. `queue`: too many waited. `export`: the receiver did not take them, although the SDK
 * retried.
 */
type DropReason = 'queue' | 'export';

export type QueueLimits = {
  /** How many items may wait; further items are dropped. */
  readonly waiting: number;
  /** How many items one request has at most. */
  readonly batch: number;
  /** How long the first item waits for others. */
  readonly delayMs: number;
};

export type QueueOptions<T> = QueueLimits & {
  readonly send: Send<T>;
  dropped(count: number, reason: DropReason, error?: unknown): void;
};

/**
 * Sends items in batches, one request after the other, in the background. With the usual limits for spans:
 *
 *   add ─► waiting (bounded) ─► 512 items, or 5 s ─► request
 */
export class ExportQueue<T> {
  readonly #options: QueueOptions<T>;
  #waiting: T[] = [];
  #sent = 0;
  #sending = 0;
  #timer: NodeJS.Timeout | undefined;
  #work: Promise<void> | undefined;
  #isStopped = false;

  constructor(options: QueueOptions<T>) {
    this.#options = options;
  }

  /** Adds an item, which is made only if there is room. */
  add(make: () => T): void {
    const { waiting, batch, delayMs } = this.#options;
    if (this.#isStopped) return;
    if (this.#waiting.length + this.#sending >= waiting) return this.#options.dropped(1, 'queue');
    this.#waiting.push(make());
    if (this.#work) return;
    if (this.#waiting.length >= batch) this.#start();
    else this.#timer ??= setTimeout(() => this.#start(), delayMs).unref();
  }

  /** `waiting` includes the items of the request that is under way. */
  state(): { readonly sent: number; readonly waiting: number } {
    return { sent: this.#sent, waiting: this.#waiting.length + this.#sending };
  }

  /** Settles once everything that waits was sent or dropped. */
  async flush(): Promise<void> {
    while (this.#work || this.#waiting.length > 0) {
      this.#start();
      await this.#work;
    }
  }

  /** Drops what waits, and returns its number. A request that is under way is counted too: its end is not awaited. */
  stop(): number {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    const left = this.#waiting.length + this.#sending;
    this.#waiting = [];
    return left;
  }

  #start(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#work ??= this.#sendAll().finally(() => {
      this.#work = undefined;
      if (this.#waiting.length > 0 && !this.#isStopped) {
        this.#timer ??= setTimeout(() => this.#start(), this.#options.delayMs).unref();
      }
    });
  }

  /** Sends what waits now, and then further batches as long as they are full. */
  async #sendAll(): Promise<void> {
    const { batch, send, dropped } = this.#options;
    do {
      const items = this.#waiting.splice(0, batch);
      this.#sending = items.length;
      try {
        await send(items);
        this.#sent += items.length;
      } catch (error) {
        if (!this.#isStopped) dropped(items.length, 'export', error);
      }
      this.#sending = 0;
    } while (this.#waiting.length >= batch && !this.#isStopped);
  }
}
