import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import { parseWatchUrl, type WatchUrl } from '../../../shared/base/topology-url.ts';
import type { OwnLocksWish } from '../../../shared/events/apply/tokens/own-locks.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import type { ObserveLevel, Source } from '../../../shared/wire/source.ts';
import { wallMs } from '../../redis/connection/surroundings.ts';
import { openTopology } from '../../redis/topology/topology.ts';
import { KeptOwnLocks } from '../observer/kept-own-locks.ts';
import { ObserverPool } from '../observer/observer-pool.ts';
import { SourceHandle, type SourceListener } from '../observer/source-handle.ts';
import type { RecordingSink } from '../recording/recording-sink.ts';
import { onceATurn } from '../slices/once-a-turn.ts';
import type { Place } from '../source/worker-messages.ts';
import type { EventStore } from '../store/event-store.ts';
import { DEFAULT_MEMORY, type MemoryShares, sharesOf, threadsWithin } from '../terms/memory-shares.ts';
import type { ExtraSource, ObservatoryOptions } from './options.ts';
import { TopologySources } from './topology-sources.ts';
import { type About, blindSpot, unknownSource } from './unseen-source.ts';

/** What the sources share: where their events go, and what prepares their servers. */
type Shared = {
  readonly store: EventStore;
  readonly onServer: SourceListener['onServer'];
  /** Splits what a source reports into parts. The detectors may look between two parts. */
  parts(arrived: readonly LockEvent[]): Iterable<readonly LockEvent[]>;
  /** Adds what other shards of a cluster know about holds that were found, because their locks may have moved. */
  moved(events: readonly LockEvent[]): readonly LockEvent[];
};

