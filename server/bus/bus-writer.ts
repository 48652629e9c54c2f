import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { startTimer, steadyMs, stopTimer, type Timer, wallMs } from '../redis/connection/surroundings.ts';
import type { RunSink } from '../store/kept-run.ts';
import { Backlog, LIMITS, type Limits } from './backlog.ts';
import { type Bus, failureOf } from './bus.ts';
import { fieldsOfEntry, fieldsOfState, type GapReason, type StateEntry, type StreamEntry } from './bus-entry.ts';
import { blocksKey, SOURCES_KEY, statesKey } from './bus-keys.ts';
import { type Keep, KeptEntries } from './kept-entries.ts';

const pack = promisify(gzip);
const RETRY_MS = 1000;
const END_WITHIN_MS = 1000;
/**
 * A new state is written after this part of the time or bytes that the bus keeps, so that a viewer always finds one.
 */
const STATE_EACH = 0.25;

export type WriterOptions = {
  readonly name: string;
  readonly run: number;
  readonly keep: Keep;
  readonly limits?: Limits;
  /** Time between two attempts; absent: 1 s. */
  readonly retryMs?: number;
  /** Takes the whole state as it is now and adds it as a checkpoint. */
  requestState(): void;
  /** A later run has written: this one must stop. */
  fenced(): void;
  warn(line: string): void;
};

/** `confirmed`: the last line that the bus has. `hasGap`: lines were dropped, and the bus does not have the gap yet. */
type Progress = {
  readonly waitingBytes: number;
  readonly confirmed: number;
  readonly failing: string | undefined;
  readonly hasGap: boolean;
};

/**
 * Writes one run to the bus, in order, one entry at a time. It never makes the observer wait: what the bus does not
 * take is kept for a while (`Backlog`), and then becomes a gap.
 *
 *   KeptRun ─► gzip ─► Backlog ─► XADD blocks <run>-<last line> ─► confirmed
 *                         └ too much: gap ─► state ─► XADD gap ─► XADD blocks …
 */
export class BusWriter implements RunSink {
  readonly #bus: Bus;
  readonly #options: WriterOptions;
  readonly #backlog: Backlog;
  readonly #kept: KeptEntries;
  #packing: Promise<void> = Promise.resolve();
  #state: StateEntry | undefined;
  #stateAt: number;
  #bytesSinceState = 0;
  #confirmed = 0;
  /** The bus may have stored more, or less, than we know. */
  #isUnsure = false;
  #needsState = false;
  #isStateAsked = false;
  /** The line of the newest state of this run that the bus has. */
  #freshState = -1;
  #reason: GapReason = 'bus-gone';
  #failing: string | undefined;
  #isPumping = false;
  #isWoken = false;
  #isOver = false;
  #timer: Timer | undefined;

  constructor(bus: Bus, options: WriterOptions) {
    this.#bus = bus;
    this.#options = options;
    this.#backlog = new Backlog(options.limits ?? LIMITS);
    this.#kept = new KeptEntries(options.keep);
    this.#stateAt = steadyMs();
    bus.onReady(() => this.#wake());
  }

  /** How far the bus is behind, and why it accepts nothing now. */
  get progress(): Progress {
    const { bytes: waitingBytes, gap } = this.#backlog;
    return { waitingBytes, confirmed: this.#confirmed, failing: this.#failing, hasGap: gap !== undefined };
  }

  addRun(): void {
    // Nothing to write: the id of each entry begins with its run.
  }

  setSources(): void {
    // Nothing to write: each pulse contains the sources.
  }

  setUntil(): void {
    // Nothing to write: each pulse shows until when the source is watched.
  }

  addBlock({ run, firstSeq, lastSeq, fromAt, toAt, nextEvent, text }: Parameters<RunSink['addBlock']>[0]): void {
    this.#pack(text, (bytes) => {
      const range = { run, first: firstSeq, last: lastSeq, from: fromAt, to: toAt };
      this.#backlog.add({ kind: 'block', ...range, event: nextEvent, bytes }, steadyMs(), this.#reason);
    });
  }

