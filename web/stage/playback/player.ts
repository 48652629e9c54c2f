import { millisBetween, plusMillis, type RedisTime } from '../../../shared/base/time.ts';
import type { Demo } from '../../../shared/wire/demo.ts';
import type { LiveStore } from '../../data/live/live-store.ts';
import { redisNow } from '../../data/window/window-of.ts';
import { beatsFromEvents, type Storyboard } from '../beats/beats-from-events.ts';
import { NO_RUN } from '../script/run.ts';
import { FrameClock } from './frame-clock.ts';
import { advanced, atEdge, type Playback, stepped } from './playback.ts';
import { beatIndex, startOf } from './position.ts';
import { ReportedUntil } from './reported-until.ts';
import { type StagePicture, stageAt } from './stage-at.ts';
import { StageEvents } from './stage-events.ts';
import { stageLocks } from './stage-locks.ts';
import { isSameView, type Speed, type StageView } from './stage-view.ts';
import { stepsOnStage } from './steps-shown.ts';
import { storyboardOf, storyKey } from './storyboard-of.ts';

/** The stage is this far behind Redis's clock, so that an envelope can leave before its event lands. */
const LAG_MS = 700;
/** While only time passes, React renders at most once in this time. */
const WORDS_EVERY_MS = 100;
/** While following, the stage jumps to now if the next beat is farther behind than this. */
const FAR_BEHIND_MS = 15_000;

const NOTHING = beatsFromEvents(NO_RUN);

/** Plays the show: takes events and faults as they arrive, and moves through them as the user wants. */
export class StagePlayer {
  readonly events: StageEvents;
  readonly #live: LiveStore;
  #demo: Demo | null = null;
  #storyboard = NOTHING;
  #playback: Playback = { position: startOf(NOTHING), isPlaying: true, readMs: 0 };
  #speed: Speed = 1;
  #view: StageView;
  #seen: readonly unknown[] = [];
  #shownAt = 0;
  #storyKey = '';
  /** True once the window has been read and the stage has jumped to the newest instant. */
  #isLoaded = false;
  /** True if no script is running and everything has been shown: actions by hand are shown as they arrive. */
  #isFollowing = false;
  #isByHand = false;
  readonly #reported = new ReportedUntil();
  readonly #listeners = new Set<() => void>();
  readonly #clock = new FrameClock((screenMs, now) => this.#tick(screenMs, now));
  readonly #frames = new Set<(picture: StagePicture, storyboard: Storyboard) => void>();

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

  /**
   * Calls `listener` with each picture, also if React does not render it. Returns the function that unsubscribes it.
   */
  onFrame(listener: (picture: StagePicture, storyboard: Storyboard) => void): () => void {
    this.#frames.add(listener);
    return () => this.#frames.delete(listener);
  }

  /** Asks for a frame at once, because what is drawn has changed. */
  redraw(): void {
    this.#clock.wake();
  }

  /** Starts the clock; returns the function that stops it. */
  run(): () => void {
    return this.#clock.run();
  }

  /**
   * Takes a response of the demo. A new run is shown from its beginning. The first response, and another lock in the
   * same run, is shown at its newest instant.
   */
  take(demo: Demo, lock: string): void {
    const before = this.#demo;
    const isNew = before?.startedAt !== demo.startedAt || this.#storyboard.run.lock !== lock;
    this.#demo = demo;
    this.#reported.take(demo);
    const storyboard = this.#storyboard;
    this.#updateStoryboard(lock);
    if (isNew || demo.state === 'running' || this.#storyboard !== storyboard) this.#clock.wake();
    if (!isNew) return;
    this.#isFollowing = false;
    this.#isByHand = false;
    if (before === null || before.startedAt === demo.startedAt) this.goLive();
    else this.#playback = { position: startOf(this.#storyboard), isPlaying: true, readMs: 0 };
  }

  /** Everything before this instant is known: events and faults. */
  edge(): RedisTime {
    return this.#reported.edge(this.#aMomentAgo(), this.#live.get().seq);
  }

  #aMomentAgo(): RedisTime {
    return plusMillis(redisNow(this.#live), -LAG_MS);
  }

  #takeOver(): void {
    this.#isFollowing = false;
    this.#isByHand = true;
  }

  toggle(): void {
    this.#takeOver();
    this.#set({ ...this.#playback, isPlaying: !this.#playback.isPlaying });
  }

  step(by: 1 | -1): void {
    this.#takeOver();
    this.#set(stepped(this.#playback, this.#storyboard, by, this.edge()));
  }

  restart(): void {
    this.#takeOver();
    this.#set({ position: startOf(this.#storyboard), isPlaying: true, readMs: 0 });
  }

  goLive(): void {
    this.#isByHand = false;
    this.#set({ position: atEdge(this.#storyboard, this.edge()), isPlaying: true, readMs: 0 });
  }

  setSpeed(speed: Speed): void {
    this.#speed = speed;
    this.#set(this.#playback);
  }

  #set(playback: Playback): void {
    this.#playback = playback;
    this.#show(performance.now(), true);
    this.#clock.wake();
  }