/** The sources of an observatory: opened, closed and found by id. Together they share the memory of the process. */
export class WatchedSources {
  readonly #options: ObservatoryOptions;
  readonly #urls: readonly WatchUrl[];
  readonly #handles: SourceHandle[] = [];
  readonly #topologies: TopologySources[] = [];
  readonly #ending = new WeakSet<SourceHandle>();
  readonly #ownLocks = new KeptOwnLocks();
  readonly #pool: ObserverPool;
  readonly #sinks: readonly (RecordingSink | undefined)[];
  #shared: Shared | undefined;
  #memory: number;
  #rooms: MemoryShares;
  #shedAt: RedisTime | null = null;
  #ids = 0;
  /** Runs once for all masters of a cluster that are opened together. */
  readonly #setRoomsSoon = onceATurn(() => this.#setRooms());
  /** Runs once for the reports of all sources of a thread, which arrive together. */
  readonly #changedSoon = onceATurn(() => {
    for (const each of this.#topologies) each.changed();
    this.changed();
  });
  #files: number;

  /** Throws if a URL cannot be parsed, or a recording's file cannot be created. */
  constructor(options: ObservatoryOptions) {
    this.#options = options;
    this.#urls = options.redisUrls.map(watchUrlOf);
    this.#memory = options.memory ?? DEFAULT_MEMORY;
    this.#rooms = sharesOf(this.#memory, options.redisUrls.length, options.isPastAsked);
    this.#pool = new ObserverPool(threadsWithin(this.#memory));
    this.#files = this.#urls.length;
    this.#sinks = options.redisUrls.map((_, index) => options.openSink?.(index));
  }

  /** The shares of memory, as divided last. */
  get rooms(): MemoryShares {
    return this.#rooms;
  }

  /** When the limit of memory was last lowered. */
  get shedAt(): RedisTime | null {
    return this.#shedAt;
  }

  /** The Redis time of a source, or of the first source. */
  readonly now = (id?: string): RedisTime => {
    return this.find(id)?.now() ?? redisTime(wallMs() * 1000);
  };

  all(): readonly Source[] {
    return this.#handles.map(({ source }) => source);
  }

  /** The source with an id; without an id, the first one. */
  find(id: string | undefined): SourceHandle | undefined {
    return id === undefined ? this.#handles[0] : this.#handles.find((handle) => handle.id === id);
  }

  /** Throws if no source has this id. */
  get(id: string): SourceHandle {
    const handle = this.find(id);
    if (!handle) throw new Error(`no source ${id}`);
    return handle;
  }

  /** Must be called once, before any source is opened. */
  share(shared: Shared): void {
    this.#shared = shared;
  }

  start(): void {
    // Clusters come last: how many sources each of them becomes is not known yet.
    const inOrder = [...this.#urls.entries()].sort(
      ([, a], [, b]) => Number(a.kind === 'cluster') - Number(b.kind === 'cluster'),
    );
    for (const [index, url] of inOrder) {
      if (url.kind === 'single') {
        const place = { server: url.server, replicas: [], slots: [] };
        const about: About = { shownUrl: url.displayUrl, topology: 'single', place };
        this.#open(this.#nextId(url), about, this.#options.level, this.#sinks[index]);
      } else {
        this.#follow(url, this.#sinks[index]);
      }
    }
  }

  async stop(): Promise<void> {
    for (const topology of this.#topologies) topology.stop();
    await Promise.all(this.#handles.map((handle) => handle.stop()));
  }

  watch({ id, url, level }: ExtraSource): void {
    const { kind, ...watched } = watchUrlOf(url);
    if (kind !== 'single' || !('server' in watched)) throw new Error(`${watched.displayUrl} is not one server`);
    const place: Place = { server: watched.server, replicas: [], slots: [] };
    const known = this.#handles.find((handle) => handle.id === id && !this.#ending.has(handle));
    if (known) known.moveTo(place, null);
    else this.#open(id, { shownUrl: watched.displayUrl, topology: 'single', place }, level);
  }

  async unwatch(id: string): Promise<void> {
    const handle = this.#handles.find((each) => each.id === id && !this.#ending.has(each));
    if (handle) await this.#close(handle);
  }

  /** Changes how much memory the whole process may take, in bytes. */
  setMemory(limit: number): void {
    if (limit < this.#memory) this.#shedAt = this.now();
    this.#memory = limit;
    this.#setRooms();
  }

  /** Keeps what the user decided about keys that look like own locks. Throws if it cannot be written. */
  keepOwnLocks({ source }: SourceHandle, wish: OwnLocksWish): void {
    this.#ownLocks.keep(this.#keptAs(source), wish);
  }

  /** Notes that the status of a source changed. */
  changed(): void {
    this.#ours.store.sourcesChanged(this.all());
  }

  get #ours(): Shared {
    if (!this.#shared) throw new Error('the sources share nothing yet');
    return this.#shared;
  }

  /** The name that decisions are kept under; not the URL of a private server, whose port differs at each start. */
  #keptAs({ url }: Source): string {
    return this.#options.isPrivate ? 'demo' : url;
  }

  #open(id: string, about: About, level: ObserveLevel, sink?: RecordingSink): SourceHandle {
    const { match, madeBy, isPrivate = false } = this.#options;
    const source = unknownSource(id, about, level);
    const blindFrom = this.#options.keeper?.watchedUntil(source);
    if (blindFrom !== undefined) {
      const { store } = this.#ours;
      store.add([blindSpot(id, blindFrom, store.history.nextSeq(), 'not-running')]);
    }
    this.#divide(this.#handles.length + 1);
    const handle = new SourceHandle(
      {
        ...{ id, ...about, level, match, madeBy },
        ...{ hasBudget: !isPrivate, isRecorded: sink !== undefined, memory: this.#rooms },
        ownLocks: this.#ownLocks.read(this.#keptAs(source)),
        ...(blindFrom === undefined ? {} : { blindFrom }),
      },
      source,
      this.#listener(about.topology),
      this.#pool,
      sink,
    );
    this.#handles.push(handle);
    if (this.#handles.length > this.#options.redisUrls.length) this.#setRoomsSoon();
    this.changed();
    return handle;
  }

  #listener(topology: WatchUrl['kind']): SourceListener {
    const { store, parts, moved, onServer } = this.#ours;
    return {
      onEvents(from, arrived) {
        for (const part of parts(arrived)) {
          for (const range of store.withoutFacts(part)) {
            const events = from.renumber(range, store.history.nextSeq());
            store.add(topology === 'cluster' ? moved(events) : events);
          }
        }
      },
      onEvicted: (from, locks) => store.forgetLocks(from.id, locks),
      onUnread: (from, locks) => store.setUnread(from.id, locks),
      onLost(from, blindFrom) {
        if (blindFrom !== undefined) store.add([blindSpot(from.id, blindFrom, store.history.nextSeq())]);
        store.forgetSource(from.id);
      },
      onServer,
      onChanged: this.#changedSoon,
    };
  }

  #divide(sources: number): void {
    const { redisUrls, isPastAsked } = this.#options;
    this.#rooms = sharesOf(this.#memory, Math.max(sources, redisUrls.length), isPastAsked);
  }

  #setRooms(): void {
    this.#divide(this.#handles.length);
    this.#ours.store.setRooms(this.#rooms);
    for (const handle of this.#handles) handle.setRooms(this.#rooms);
  }

  /** Removes the source and its locks together, so that no reader sees one without the other. */
  async #close(handle: SourceHandle): Promise<void> {
    if (this.#ending.has(handle)) return;
    this.#ending.add(handle);
    await handle.stop();
    const place = this.#handles.indexOf(handle);
    if (place === -1) return;
    this.#handles.splice(place, 1);
    this.#ours.store.forgetSource(handle.id, true);
  }

  #follow(url: Exclude<WatchUrl, { kind: 'single' }>, sink: RecordingSink | undefined): void {
    const { kind: topology, displayUrl: shownUrl } = url;
    let own = [sink];
    const sources = new TopologySources(openTopology(url), {
      memory: () => this.#memory,
      open: (place) => {
        const [at = this.#lateSink()] = own;
        own = [];
        return this.#open(this.#nextId(url), { shownUrl, topology, place }, this.#options.level, at);
      },
      close: (handle) => void this.#close(handle),
    });
    this.#topologies.push(sources);
    sources.start();
  }

  /**
   * The sink of a source that was added after the start; `undefined` if nothing is recorded, or its file cannot be
   * created.
   */
  #lateSink(): RecordingSink | undefined {
    try {
      return this.#options.openSink?.(this.#files++);
    } catch (error) {
      this.#options.log?.warn(`${error instanceof Error ? error.message : error} A shard is not recorded.`);
      return undefined;
    }
  }

  /**
   * `redis` if there can be only one source, else `redis-1`, `redis-2`, … A cluster may get more sources at any time.
   */
  #nextId({ kind }: WatchUrl): string {
    return this.#urls.length === 1 && kind !== 'cluster' ? 'redis' : `redis-${++this.#ids}`;
  }
}

/** Parses a URL that the caller has checked. Throws if it cannot be parsed. */
function watchUrlOf(text: string): WatchUrl {
  const url = parseWatchUrl(text);
  if (!url.ok) throw new Error(url.error);
  return url.value;
}
