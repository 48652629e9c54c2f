import { type RedisTime, redisTime } from '../../shared/base/time.ts';
import type { Report } from '../../shared/insights/insight.ts';
import type { Answers } from '../watch/answers/answers.ts';
import type { EventHistory } from '../watch/history/event-history.ts';
import { PastGone } from '../watch/terms/past-gone.ts';
import type { EventQuery, InsightQuery } from '../watch/terms/queries.ts';
import type { OpenedRange, OpenedRanges } from './opened-ranges.ts';

type Live = { readonly answers: Answers; readonly history: EventHistory };

/** The requests that may be about instants that memory no longer has. */
type PastAnswers = Pick<
  Answers,
  | 'lockPage'
  | 'pastLocksNamed'
  | 'detail'
  | 'clientPage'
  | 'rhythm'
  | 'traits'
  | 'insights'
  | 'graph'
  | 'waitCosts'
  | 'trends'
  | 'unseenAt'
  | 'window'
  | 'outline'
  | 'spans'
>;

/** What the store adds to memory. */
type Stored = {
  readonly ranges: OpenedRanges;
  /** The oldest instant that is stored; null: nothing is. */
  readonly oldest: () => RedisTime | null;
  /**
   * When this process began to store; undefined: not yet. About the time before, memory has at most the beginning of a
   * blind spot.
   */
  readonly began: () => RedisTime | undefined;
  /** About when the event with this `seq` happened, if it is stored. */
  readonly timeOfEvent: (seq: number) => Promise<number | undefined>;
};

/** Reads answers about instants that memory no longer has from the store, and all others from memory. */
export class StoredAnswers {
  readonly #live: Live;
  readonly #stored: Stored;

  constructor(live: Live, stored: Stored) {
    this.#live = live;
    this.#stored = stored;
  }

  /** The oldest instant that memory or the store has. */
  get oldestAt(): RedisTime | undefined {
    const { oldestAt } = this.#live.history;
    const stored = this.#stored.oldest();
    if (stored === null) return oldestAt;
    return oldestAt === undefined || stored < oldestAt ? stored : oldestAt;
  }

