import type { Bus } from '../bus/bus.ts';
import {
  type BlockEntry,
  entryFrom,
  idOf,
  isBefore,
  type Place,
  type RawEntry,
  rawStreamsFrom,
  type StreamEntry,
  stateFrom,
} from '../bus/bus-entry.ts';
import { blocksKey, isSafeName, SOURCES_KEY, statesKey } from '../bus/bus-keys.ts';
import { untilTime } from '../bus/lease.ts';
import { DatabaseError } from '../store/database.ts';
import type { Batch, PackedRows } from '../store/parts.ts';
import type { StoreLink } from '../store/store-link.ts';

const READ_EVERY_MS = 500;
const RETRY_MS = 5000;
/** Entries of one stream that are read at once. */
const ENTRIES = 4;
/** One transaction has about this many compressed bytes, about 25,000 events: the end of the process waits for it. */
const TRANSACTION_BYTES = 512 * 1024;

type Warn = (line: string) => void;

/** How far one source is stored: its newest block, and the newest state that was read. */
type Offset = { block: Place; state: Place };

/**
 * Writes the blocks of every source on a bus into a store. The newest row of a source shows how far it is stored. So a
 * block is stored once, even if a process ends in between. Lines that the bus dropped before they were read are
 * missing.
 */
export class BusStore {
  readonly #bus: Bus;
  readonly #link: StoreLink;
  readonly #warn: Warn;
  readonly #offsets = new Map<string, Offset>();
  /** Up to where each source was stored at the last read; undefined: it must be read. */
  #known: ReadonlyMap<string, Place> | undefined;
  #isFailing = false;

  constructor(bus: Bus, link: StoreLink, warn: Warn) {
    this.#bus = bus;
    this.#link = link;
    this.#warn = warn;
  }

  /** Writes until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const isMore = await this.#round(signal).catch((error: unknown) => this.#failed(error, signal));
      if (!isMore) await untilTime(READ_EVERY_MS, signal);
    }
  }

  /** Reads and stores new entries. Returns whether there may be more. */
  async #round(signal: AbortSignal): Promise<boolean> {
    this.#known ??= await this.#readKnown();
    const listed = await this.#bus.connection.call('ZRANGE', SOURCES_KEY, 0, -1);
    const names = Array.isArray(listed) ? listed.map(String).filter(isSafeName) : [];
    if (names.length === 0) return false;
    const offsets = names.map((name) => this.#offsetOf(name));
    const keys = [...names.map(blocksKey), ...names.map(statesKey)];
    const ids = [...offsets.map(({ block }) => idOf(block)), ...offsets.map(({ state }) => idOf(state))];
    const reply = await this.#bus.connection.callRaw('XREAD', 'COUNT', ENTRIES, 'STREAMS', ...keys, ...ids);
    const streams = rawStreamsFrom(reply);
    const read = names.map((name) => new ReadSource(name, this.#offsetOf(name), streams));
    const news = read.filter(({ raw, rawStates }) => raw.length + rawStates.length > 0);
    for (const part of inTransactions(news)) {
      if (signal.aborted) return false;
      await this.#write(part);
    }
    const isMore = news.some(({ raw, rawStates }) => raw.length === ENTRIES || rawStates.length === ENTRIES);
    if (this.#isFailing) this.#warn('Blocks are stored again.');
    this.#isFailing = false;
    return isMore;
  }

  /**
   * Stores what was read of some sources in one transaction: with one for each of 300 sources, storing fell behind. If it
   * fails, each source gets its own, so that those before the one that fails are stored.
   */
  async #write(read: readonly ReadSource[]): Promise<void> {
    await this.#writeTogether(read).catch(async (error: unknown) => {
      if (read.length === 1) throw error;
      for (const each of read) await this.#writeTogether([each]);
    });
  }

