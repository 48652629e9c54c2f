import { plusMillis, type RedisTime, redisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import { DETECTORS } from '../../shared/insights/detectors/all.ts';
import { wantedEvents } from '../../shared/insights/run.ts';
import type { BlindReason } from '../../shared/signals/blind-reason.ts';
import { lockIdOf } from '../../shared/state/lock-state.ts';
import type { Source } from '../../shared/wire/source.ts';
import type { Answers } from '../watch/answers/answers.ts';
import type { EventHistory } from '../watch/history/event-history.ts';
import type { Sliced } from '../watch/slices/in-slices.ts';
import { EventStore } from '../watch/store/event-store.ts';
import type { MemoryShares } from '../watch/terms/memory-shares.ts';
import { placedAnswers } from '../watch/topology/placed-locks.ts';
import type { BackQuery, Part, StoredBack, StoredRange } from './parts.ts';
import { withGroups } from './reads/read-back.ts';
import { parseStreamLine } from './stream-lines.ts';

const WANTS = wantedEvents(DETECTORS);
const WANTED = new Set(WANTS.types);
/** How many lines are read in one slice. */
const LINES = 100;

/** The answers and the events of a range of the store. */
export type RangeAnswers = { readonly answers: Answers; readonly history: EventHistory };

/** Passes the parts of a stored range, in order, to the classes that answer from memory. */
export class RangeReplay {
  readonly store: EventStore;
  readonly #range: StoredRange;
  #at: RedisTime;
  /** The time of the line about sources that is being taken; undefined: no such line is being taken. */
  #lineAt: RedisTime | undefined;
  #sources: readonly Source[] = [];
  /** The locks with an event that detectors want. */
  readonly #wantedLocks = new Set<string>();
  /** Events that correct the group of events before the range. */
  readonly #regroups: LockEvent[] = [];
  /** A run has begun. Once the blind spot before it is noted, what was held before is unknown. */
  #isRunNew = false;

  /** `now`: the present, if the stream goes on; absent: the range is all there is. */
  constructor(range: StoredRange, rooms: MemoryShares, now?: () => RedisTime) {
    this.#range = range;
    this.#at = redisTime(range.from);
    this.store = new EventStore(
      () => this.#lineAt ?? now?.() ?? this.#at,
      rooms,
      now ? undefined : Number.POSITIVE_INFINITY,
    );
  }

  /**
   * The latest time of an event or a line about sources, at least the beginning of the range; after `work`, at least
   * its end.
   */
  get at(): RedisTime {
    return this.#at;
  }

  get bytes(): number {
    const { eventsBytes, locksBytes } = this.store.memory();
    return eventsBytes + locksBytes;
  }

  /** Takes the whole range, in short pieces. */
  *work(): Sliced<void> {
    const { parts, from, to } = this.#range;
    for (const [n, part] of parts.entries()) yield* this.take(part, n === 0);
    this.#at = redisTime(Math.max(this.#at, to));
    this.store.history.beginAt(redisTime(from));
    this.store.sourcesChanged(this.#sources);
  }

  /** Which events before the range detectors may need at an instant in it; undefined: the range begins with a run. */
  wantedBefore(): Omit<BackQuery, 'source' | 'most'> | undefined {
    const { after, from } = this.#range;
    const { types, beside, withinMs } = WANTS;
    const since = plusMillis(redisTime(from), -withinMs);
    return after && { ...after, since, types, beside, locks: [...this.#wantedLocks] };
  }

  /** Takes events from before the range. Only detectors get them: they are not a part of the history. */
  takeBefore({ events, from }: StoredBack): void {
    this.store.history.setEarlier(withGroups(events, this.#regroups), redisTime(from));
  }

  answers(): RangeAnswers {
    const { history, answers } = this.store;
    return {
      answers: placedAnswers(answers, (id) => this.#sources.find((source) => source.id === id)),
      history: Object.assign(history, { signals: async () => undefined }),
    };
  }

  /** Takes the next part of the stream. */
  *take(part: Part, isFirst: boolean): Sliced<void> {
    switch (part.kind) {
      case 'run':
        if (isFirst) return;
        if (part.gap === 'not-stored') this.#blind(part.endOfBefore ?? part.beganAt, 'not-stored', part.beganAt);
        else this.#isRunNew = true;
        return;
      case 'checkpoint': {
        const end = part.text.indexOf('\n') + 1;
        this.#line(part.text.slice(0, end - 1), []);
        yield* this.store.restore(part.text.slice(end), redisTime(part.at));
        return;
      }
      case 'block':
        return yield* this.#block(part.text);
      case 'end':
        return this.#blind(part.at + 1, 'not-running');
    }
  }

  /** Takes the facts about the sources now. */
  show(sources: readonly Source[]): void {
    this.#sources = sources;
    this.store.sourcesChanged(sources);
  }

  *#block(text: string): Sliced<void> {
    let events: LockEvent[] = [];
    let lines = 0;
    for (let from = 0; from < text.length; ) {
      const end = text.indexOf('\n', from);
      this.#line(text.slice(from, end), events);
      from = end + 1;
      if (++lines % LINES > 0 && from < text.length) continue;
      this.#add(events);
      events = [];
      yield;
    }
  }

  /** Takes one line. An event is gathered in `events`; any other line first adds the gathered events. */
  #line(text: string, events: LockEvent[]): void {
    const line = parseStreamLine(text);
    if ('seq' in line) {
      events.push(line);
      return;
    }
    this.#add(events.splice(0));
    if ('gone' in line) return this.store.forgetIds(line.gone);
    this.#sources = line.sources;
    this.#at = redisTime(Math.max(this.#at, line.at));
    // the sources are watched in this way from the time of this line on, even if the run goes on
    this.#lineAt = redisTime(line.at);
    this.store.sourcesChanged(this.#sources);
    this.#lineAt = undefined;
  }

  #add(events: readonly LockEvent[]): void {
    let rest = events;
    if (this.#isRunNew && rest.length > 0) {
      const first = rest.findIndex(({ type, seq }) => type !== 'blind-spot.began' && seq > 0);
      const began = first === -1 ? rest : rest.slice(0, first);
      this.#addAll(began);
      if (first === -1) return;
      rest = rest.slice(first);
      this.#forgetAll();
    }
    this.#addAll(rest);
  }

  #addAll(events: readonly LockEvent[]): void {
    if (events.length === 0) return;
    this.store.history.continueAt(events[0]?.seq ?? 0, false);
    this.store.addAgain(events);
    for (const { at } of events) if (at > this.#at) this.#at = at;
    // If the range begins with a run, nothing is read back for it. In a stream that goes on, these lists would grow
    // without end.
    if (!this.#range.after) return;
    const first = this.store.history.oldestSeq();
    for (const event of events) {
      if (WANTED.has(event.type)) this.#wantedLocks.add(lockIdOf(event));
      if (event.groupSeqs?.some((seq) => seq < first)) this.#regroups.push(event);
    }
  }

  #forgetAll(): void {
    this.#isRunNew = false;
    this.store.forgetWorld();
  }

  /** Adds a blind spot for each source, from `at` to `to`. Absent `to`: it does not end. */
  #blind(at: number, reason: BlindReason, to?: number): void {
    const about = { db: 0, lock: '', kind: 'lock', certainty: 'observed' } as const;
    const spots = this.#sources.map(({ id }): LockEvent => {
      return { ...about, source: id, at: redisTime(at), seq: 0, type: 'blind-spot.began', reason };
    });
    this.#addNew(spots);
    this.store.forgetWorld();
    if (to === undefined) return;
    this.#addNew(
      this.#sources.map(({ id }): LockEvent => {
        const ended = { type: 'blind-spot.ended', reason: 'watching-again', from: redisTime(at) } as const;
        return { ...about, source: id, at: redisTime(to), seq: 0, ...ended };
      }),
    );
  }

  /** Adds events that are not stored. They take the numbers after the newest event. */
  #addNew(events: readonly LockEvent[]): void {
    const next = this.store.history.nextSeq();
    this.#addAll(events.map((event, n) => ({ ...event, seq: next + n })));
  }
}