  /** One frame; returns whether the next one may differ. */
  #tick(screenMs: number, now: number): boolean {
    if (this.events.haveChanged) this.#updateStoryboard(this.#storyboard.run.lock);
    if (!this.#isLoaded) {
      if (!this.events.isComplete) return true;
      this.#isLoaded = true;
      this.goLive();
    }
    const edge = this.edge();
    this.#follow(edge);
    const pace = { edge, speed: this.#speed, isFree: this.#isFollowing };
    const before = this.#playback;
    this.#playback = advanced(before, screenMs, this.#storyboard, pace);
    this.#show(now, false);
    const isAwaiting = this.#demo?.state === 'running' || edge < this.#aMomentAgo();
    return (this.#playback.isPlaying && isAwaiting) || this.#playback.position !== before.position;
  }

  /**
   * After a script has ended and been shown, the stage follows actions by hand, and never falls far behind.
   */
  #follow(edge: RedisTime): void {
    if (this.#demo?.state === 'running') this.#isFollowing = false;
    else if (this.#playback.isPlaying && !this.#view.hasNext) this.#isFollowing = true;
    if (!this.#isFollowing) return;
    const index = beatIndex(this.#storyboard, this.#playback.position);
    const next = this.#storyboard.beats[index + 1];
    if (next && millisBetween(next.at, edge) > FAR_BEHIND_MS) this.goLive();
  }

  #updateStoryboard(lock: string): void {
    const demo = this.#demo;
    if (!demo) return;
    const locks = stageLocks(demo, lock);
    const events = this.events.of(locks);
    const key = storyKey(demo, lock, this.events.version);
    if (key === this.#storyKey) return;
    this.#storyKey = key;
    this.#storyboard = storyboardOf({ demo, lock, locks, events, cast: this.#storyboard.run.cast });
  }

  #show(now: number, isAtOnce: boolean): void {
    const picture = stageAt(this.#storyboard, this.#playback.position);
    for (const listener of this.#frames) listener(picture, this.#storyboard);
    const { beat, caption, envelope, locks, overdue } = picture;
    const seen = [
      beat?.id,
      caption,
      envelope?.label,
      envelope?.way,
      overdue?.dueAt,
      this.#storyboard,
      ...locks.map(({ lock }) => lock),
    ];
    const isOther =
      seen.length !== this.#seen.length ||
      seen.some((part, index) => part !== this.#seen[index]) ||
      (picture.lensMs === null) !== (this.#view.picture.lensMs === null);
    if (!isAtOnce && !isOther && now - this.#shownAt < WORDS_EVERY_MS) return;
    this.#shownAt = now;
    const view = this.#makeView(picture);
    if (!isAtOnce && !isOther && isSameView(view, this.#view)) return;
    this.#seen = seen;
    this.#view = view;
    for (const listener of this.#listeners) listener();
  }

  #makeView(picture: StagePicture): StageView {
    const edge = this.edge();
    const index = this.#storyboard.beats.findIndex(({ id }) => id === picture.beat?.id);
    const next = this.#storyboard.beats[index + 1];
    const hasMore = next !== undefined && next.at <= edge;
    return {
      storyboard: this.#storyboard,
      picture,
      isPlaying: this.#playback.isPlaying,
      isByHand: this.#isByHand,
      speed: this.#speed,
      behindMs: Math.max(0, millisBetween(picture.at, edge)),
      hasNext: hasMore,
      steps: {
        ...stepsOnStage(this.#demo, this.#storyboard, this.#playback.position, edge),
        isPlaying: this.#playback.isPlaying,
        hasMore,
      },
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