  /** The answers to requests about the past. */
  answers(): PastAnswers {
    const { answers } = this.#live;
    return {
      lockPage: async (query, signal) =>
        (await this.#at(query.at, signal))?.answers.lockPage(query, signal) ?? answers.lockPage(query, signal),
      pastLocksNamed: async (name, where, at, signal) =>
        ((await this.#at(at, signal))?.answers ?? answers).pastLocksNamed(name, where, at, signal),
      detail: async (lock, at, signal) => ((await this.#at(at, signal))?.answers ?? answers).detail(lock, at, signal),
      clientPage: async (query, signal) =>
        ((await this.#at(query.at, signal))?.answers ?? answers).clientPage(query, signal),
      rhythm: async (query, signal) => ((await this.#at(query.to, signal))?.answers ?? answers).rhythm(query, signal),
      traits: async (query, signal) => ((await this.#at(query.at, signal))?.answers ?? answers).traits(query, signal),
      insights: (query, signal) => this.#insights(query, signal),
      graph: async (query = {}, signal) =>
        ((await this.#at(query.at, signal))?.answers ?? answers).graph(query, signal),
      waitCosts: async (query, signal) => {
        const range = await this.#range(query.from, query.to, signal);
        if (!range) return answers.waitCosts(query, signal);
        return range.answers.waitCosts({ ...query, to: redisTime(Math.min(query.to, range.to)) }, signal);
      },
      trends: async (query, signal) =>
        ((await this.#range(query.from, query.to, signal))?.answers ?? answers).trends(query, signal),
      unseenAt: async (at, signal) => ((await this.#at(at, signal))?.answers ?? answers).unseenAt(at, signal),
      window: async (query, signal) => {
        const now = answers.now(query.source);
        const range = await this.#range(query.from, query.to ?? now, signal);
        const to = range ? redisTime(Math.min(query.to ?? now, range.to)) : query.to;
        const window = await (range?.answers ?? answers).window({ ...query, to }, signal);
        return { ...window, oldestAt: this.oldestAt ?? window.oldestAt };
      },
      outline: async (query, signal) => {
        const range = await this.#range(query.from, query.to, signal);
        const to = Math.min(query.to, range?.to ?? query.to);
        const outline = await (range?.answers ?? answers).outline({ ...query, to }, signal);
        return { ...outline, oldestAt: this.oldestAt ?? outline.oldestAt };
      },
      spans: async (query, signal) => {
        const from = query.from ?? this.#live.history.oldestAt ?? 0;
        const range = await this.#range(from, query.to ?? answers.now(), signal);
        return (range?.answers ?? answers).spans(query, signal);
      },
    };
  }

  /** The events of memory, and, if they are requested, those before it. */
  history(): EventHistory {
    const { history } = this.#live;
    const oldestAt = () => this.oldestAt;
    return {
      get oldestAt() {
        return oldestAt();
      },
      oldestSeq: () => history.oldestSeq(),
      nextSeq: () => history.nextSeq(),
      count: () => history.count(),
      isCapped: () => history.isCapped(),
      after: (seq, limit) => history.after(seq, limit),
      signals: (seq) => history.signals(seq),
      search: async (query, signal) => (await this.#eventsOf(query, signal)).search(query, signal),
    };
  }

  async #eventsOf(query: EventQuery, signal?: AbortSignal): Promise<EventHistory> {
    const { history, answers } = this.#live;
    // A reader that goes on after a `seq` must not miss an event: memory reports which are gone.
    if (query.after !== undefined) return history;
    const isOlder = query.before !== undefined && query.before <= history.oldestSeq();
    const from = isOlder ? await this.#stored.timeOfEvent((query.before ?? 1) - 1) : query.from;
    if (from === undefined) return history;
    const to = isOlder ? from : (query.to ?? answers.now());
    return (await this.#range(from, to, signal))?.history ?? history;
  }

  /** At an instant in memory, what older events show is read from the store if memory no longer has them. */
  async #insights(query: InsightQuery, signal?: AbortSignal): Promise<Report> {
    const { at } = query;
    const range = await this.#at(at, signal);
    if (range) return range.answers.insights(query, signal);
    const known = await this.#live.answers.insights(query, signal);
    const oldest = this.#stored.oldest();
    if (at === undefined || oldest === null || oldest > at) return known;
    if (!known.cannotTell.some(({ reason }) => reason === 'memory')) return known;
    const stored = await this.#stored.ranges.open(at, at, signal).catch((error: unknown) => {
      if (error instanceof PastGone) return undefined; // the answer names what is not known
      throw error;
    });
    return stored && stored.from <= at && stored.to >= at ? stored.answers.insights(query, signal) : known;
  }

  /** The stored range with an instant; `undefined` if the instant is answered from memory, as the present always is. */
  async #at(at: RedisTime | undefined, signal?: AbortSignal): Promise<OpenedRange | undefined> {
    return at === undefined ? undefined : this.#range(at, at, signal);
  }

  /**
   * Whether a range that begins then is answered from the store: memory does not go back to it, or has only the
   * beginning of a blind spot there. A range that only memory has is answered from memory.
   */
  isStored(from: number): boolean {
    const { oldestAt } = this.#live.history;
    const began = this.#stored.began();
    const oldest = this.#stored.oldest();
    if (oldest === null) return false;
    if (oldestAt === undefined || from < oldestAt) return true;
    return from >= oldest && (began === undefined || from < began);
  }

  async #range(from: number, to: number, signal?: AbortSignal): Promise<OpenedRange | undefined> {
    if (!this.isStored(from)) return undefined;
    const first = Math.max(from, this.#stored.oldest() ?? from);
    return this.#stored.ranges.open(first, Math.max(first, to), signal);
  }
}
