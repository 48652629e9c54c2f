import { millisBetween, plusMillis, type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { Demo } from '../../../shared/wire/demo.ts';
import type { LiveStore } from '../../data/live-store.ts';
import { redisNow } from '../../data/window/window-of.ts';
import { beatsFromEvents, type Storyboard } from '../script/beats-from-events.ts';
import { castWith } from '../script/cast.ts';
import { NO_RUN } from '../script/run.ts';
import { withToldGroups } from '../script/told-groups.ts';
import { advanced, atEdge, type Playback, stepped } from './playback.ts';
import { beatIndex, startOf } from './position.ts';
import { type StagePicture, stageAt } from './stage-at.ts';
import { StageEvents } from './stage-events.ts';
import { stageLocks } from './stage-locks.ts';
import { type StepsShown, stepsOnStage } from './steps-shown.ts';

export const SPEEDS = [0.25, 0.5, 1, 2, 4] as const;
export type Speed = (typeof SPEEDS)[number];

/** What React renders; the same object until something other than motion has changed. */
export type StageView = {
  readonly score: Storyboard;
  readonly picture: StagePicture;
  readonly isPlaying: boolean;
  readonly speed: Speed;
  /** How far the stage is behind the edge. */
  readonly behindMs: number;
  readonly hasNext: boolean;
  readonly steps: StepsShown;
};

/** The stage is this far behind Redis's clock, so that an envelope can leave before its event lands. */
const LAG_MS = 700;
/** React renders at most this often while only time passes. */
const WORDS_EVERY_MS = 100;
/** A longer frame counts as this long, so that a hidden page continues where it was. */
const LONGEST_FRAME_MS = 250;
/** While following, the stage jumps to now if the next beat is farther behind than this. */
const FAR_BEHIND_MS = 15_000;
/** The most events; no scenario has that many. In a long session by hand, the oldest are dropped. */
const MOST_EVENTS = 3000;

const NOTHING = beatsFromEvents(NO_RUN);

/** Plays the show: takes events and faults as they arrive, and moves through them as the user wants. */
export class StagePlayer {
  readonly events: StageEvents;
  readonly #live: LiveStore;
  #demo: Demo | null = null;
  #score = NOTHING;
  #playback: Playback = { position: startOf(NOTHING), isPlaying: true, readMs: 0 };
  #speed: Speed = 1;
  #view: StageView;
  #seen: readonly unknown[] = [];
  #shownAt = 0;
  #lastFrameAt = 0;
  #frame = 0;
  /** True once the window has been read: the stage then jumps to its end. */
  #isLoaded = false;
  /** True if no script is running and everything has been shown: actions by hand are shown as they arrive. */
  #isFollowing = false;
  readonly #listeners = new Set<() => void>();
  readonly #frames = new Set<(picture: StagePicture, score: Storyboard) => void>();

  constructor(live: LiveStore) {
    this.#live = live;
    this.events = new StageEvents(live);
    this.#view = this.#makeView(stageAt(NOTHING, this.#playback.position));
  }

  get = (): StageView => this.#view;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Calls `listener` every frame; returns the function that ends this. */
  onFrame(listener: (picture: StagePicture, score: Storyboard) => void): () => void {
    this.#frames.add(listener);
    return () => this.#frames.delete(listener);
  }

  /** Starts the clock; returns the function that stops it. */
  run(): () => void {
    this.#lastFrameAt = performance.now();
    const frame = (now: number) => {
      this.#frame = requestAnimationFrame(frame);
      this.#tick(Math.min(LONGEST_FRAME_MS, Math.max(0, now - this.#lastFrameAt)), now);
      this.#lastFrameAt = now;
    };
    this.#frame = requestAnimationFrame(frame);
    return () => cancelAnimationFrame(this.#frame);
  }

  /** Takes a response of the demo. A new run is shown from its beginning. */
  take(demo: Demo, lock: string): void {
    const before = this.#demo;
    const isNew = before?.startedAt !== demo.startedAt || this.#score.run.lock !== lock;
    this.#demo = demo;
    this.#rescore(lock);
    if (!isNew) return;
    this.#isFollowing = false;
    if (before === null || before.startedAt === demo.startedAt) this.goLive();
    else this.#playback = { position: startOf(this.#score), isPlaying: true, readMs: 0 };
  }

  /** Everything before this instant is known: events and faults. */
  edge(): RedisTime {
    const known = plusMillis(redisNow(this.#live), -LAG_MS);
    const { at, state } = this.#demo ?? {};
    return state === 'running' && at !== undefined ? redisTime(Math.min(known, at)) : known;
  }

  toggle(): void {
    this.#isFollowing = false;
    this.#set({ ...this.#playback, isPlaying: !this.#playback.isPlaying });
  }

  step(by: 1 | -1): void {
    this.#isFollowing = false;
    this.#set(stepped(this.#playback, this.#score, by, this.edge()));
  }

  restart(): void {
    this.#isFollowing = false;
    this.#set({ position: startOf(this.#score), isPlaying: true, readMs: 0 });
  }

  goLive(): void {
    this.#set({ position: atEdge(this.#score, this.edge()), isPlaying: true, readMs: 0 });
  }

  setSpeed(speed: Speed): void {
    this.#speed = speed;
    this.#set(this.#playback);
  }

  #set(playback: Playback): void {
    this.#playback = playback;
    this.#show(performance.now(), true);
  }

  #tick(screenMs: number, now: number): void {
    if (this.events.haveChanged) this.#rescore(this.#score.run.lock);
    if (!this.#isLoaded) {
      if (!this.events.isComplete) return;
      this.#isLoaded = true;
      this.goLive();
    }
    const edge = this.edge();
    this.#follow(edge);
    const pace = { edge, speed: this.#speed, isFree: this.#isFollowing };
    this.#playback = advanced(this.#playback, screenMs, this.#score, pace);
    this.#show(now, false);
  }

  /**
   * After a script has ended and been shown, the stage follows actions by hand, and never falls far behind.
   */
  #follow(edge: RedisTime): void {
    if (this.#demo?.state === 'running') this.#isFollowing = false;
    else if (this.#playback.isPlaying && !this.#view.hasNext) this.#isFollowing = true;
    if (!this.#isFollowing) return;
    const index = beatIndex(this.#score, this.#playback.position);
    const next = this.#score.beats[index + 1];
    if (next && millisBetween(next.at, edge) > FAR_BEHIND_MS) this.goLive();
  }

  #rescore(lock: string): void {
    const demo = this.#demo;
    if (!demo) return;
    const locks = stageLocks(demo, lock);
    const events = this.events.of(locks);
    const from = redisTime(demo.startedAt ?? events[0]?.at ?? 0);
    const recent = events.filter((event) => event.at >= from).slice(-MOST_EVENTS);
    const cast = castWith(this.#score.run.cast, demo);
    const { groupOperations = [] } = demo;
    this.#score = beatsFromEvents({
      scenario: demo.scenario,
      lock,
      locks,
      servers: demo.servers ?? [],
      localLocks: demo.localLocks ?? [],
      tellings: demo.tellings ?? [],
      serverFaults: demo.serverFaults ?? [],
      from,
      watchdogMs: demo.watchdogMs ?? null,
      groupOperations,
      cast,
      events: withToldGroups({ cast, groupOperations }, recent),
      faults: demo.faults ?? [],
    });
  }

  #show(now: number, isAtOnce: boolean): void {
    const picture = stageAt(this.#score, this.#playback.position);
    for (const listener of this.#frames) listener(picture, this.#score);
    const { beat, caption, envelope, locks, overdue } = picture;
    const seen = [
      beat?.id,
      caption,
      envelope?.label,
      envelope?.way,
      overdue?.dueAt,
      this.#score,
      ...locks.map(({ lock }) => lock),
    ];
    const isOther =
      seen.length !== this.#seen.length ||
      seen.some((part, index) => part !== this.#seen[index]) ||
      (picture.lensMs === null) !== (this.#view.picture.lensMs === null);
    if (!isAtOnce && !isOther && now - this.#shownAt < WORDS_EVERY_MS) return;
    this.#seen = seen;
    this.#shownAt = now;
    this.#view = this.#makeView(picture);
    for (const listener of this.#listeners) listener();
  }

  #makeView(picture: StagePicture): StageView {
    const edge = this.edge();
    const index = this.#score.beats.findIndex(({ id }) => id === picture.beat?.id);
    const next = this.#score.beats[index + 1];
    return {
      score: this.#score,
      picture,
      isPlaying: this.#playback.isPlaying,
      speed: this.#speed,
      behindMs: Math.max(0, millisBetween(picture.at, edge)),
      hasNext: next !== undefined && next.at <= edge,
      steps: stepsOnStage(this.#demo, this.#score, this.#playback.position, edge),
    };
  }
}

const players = new WeakMap<LiveStore, StagePlayer>();

/** The player of a live store, created on the first call. It outlives its page. */
export function playerOf(live: LiveStore): StagePlayer {
  const known = players.get(live) ?? new StagePlayer(live);
  players.set(live, known);
  return known;
}
