import type { LockEvent } from '../../shared/events/event.ts';
import type { Source } from '../../shared/wire/source.ts';
import { startTimer, stopTimer, type Timer } from '../redis/connection/surroundings.ts';
import { inSlices } from '../watch/slices/in-slices.ts';
import type { ObservedBatch } from '../watch/terms/observed-batch.ts';
import type { KeptStream } from '../watch/topology/options.ts';
import { dayOf } from './schema.ts';
import type { StoreWriter } from './store-writer.ts';
import { lineOfSources, linesOfBatch } from './stream-lines.ts';
import type { Gap } from './tables.ts';

/** The name of this process's stream, if no other process uses the store. */
export const STREAM = 'lockscope';

/** A block has about this many lines, or the lines of this time. If the process is killed, its open block is lost. */
const LINES = 1000;
const BLOCK_MS = 750;
/**
 * Without events, the store notes this often that all is stored until 1 s ago: an event of the last second may still
 * arrive.
 */
const QUIET_MS = 5000;
const LATE_MICROS = 1_000_000;
/** Lines between two checkpoints. */
const CHECKPOINT_EVERY = 25_000;
/**
 * An event may have an earlier time than those before it. A block begins with its oldest event, at most this much
 * before its end.
 */
const MOST_BACK_MICROS = 60_000_000;

/** Receives the parts of a run, in order. */
export type RunSink = Pick<StoreWriter, 'addRun' | 'addBlock' | 'addCheckpoint' | 'setSources' | 'setUntil'>;

type RunOptions = {
  /** The stream that the run is part of; absent: that of this process. */
  readonly source?: string;
  readonly number: number;
  readonly gap: Gap;
  /** The time until which the run before it is stored. */
  readonly after: number;
  readonly nextEvent: number;
  readonly checkpointEvery?: number | undefined;
};

/** Cuts a stream into blocks and checkpoints of one run, until storing fails or watching ends. */
export class KeptRun {
  readonly number: number;
  readonly #stream: KeptStream;
  readonly #writer: RunSink;
  readonly #source: string;
  readonly #every: number;
  #isOver = false;
  #seq = 0;
  #sinceCheckpoint = 0;
  #day = 0;
  #text = '';
  #lines = 0;
  #nextEvent = 0;
  #oldestAt = Number.POSITIVE_INFINITY;
  #newestAt: number;
  #sources = '';
  #timer: Timer | undefined;
  #quiet: Timer | undefined;

  constructor(
    stream: KeptStream,
    writer: RunSink,
    { source = STREAM, number, gap, after, nextEvent, checkpointEvery = CHECKPOINT_EVERY }: RunOptions,
  ) {
    this.number = number;
    this.#source = source;
    this.#stream = stream;
    this.#writer = writer;
    this.#newestAt = after;
    this.#nextEvent = nextEvent;
    this.#every = checkpointEvery;
    const beganAt = Math.max(after + 1, stream.now());
    this.#day = dayOf(beganAt);
    writer.addRun({ source, run: number, beganAt, gap });
    if (gap === 'not-stored') {
      this.#newestAt = beganAt;
      this.checkpoint();
    }
    this.#noteSources();
    this.#noteQuiet();
  }

  /** The number of lines in finished blocks: those of the open block do not count. */
  get lines(): number {
    return this.#seq;
  }

