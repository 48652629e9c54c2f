import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import { problem } from '../../../shared/wire/problems/problem.ts';
import type { Source } from '../../../shared/wire/source.ts';
import type { Bus } from '../../bus/bus.ts';
import { entryFrom, isBefore, type Place, type StateEntry, type StreamEntry, stateFrom } from '../../bus/bus-entry.ts';
import { blocksKey, statesKey } from '../../bus/bus-keys.ts';
import { startTimer, stopTimer, type Timer, wallMs } from '../../redis/connection/surroundings.ts';
import { RangeReplay } from '../../store/range-replay.ts';
import type { Observatory } from '../../watch/observatory.ts';
import { ObserveRefusal } from '../../watch/observer/observe-refusal.ts';
import { inSlices } from '../../watch/slices/in-slices.ts';
import type { MemoryShares } from '../../watch/terms/memory-shares.ts';
import { isLive, type Pulses } from './pulses.ts';

const unpack = promisify(gunzip);
const READ_EVERY_MS = 200;
/** Blocks that are read at once. */
const BLOCKS = 20;
/** How many states back a viewer begins: there are about 25,000 lines between two states. */
const STATES_BACK = 3;
/** A larger block was not written by an observer. */
const MOST_BYTES = 256 * 1024 ** 2;

/**
 * One source that a page looks at: its blocks are read from the bus as they arrive, into an observatory like that of an
 * opened recording.
 *
 *   states: ◆ ········ ◆            begin at a state, then read the blocks after it
 *   blocks: ┃▇▇▇▇▇▇▇▇▇▇┃▇▇▇▇▇▇▇┃▇▇  …
 */
export class FollowedSource {
  readonly name: string;
  readonly observatory: Observatory;
  readonly #bus: Bus;
  readonly #pulses: Pulses;
  readonly #replay: RangeReplay;
  readonly #ends: (() => void)[] = [];
  #place: Place | undefined;
  #to = 0;
  #beganAt: RedisTime | undefined;
  /** The line after which the state is known again. */
  #stateAt: Place | undefined;
  /**
   * The bus dropped lines before they were read, and has not shown a state since: what these lines left held is
   * unknown.
   */
  #isPartial = false;
  #wasLive: boolean | undefined;
  #timer: Timer | undefined;
  #isOver = false;

  constructor(name: string, bus: Bus, pulses: Pulses, rooms: MemoryShares) {
    this.name = name;
    this.#bus = bus;
    this.#pulses = pulses;
    this.#replay = new RangeReplay({ parts: [], from: 0, to: 0 }, rooms, () => this.#now());
    const { answers, history } = this.#replay.answers();
    const { store } = this.#replay;
    this.observatory = {
      ...answers,
      history,
      sources: () => this.#sources().map((source) => store.withSight(source)),
      latest: () => this.#latest(),
      recording: async () => refuse(),
      refusal: problem('watched-elsewhere'),
      observe: async () => refuse(),
      decideOwnLocks: async () => refuse(),
      memory: () => ({ ...store.memory(), shedAt: null }),
      start: async () => {},
      stop: async () => this.stop(),
    };
  }

  /** The instant from which memory shows everything; undefined: what was held before the lines in memory is unknown. */
  get beganAt(): RedisTime | undefined {
    return this.#beganAt;
  }

  /** Reads all entries on the bus, and follows it. Rejects with `ConnectionLost` if the bus is unavailable. */
  async start(): Promise<void> {
    const state = await this.#firstState();
    if (state) await this.#restore(state);
    while (!this.#isOver && (await this.#readMore())) {
      // everything on the bus is read first
    }
    this.#ends.push(this.#pulses.onRead(() => this.#look()));
    this.#look();
    this.#again();
  }

