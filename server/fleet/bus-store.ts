import type { Bus } from '../bus/bus.ts';
import {
  type BlockEntry,
  entryFrom,
  idOf,
  isBefore,
  type Place,
  type RawEntry,
  rawStreamsFrom,
  stateFrom,
} from '../bus/bus-entry.ts';
import { blocksKey, isSafeName, SOURCES_KEY, statesKey } from '../bus/bus-keys.ts';
import { untilTime } from '../bus/lease.ts';
import { DatabaseError } from '../store/database.ts';
import type { PackedRows } from '../store/parts.ts';
import type { StoreLink } from '../store/store-link.ts';

const READ_EVERY_MS = 500;
const RETRY_MS = 5000;
/** Entries of one stream that are read at once. */
const ENTRIES = 4;

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
  #failing = false;

  constructor(bus: Bus, link: StoreLink, warn: Warn) {
    this.#bus = bus;
    this.#link = link;
    this.#warn = warn;
  }

  /** Writes until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const isMore = await this.#round().catch((error: unknown) => this.#failed(error, signal));
      if (!isMore) await untilTime(READ_EVERY_MS, signal);
    }
  }

  /** Reads and stores new entries. Returns whether there may be more. */
  async #round(): Promise<boolean> {
    this.#known ??= await this.#readKnown();
    const reply = await this.#bus.connection.call('ZRANGE', SOURCES_KEY, 0, -1);
    const names = Array.isArray(reply) ? reply.map(String).filter(isSafeName) : [];
    if (names.length === 0) return false;
    const offsets = names.map((name) => this.#offsetOf(name));
    const keys = [...names.map(blocksKey), ...names.map(statesKey)];
    const ids = [...offsets.map(({ block }) => idOf(block)), ...offsets.map(({ state }) => idOf(state))];
    const read = await this.#bus.connection.callRaw('XREAD', 'COUNT', ENTRIES, 'STREAMS', ...keys, ...ids);
    const streams = rawStreamsFrom(read);
    let isMore = false;
    for (const name of names) {
      const [blocks, states] = [streams.get(blocksKey(name)) ?? [], streams.get(statesKey(name)) ?? []];
      if (blocks.length + states.length === 0) continue;
      await this.#write(name, blocks, states);
      isMore ||= blocks.length === ENTRIES || states.length === ENTRIES;
    }
    if (this.#failing) this.#warn('Blocks are stored again.');
    this.#failing = false;
    return isMore;
  }

  async #write(source: string, raw: readonly RawEntry[], rawStates: readonly RawEntry[]): Promise<void> {
    const offset = this.#offsetOf(source);
    const entries = raw.flatMap((each) => entryFrom(each) ?? []);
    const blocks = entries.filter((entry): entry is BlockEntry => entry.kind === 'block');
    const rows: PackedRows = {
      blocks: blocks.map(({ run, first, last, from, to, event, bytes }) => {
        const seqs = { firstSeq: first, lastSeq: last, nextEvent: event };
        return { source, run, ...seqs, fromAt: from, toAt: to, bytes };
      }),
      checkpoints: rawStates.flatMap((each) => {
        const state = stateFrom(each);
        return state
          ? [{ source, run: state.run, seq: state.seq, at: state.at, nextEvent: state.event, bytes: state.bytes }]
          : [];
      }),
    };
    const begun = entries.filter((entry, n) => entry.run !== (entries[n - 1]?.run ?? offset.block.run));
    const runs = begun.map(({ run, from }) => ({ source, run, beganAt: from, gap: 'not-running' as const }));
    await this.#link.ask({ ask: 'write', batch: { runs, blocks: [], checkpoints: [], packed: rows } });
    this.#warnOfHoles(source, offset.block, entries);
    offset.block = raw.at(-1)?.place ?? offset.block;
    offset.state = rawStates.at(-1)?.place ?? offset.state;
  }

  #warnOfHoles(
    source: string,
    before: Place,
    entries: readonly { run: number; first: number; last: number; kind: string }[],
  ): void {
    let last = before;
    for (const { run, first, last: seq, kind } of entries) {
      const expected = run === last.run ? last.seq + 1 : 1;
      if (kind === 'gap') this.#warn(`${source}: lines ${first} to ${seq} of run ${run} never reached the bus.`);
      else if (first > expected)
        this.#warn(
          `${source}: lines ${expected} to ${first - 1} of run ${run} are not stored: the bus dropped them before.`,
        );
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

  /** The bus keeps entries that are not stored yet. */
  async #failed(error: unknown, signal: AbortSignal): Promise<boolean> {
    const isOurs = error instanceof DatabaseError || (error instanceof Error && error.name === 'ConnectionLost');
    if (!isOurs && !signal.aborted) throw error;
    if (!this.#failing && error instanceof Error)
      this.#warn(`Nothing is stored now: ${error.message}. It is tried every 5 s.`);
    this.#failing = true;
    if (error instanceof DatabaseError) this.#known = undefined;
    await untilTime(error instanceof DatabaseError ? RETRY_MS : READ_EVERY_MS, signal);
    return false;
  }
}