  /**
   * The Redis time until which all that Redis did is in finished blocks; undefined: a block is open. Without newer
   * events, that is now less 1 s and less the largest lag of a source, for example because this process was stopped.
   */
  get wholeUntil(): number | undefined {
    if (this.#lines > 0) return undefined;
    const lagMs = Math.max(0, ...this.#stream.sources().map((source) => source.lagMs));
    return Math.max(this.#newestAt, this.#stream.now() - LATE_MICROS - lagMs * 1000);
  }

  take({ events, gone, sourcesChanged }: Pick<ObservedBatch, 'events' | 'gone' | 'sourcesChanged'>): void {
    if (this.#isOver) return;
    if (sourcesChanged) this.#noteSources();
    if (events.length + gone.length > 0)
      this.#add(linesOfBatch({ events, gone }), events.length + Math.sign(gone.length));
    for (const event of events) this.#noteEvent(event);
    if (this.#sinceCheckpoint >= this.#every || dayOf(this.#newestAt) > this.#day) this.checkpoint();
    else if (this.#lines >= LINES) this.cut();
    else if (this.#lines > 0) this.#timer ??= startTimer(() => this.cut(), BLOCK_MS);
  }

  /** Stores the lines that are not stored yet. */
  cut(): void {
    stopTimer(this.#timer);
    this.#timer = undefined;
    if (this.#lines === 0) return;
    const [text, lines, before] = [this.#text, this.#lines, this.#seq];
    const toAt = this.#newestAt;
    const fromAt = Math.min(toAt, Math.max(this.#oldestAt, toAt - MOST_BACK_MICROS));
    this.#seq += lines;
    this.#text = '';
    this.#lines = 0;
    this.#oldestAt = Number.POSITIVE_INFINITY;
    const seqs = { firstSeq: before + 1, lastSeq: this.#seq, nextEvent: this.#nextEvent };
    this.#writer.addBlock({ source: this.#source, run: this.number, ...seqs, fromAt, toAt, text });
  }

  /** Stores the remaining lines, because watching has ended. */
  close(): void {
    this.cut();
    this.#setUntil(this.#stream.now());
    this.end();
  }

  /** Nothing further of the run is stored. */
  end(): void {
    this.#isOver = true;
    stopTimer(this.#timer);
    stopTimer(this.#quiet);
  }

  #noteQuiet(): void {
    this.#quiet = startTimer(() => {
      const until = this.wholeUntil ?? 0;
      if (until > this.#newestAt) this.#setUntil(until);
      this.#noteQuiet();
    }, QUIET_MS);
    this.#quiet.unref();
  }

  #setUntil(at: number): void {
    this.#writer.setUntil({ source: this.#source, run: this.number, at });
  }

  #add(text: string, lines: number): void {
    this.#text += text;
    this.#lines += lines;
    this.#sinceCheckpoint += lines;
  }

  #noteEvent({ seq, at }: LockEvent): void {
    this.#nextEvent = seq + 1;
    if (at > this.#newestAt) this.#newestAt = at;
    if (at < this.#oldestAt) this.#oldestAt = at;
  }

  /** Adds a line with all sources if a field of `sightOf` has changed in one of them. */
  #noteSources(): void {
    const sources = this.#stream.sources();
    const seen = JSON.stringify(sources.map(sightOf));
    if (seen === this.#sources) return;
    this.#sources = seen;
    this.#writer.setSources(sources.map(({ id, url }) => ({ id, url })));
    const at = this.#stream.now();
    this.#oldestAt = Math.min(this.#oldestAt, Math.max(at, this.#newestAt));
    this.#newestAt = Math.max(this.#newestAt, at);
    this.#add(lineOfSources(sources, at), 1);
    this.#timer ??= startTimer(() => this.cut(), BLOCK_MS);
  }

  /** Adds the whole state as it is now. */
  checkpoint(): void {
    this.cut();
    this.#sinceCheckpoint = 0;
    this.#day = dayOf(this.#newestAt);
    const place = { source: this.#source, run: this.number, seq: this.#seq, at: this.#newestAt };
    const { nextEvent, text } = this.#stream.standing();
    const sources = lineOfSources(this.#stream.sources(), this.#newestAt);
    // The state is taken now; its text takes a while. Later blocks may be stored before it.
    void inSlices(text()).then((state) => {
      if (!this.#isOver) this.#writer.addCheckpoint({ ...place, nextEvent, text: sources + state });
    });
  }
}

/** The fields of a source whose changes are stored. Others, such as `lagMs`, change all the time. */
function sightOf({ id, url, status, level, ended, cannotSee, topology, node }: Source): unknown {
  return [id, url, status, level, ended, cannotSee, topology, node];
}