  stop(): void {
    this.#isOver = true;
    stopTimer(this.#timer);
    for (const end of this.#ends.splice(0)) end();
  }

  /** A state some way back, so that the page has a past, if the bus still has the blocks after it; else the newest. */
  async #firstState(): Promise<StateEntry | undefined> {
    const states = (await this.#bus.newest(statesKey(this.name), STATES_BACK)).flatMap((raw) => stateFrom(raw) ?? []);
    const [oldest] = (await this.#bus.range(blocksKey(this.name), '-', 1)).flatMap((raw) => entryFrom(raw) ?? []);
    const isWhole = ({ run, seq }: StateEntry) =>
      oldest !== undefined && !isBefore({ run, seq }, { run: oldest.run, seq: oldest.first - 1 });
    return states.findLast(isWhole) ?? states[0];
  }

  async #restore(state: StateEntry): Promise<void> {
    const text = await textOf(state.bytes);
    await inSlices(this.#replay.take({ kind: 'checkpoint', at: state.at, text }, false));
    this.#beganAt ??= redisTime(state.at);
    this.#isPartial = false;
    this.#place ??= { run: state.run, seq: state.seq };
    this.#to = Math.max(this.#to, state.at);
    this.#stateAt = undefined;
  }

  #again(): void {
    if (this.#isOver) return;
    this.#timer = startTimer(async () => {
      const before = this.#place;
      await this.#readMore().catch(() => undefined); // the bus is gone: its pulse stops too
      // The blocks show the sources as they were then.
      if (this.#place !== before && !this.#isLive()) this.#replay.show(this.#sources());
      this.#again();
    }, READ_EVERY_MS);
  }

  /** Takes the blocks that are next. Returns whether there may be more. */
  async #readMore(): Promise<boolean> {
    const from = this.#place ? { run: this.#place.run, seq: this.#place.seq + 1 } : '-';
    const entries = await this.#bus.range(blocksKey(this.name), from, BLOCKS);
    for (const raw of entries) {
      const entry = entryFrom(raw);
      if (entry && !this.#isOver) await this.#take(entry);
      this.#place = raw.place;
    }
    return entries.length === BLOCKS;
  }

  async #take(entry: StreamEntry): Promise<void> {
    const { run, first, last, from, to } = entry;
    const before = this.#place;
    if (before === undefined || before.run !== run) {
      const part = { kind: 'run', gap: 'not-running', beganAt: from, endOfBefore: this.#to } as const;
      await inSlices(this.#replay.take(part, before === undefined));
      this.#stateAt = undefined;
    }
    const expected = before?.run === run ? before.seq + 1 : 1;
    const isDropped = first > expected && before !== undefined; // the bus dropped lines before they were read
    if (first > expected) this.#isPartial = true;
    else if (before?.run !== run) this.#isPartial = false; // a run begins with nothing known
    // a store may have the lines before
    this.#beganAt = this.#isPartial ? undefined : (this.#beganAt ?? redisTime(from));
    if (entry.kind === 'gap') {
      await this.#unknown(isDropped ? this.#to : from, to);
      this.#stateAt = { run, seq: entry.state };
    } else {
      if (isDropped) await this.#unknown(this.#to, from);
      await inSlices(this.#replay.take({ kind: 'block', text: await textOf(entry.bytes) }, false));
    }
    this.#to = Math.max(this.#to, to);
    const isStateDue = this.#stateAt?.run === run && this.#stateAt.seq === last;
    if (isStateDue || this.#isPartial) await this.#restoreAt({ run, seq: last });
  }

  #unknown(from: number, to: number): Promise<void> {
    const part = { kind: 'run', gap: 'not-stored', beganAt: Math.max(from, to), endOfBefore: from } as const;
    return inSlices(this.#replay.take(part, false));
  }

  async #restoreAt(place: Place): Promise<void> {
    const [raw] = await this.#bus.range(statesKey(this.name), place, 1);
    const state = raw && stateFrom(raw);
    if (state && state.run === place.run && state.seq === place.seq) await this.#restore(state);
  }

  /** Notes when the pulse stops and begins again, and what changed about the source. */
  #look(): void {
    if (!this.#pulses.get(this.name)) return;
    const live = this.#isLive();
    if (live !== this.#wasLive || live) this.#replay.show(this.#sources());
    this.#wasLive = live;
  }

  #isLive(): boolean {
    const heard = this.#pulses.get(this.name);
    return heard !== undefined && isLive(heard, wallMs());
  }

  #sources(): Source[] {
    const heard = this.#pulses.get(this.name);
    if (!heard) return [];
    if (this.#isLive()) return heard.pulse.sources.map((source) => this.#asRead(source));
    const silent = problem('observer-silent', { silentMs: wallMs() - heard.heardMs });
    const knownUntil = Math.max(this.#to, heard.pulse.wholeUntil ?? 0);
    return heard.pulse.sources.map((source) => {
      const unwatchedSince = source.unwatchedSince ?? (knownUntil || heard.pulse.at);
      return { ...this.#asRead(source), problem: silent, unwatchedSince };
    });
  }

  /** A source, with what is not known of it while what was held before lost lines is unknown. */
  #asRead(source: Source): Source {
    if (!this.#isPartial) return source;
    const dropped = problem('unseen-dropped-lines');
    return {
      ...source,
      snapshotAt: null,
      missing: { ...source.missing, hasLostLines: true },
      unseen: [dropped, ...source.unseen],
      cannotSee: [dropped.message, ...source.cannotSee],
    };
  }

  /** The clock of the source, as its pulses show it. It stops while no pulse arrives. */
  #now(): RedisTime {
    if (this.#isLive()) return this.#latest();
    return redisTime(Math.max(this.#replay.at, this.#pulses.get(this.name)?.pulse.at ?? 0));
  }

  /** As `#now`, but continues while no pulse arrives. */
  #latest(): RedisTime {
    const heard = this.#pulses.get(this.name);
    if (!heard) return this.#replay.at;
    const passed = Math.max(0, wallMs() - heard.heardMs);
    return redisTime(Math.max(this.#replay.at, heard.pulse.at + passed * 1000));
  }
}

async function textOf(bytes: Buffer): Promise<string> {
  return (await unpack(bytes, { maxOutputLength: MOST_BYTES })).toString();
}

/** Only the observer of a source can change how it is watched, and record it. */
function refuse(): never {
  throw new ObserveRefusal(problem('watched-elsewhere'));
}