  addCheckpoint({ run, seq, at, nextEvent, text }: Parameters<RunSink['addCheckpoint']>[0]): void {
    this.#pack(text, (bytes) => {
      this.#isStateAsked = false;
      this.#state = { run, seq, at, event: nextEvent, bytes };
    });
  }

  /** Notes the entries that are already on the bus, so that they are dropped in time too. */
  async noteKept(): Promise<void> {
    const key = blocksKey(this.#options.name);
    for (let from: Parameters<Bus['range']>[1] = '-'; ; ) {
      const entries = await this.#bus.range(key, from, 20);
      for (const { place, fields } of entries)
        this.#kept.add(place, fields.bytes?.length ?? 0, Number(fields.to) / 1000);
      const last = entries.at(-1)?.place;
      if (!last || entries.length < 20) return;
      from = { run: last.run, seq: last.seq + 1 };
    }
  }

  /** Waits until the bus has all blocks, a second at most. Then it writes nothing more. */
  async end(): Promise<void> {
    const end = steadyMs() + END_WITHIN_MS;
    await this.#packing;
    while (!this.#isOver && this.#backlog.first && !this.#failing && steadyMs() < end) {
      await new Promise((resolve) => startTimer(() => resolve(undefined), 10));
    }
    this.#isOver = true;
    stopTimer(this.#timer);
  }

  #pack(text: string, take: (bytes: Buffer) => void): void {
    this.#packing = this.#packing.then(async () => {
      take(await pack(text, { level: 6 }));
      this.#wake();
    });
  }

  #wake(): void {
    this.#isWoken = true;
    if (this.#isPumping || this.#isOver) return;
    this.#isPumping = true;
    stopTimer(this.#timer);
    void this.#pump().finally(() => {
      this.#isPumping = false;
    });
  }

  async #pump(): Promise<void> {
    try {
      while (this.#isWoken && !this.#isOver) {
        this.#isWoken = false;
        while (!this.#isOver && (await this.#writeNext())) this.#works();
      }
    } catch (error) {
      await this.#failed(error);
    }
  }

  /** Writes the next entry. Returns false if nothing can be written now. */
  async #writeNext(): Promise<boolean> {
    if (this.#isUnsure) await this.#askWhatBusHas();
    if (this.#isOver) return false;
    if (this.#state) return this.#addState(this.#state);
    const { gap, first } = this.#backlog;
    if ((gap || this.#needsState) && !this.#hasFreshState) {
      // ZADD fails while the bus is full: then no state is requested, because the bus could not store it
      await this.#bus.connection.call('ZADD', SOURCES_KEY, wallMs(), this.#options.name);
      this.#needsState = true;
      if (!this.#isStateAsked) this.#options.requestState();
      this.#isStateAsked = true;
      return false; // `addCheckpoint` continues
    }
    if (gap) {
      await this.#add({ kind: 'gap', ...gap, state: this.#freshState });
      this.#options.warn(
        `Lines ${gap.first} to ${gap.last} of run ${gap.run} are not on the bus: it took nothing for too long.`,
      );
      return true;
    }
    if (!first) return false;
    await this.#add(first);
    this.#wantState(first.bytes.length);
    return true;
  }

  get #hasFreshState(): boolean {
    return !this.#needsState && this.#freshState >= (this.#backlog.gap?.last ?? 0);
  }

  async #addState(state: StateEntry): Promise<boolean> {
    const key = statesKey(this.#options.name);
    const { run, seq } = state;
    await this.#bus.add(key, state, fieldsOfState(state), this.#kept.trim(wallMs())).catch(whenRepeated);
    if (this.#state === state) this.#state = undefined;
    this.#freshState = run === this.#options.run ? seq : -1;
    this.#needsState = false;
    this.#stateAt = steadyMs();
    this.#bytesSinceState = 0;
    return true;
  }

  async #add(entry: StreamEntry): Promise<void> {
    const place = { run: entry.run, seq: entry.last };
    const size = entry.kind === 'block' ? entry.bytes.length : 0;
    const keepFrom = this.#kept.add(place, size, wallMs());
    this.#isUnsure = true;
    await this.#bus.add(blocksKey(this.#options.name), place, fieldsOfEntry(entry), keepFrom);
    this.#isUnsure = false;
    this.#confirm(entry.last);
  }

  #confirm(seq: number): void {
    this.#confirmed = Math.max(this.#confirmed, seq);
    this.#backlog.confirm(seq);
  }

  #wantState(bytes: number): void {
    this.#bytesSinceState += bytes;
    const { keep } = this.#options;
    const isOld = steadyMs() - this.#stateAt > keep.ms * STATE_EACH;
    if (!isOld && this.#bytesSinceState < keep.bytes * STATE_EACH) return;
    this.#stateAt = steadyMs();
    this.#bytesSinceState = 0;
    this.#options.requestState();
  }

  /**
   * Asks after a failure what the bus has. An entry may be there although its reply was lost, or the bus may have lost
   * all data.
   */
  async #askWhatBusHas(): Promise<void> {
    const last = await this.#bus.lastPlace(blocksKey(this.#options.name));
    const { run } = this.#options;
    if (last && last.run > run) {
      this.#isOver = true;
      this.#options.fenced();
      return;
    }
    const seq = last?.run === run ? last.seq : 0;
    if (seq < this.#confirmed) this.#needsState = true;
    this.#confirm(seq);
    this.#isUnsure = false;
  }

  #works(): void {
    if (this.#failing !== undefined) this.#options.warn('The bus takes blocks again.');
    this.#failing = undefined;
  }

  async #failed(error: unknown): Promise<void> {
    const failure = failureOf(error);
    const quote = error instanceof Error ? error.message : String(error);
    this.#reason = failure === 'full' ? 'bus-full' : 'bus-gone';
    this.#isUnsure = true;
    if (failure !== 'refused' && this.#failing === undefined) {
      const { displayUrl } = this.#bus.url;
      this.#options.warn(
        failure === 'full'
          ? `The bus ${displayUrl} is full. Give it more memory, or lower --bus-size of the observers.`
          : `The bus ${displayUrl} takes no blocks: ${quote}. They are kept for 60 s.`,
      );
      this.#failing = failure;
    }
    if (this.#isOver) return;
    this.#timer = startTimer(() => this.#wake(), failure === 'refused' ? 10 : (this.#options.retryMs ?? RETRY_MS));
  }
}

/** Ignores a refusal: the same or a later state was written before. */
function whenRepeated(error: unknown): void {
  if (failureOf(error) !== 'refused') throw error;
}
