import { isDeepStrictEqual } from 'node:util';
import { redisTime } from '../../../shared/base/time.ts';
import type { Interpreter } from '../../../shared/events/interpreter.ts';
import type { Problem } from '../../../shared/wire/problems/problem.ts';
import type { Source } from '../../../shared/wire/source.ts';
import { isWatched } from '../../../shared/wire/watched.ts';
import { problemFromError } from '../../redis/connection/problem.ts';
import { monotonicMs, steadyMs } from '../../redis/connection/surroundings.ts';
import type { RefusedRights } from '../../redis/rights/refused-rights.ts';
import type { OrderedFeed } from '../../redis/stream/ordered-feed.ts';
import type { RedisClock } from '../../redis/stream/redis-clock.ts';
import type { KeyReader } from '../reads/key-reader.ts';
import type { ReadingMemory } from '../reads/reading-memory.ts';
import type { UnreadLock } from '../terms/quarantine.ts';
import { recordedLacks } from '../terms/source-lacks.ts';
import type { GuardedLevel } from './guarded-level.ts';
import { SourceStatus } from './source-status.ts';
import type { SourceStream } from './source-stream.ts';
import type { FromWorker, Place, SourceOptions } from './worker-messages.ts';

/** A server with fewer commands a second is idle. */
const IDLE_OPS = 2;
const FIGURES_EVERY_MS = 5000;
const TICK_SLACK_MS = 100;
/** The most names of own locks in a status, and the most characters of each. */
const MOST_OWN_LOCKS = 10;
const MOST_CHARACTERS = 200;

/** The input of the reports. A part is `undefined` while there is no connection. */
type Watched = {
  readonly stream: SourceStream;
  readonly guarded: GuardedLevel;
  readonly reading: ReadingMemory;
  readonly clock: RedisClock;
  readonly rights: RefusedRights;
  place(): Place | null;
  feed(): OrderedFeed | undefined;
  reader(): KeyReader | undefined;
};

/**
 * Reports a source to the main thread: its status, until when its events are complete, and which locks are not read.
 */
export class SourceReports {
  readonly status: SourceStatus;
  readonly #shownUrl: string;
  readonly #post: (message: FromWorker) => void;
  readonly #watched: Watched;
  #beat: { readonly lagMs: number; readonly reportedUntil: number } | undefined;
  /** The last report, without figures, and its time. */
  #facts = '';
  #postedAt = Number.NEGATIVE_INFINITY;
  /** Unread locks as last reported. */
  #unread: readonly UnreadLock[] = [];

  constructor(options: SourceOptions, post: (message: FromWorker) => void, watched: Watched) {
    this.status = new SourceStatus(options, watched.clock);
    this.#shownUrl = options.shownUrl;
    this.#post = post;
    this.#watched = watched;
  }

  /** Reports the status, and the unread locks if they have changed. */
  report(): void {
    this.#postSource(this.#source());
  }

  /** Reports the measured figures. While the server is idle and only figures change, every 5 s. */
  reportMeasured(): void {
    const source = this.#source();
    const isDue = steadyMs() >= this.#postedAt + FIGURES_EVERY_MS - TICK_SLACK_MS;
    if (isDue || !isIdle(source) || JSON.stringify(factsOf(source)) !== this.#facts) this.#postSource(source);
    else this.#reportUnread();
  }

  #source(): Source {
    const { stream, guarded, place, feed, reader } = this.#watched;
    const source = this.status.report(feed(), guarded.levels, guarded.guard, place(), reader()?.unseen);
    const heardAt = feed()?.heardAt;
    if (heardAt !== undefined && isWatched(source)) stream.recording.see(recordedLacks(source), redisTime(heardAt));
    return Object.assign(source, ownLocksOf(stream.pipeline.interpreter));
  }

  #postSource(source: Source): void {
    this.#facts = JSON.stringify(factsOf(source));
    this.#postedAt = steadyMs();
    this.#post({ type: 'source', source });
    this.#reportUnread();
  }

  /** Checks our delay; called several times a second. Does not wait for Redis, so it notices a missing reply. */
  beat(feed: OrderedFeed): void {
    const pulse = feed.pulse();
    if (!this.#watched.guarded.hear(pulse)) return;
    if (this.status.hear(pulse, this.shownUrl)) this.report();
  }

  /** Reports at once that everything before a beat was reported. Until the next beat, nothing later is proven. */
  beatHeard(): void {
    const feed = this.#watched.feed();
    const { readAt } = this.#watched.reader() ?? {};
    if (feed && readAt !== undefined) this.#postBeat(feed.pulse().lagMs, readAt);
  }

  /** Until the first heartbeat is complete, events are complete only up to the beginning of the connection. */
  connected(feed: OrderedFeed): void {
    if (!this.#beat) this.#postBeat(0, feed.heardAt);
  }

  /** Reports a server that has not answered for this long, unless another problem is known. */
  silent(waitedMs: number): void {
    if (this.status.noteSilence(waitedMs, this.shownUrl)) this.report();
  }

  problemFrom(error: unknown): Problem {
    return problemFromError(error, this.shownUrl, this.#watched.rights.user);
  }

  /** The address of the watched server, without credentials. */
  get shownUrl(): string {
    return this.#watched.place()?.server.displayUrl ?? this.#shownUrl;
  }

  #reportUnread(): void {
    const { stream, reading } = this.#watched;
    const { keys } = stream.pipeline.interpreter;
    const locks = reading.quarantine.locks(({ db, name }) => keys.find(db, name) !== undefined);
    if (isDeepStrictEqual(locks, this.#unread)) return;
    this.#unread = locks;
    this.#post({ type: 'unread', locks });
  }

  /** `reportedUntil` is a time of `steadyMs` in this thread. A beat that equals the one before is not posted. */
  #postBeat(lagMs: number, reportedUntil: number): void {
    if (this.#beat?.lagMs === lagMs && this.#beat.reportedUntil === reportedUntil) return;
    this.#beat = { lagMs, reportedUntil };
    const agoMs = steadyMs() - reportedUntil;
    this.#post({ type: 'source-beat', beat: { lagMs, reportedUntil: monotonicMs() - agoMs } });
  }
}

function isIdle({ linesPerSecond, monitor }: Source): boolean {
  return linesPerSecond === 0 && (monitor?.opsPerSecond ?? IDLE_OPS) < IDLE_OPS;
}

/** A source without the figures that change at each measurement. */
function factsOf({ lagMs: _, clockOffsetMs: __, monitor: ___, server: ____, ...facts }: Source) {
  return facts;
}

/** Keys that look like an application's own locks, as the source's status reports them; `{}` without such keys. */
function ownLocksOf({ ownLocks, keys }: Interpreter): Pick<Source, 'ownLocks'> {
  const { isShown, isMore } = ownLocks;
  const offered = ownLocks.at(keys.now);
  const decided = [...ownLocks.decisions].map(([form, isLock]) => ({ form: form.slice(0, MOST_CHARACTERS), isLock }));
  if (offered.length === 0 && !isShown && decided.length === 0) return {};
  const names = offered.slice(0, MOST_OWN_LOCKS).map(({ name }) => name.slice(0, MOST_CHARACTERS));
  return { ownLocks: { count: offered.length, isMore, names, isShown, ...(decided.length > 0 && { decided }) } };
}