  async #writeTogether(read: readonly ReadSource[]): Promise<void> {
    const rows: PackedRows = {
      blocks: read.flatMap((each) => each.blockRows()),
      checkpoints: read.flatMap((each) => each.checkpointRows()),
    };
    const runs = read.flatMap((each) => each.runRows());
    await this.#link.ask({ ask: 'write', batch: { runs, blocks: [], checkpoints: [], packed: rows } });
    for (const { source, offset, entries, raw, rawStates } of read) {
      this.#warnOfHoles(source, offset.block, entries);
      offset.block = raw.at(-1)?.place ?? offset.block;
      offset.state = rawStates.at(-1)?.place ?? offset.state;
    }
  }

  #warnOfHoles(
    source: string,
    before: Place,
    entries: readonly { run: number; first: number; last: number; kind: string }[],
  ): void {
    let last = before;
    for (const { run, first, last: seq, kind } of entries) {
      const expected = run === last.run ? last.seq + 1 : 1;
      if (first > expected)
        this.#warn(
          `${source}: lines ${expected} to ${first - 1} of run ${run} are not stored: the bus dropped them before.`,
        );
      if (kind === 'gap') this.#warn(`${source}: lines ${first} to ${seq} of run ${run} never reached the bus.`);
      last = { run, seq };
    }
  }

  /** A failed write may be stored, and a database that crashed may have lost one: both are read from the store. */
  async #readKnown(): Promise<ReadonlyMap<string, Place>> {
    this.#offsets.clear();
    const { reach } = await this.#link.ask({ ask: 'facts' });
    return new Map(reach.map(({ source, run, seq }) => [source, { run, seq }]));
  }

  #offsetOf(name: string): Offset {
    const known = this.#offsets.get(name);
    if (known) return known;
    const block = this.#known?.get(name) ?? { run: 0, seq: 0 };
    const offset = { block, state: isBefore({ run: 0, seq: 0 }, block) ? { run: block.run, seq: 0 } : block };
    this.#offsets.set(name, offset);
    return offset;
  }

  /** Waits after a failed round: the bus keeps the entries that are not stored yet. Throws an unexpected error. */
  async #failed(error: unknown, signal: AbortSignal): Promise<boolean> {
    const isOurs = error instanceof DatabaseError || (error instanceof Error && error.name === 'ConnectionLost');
    if (!isOurs && !signal.aborted) throw error;
    if (!this.#isFailing && error instanceof Error)
      this.#warn(`Nothing is stored now: ${error.message}. It is tried every 5 s.`);
    this.#isFailing = true;
    if (error instanceof DatabaseError) this.#known = undefined;
    await untilTime(error instanceof DatabaseError ? RETRY_MS : READ_EVERY_MS, signal);
    return false;
  }
}

/** What was read of one source, and how far it is stored. */
class ReadSource {
  readonly source: string;
  readonly offset: Offset;
  readonly raw: readonly RawEntry[];
  readonly rawStates: readonly RawEntry[];
  readonly entries: readonly StreamEntry[];

  constructor(source: string, offset: Offset, streams: ReadonlyMap<string, RawEntry[]>) {
    this.source = source;
    this.offset = offset;
    this.raw = streams.get(blocksKey(source)) ?? [];
    this.rawStates = streams.get(statesKey(source)) ?? [];
    this.entries = this.raw.flatMap((each) => entryFrom(each) ?? []);
  }

  /** Compressed bytes. */
  get bytes(): number {
    return [...this.raw, ...this.rawStates].reduce((sum, { fields }) => sum + (fields.bytes?.length ?? 0), 0);
  }

  blockRows(): PackedRows['blocks'] {
    const blocks = this.entries.filter((entry): entry is BlockEntry => entry.kind === 'block');
    return blocks.map(({ run, first, last, from, to, event, bytes }) => {
      const seqs = { firstSeq: first, lastSeq: last, nextEvent: event };
      return { source: this.source, run, ...seqs, fromAt: from, toAt: to, bytes };
    });
  }

  checkpointRows(): PackedRows['checkpoints'] {
    return this.rawStates.flatMap((each) => {
      const state = stateFrom(each);
      if (!state) return [];
      const { run, seq, at, event: nextEvent, bytes } = state;
      return [{ source: this.source, run, seq, at, nextEvent, bytes }];
    });
  }

  /** The runs that begin in these entries. */
  runRows(): Batch['runs'] {
    const begun = this.entries.filter((entry, n) => entry.run !== (this.entries[n - 1]?.run ?? this.offset.block.run));
    return begun.map(({ run, from }) => ({ source: this.source, run, beganAt: from, gap: 'not-running' as const }));
  }
}

/** Divides what was read, in its order, into parts of about `TRANSACTION_BYTES`. */
function* inTransactions(read: readonly ReadSource[]): Generator<readonly ReadSource[]> {
  let part: ReadSource[] = [];
  let bytes = 0;
  for (const each of read) {
    part.push(each);
    bytes += each.bytes;
    if (bytes < TRANSACTION_BYTES) continue;
    yield part;
    part = [];
    bytes = 0;
  }
  if (part.length > 0) yield part;
}
