import { expect, test } from 'vitest';
import { plusMillis, type RedisTime } from '../../../shared/base/time.ts';
import type { Track } from '../../timeline/model/marks.ts';
import { EN } from '../../words/en.ts';
import type { Beat, Storyboard } from '../beats/beats-from-events.ts';
import { LENS_LAND_MS } from '../beats/moves-of.ts';
import { lanesSceneAt, tracksOf, tracksUntil } from '../lanes/lanes-scene.ts';
import { actorOf, keyOfLock } from '../script/run.ts';
import { recordedStoryboard, SCENARIO_IDS } from '../testing/recorded-storyboards.ts';
import { advanced, type Playback } from './playback.ts';
import { startOf } from './position.ts';
import { type StagePicture, stageAt } from './stage-at.ts';

/* Every frame of every recorded run: cards, caption, lens and lanes show the same instant. */

const FRAME_MS = 50;

type Frame = { readonly picture: StagePicture; readonly tracks: readonly Track[] };

/** The frames of a run from its start to its end. The lanes are made again only when a moment lands, as on the page. */
function* framesOf(storyboard: Storyboard): Generator<Frame> {
  const whole = tracksOf(storyboard);
  const last = storyboard.reported.at(-1)?.moment.at ?? storyboard.run.from;
  const pace = { edge: plusMillis(last, 5000), speed: 1, isFree: false };
  let playback: Playback = { position: startOf(storyboard), isPlaying: true, readMs: 0 };
  let landed = -1;
  let tracks: readonly Track[] = [];
  for (let rest = 0; rest < 20; ) {
    const picture = stageAt(storyboard, playback.position);
    if (picture.landed !== landed) tracks = tracksUntil(storyboard, whole, picture.landed);
    landed = picture.landed;
    yield { picture, tracks };
    playback = advanced(playback, FRAME_MS, storyboard, pace);
    if (landed === storyboard.reported.length) rest++;
  }
}

/** The holders and waiters that the cards of Redis and of the clients show. */
function onCards({ locks, actors }: StagePicture): string[] {
  const held = locks.flatMap(({ key, holders }) => [...new Set(holders.map(({ letter }) => `${letter} holds ${key}`))]);
  const believing = actors
    .filter(({ state }) => state !== 'dead')
    .flatMap(({ threads }) => threads.filter(({ doing }) => doing === 'believes'))
    .map(({ letter }) => `${letter} believes`);
  return [...held, ...believing].sort();
}

/** The holders and waiters that the open bars of the lanes show. */
function onLanes(storyboard: Storyboard, tracks: readonly Track[]): string[] {
  const bars = tracks.flatMap(({ lanes, source, name }) => {
    const lock = storyboard.run.locks.find(
      (each) => each.name === name && (each.source === null || each.source === source),
    );
    return lanes.flatMap(({ holder, spans }) =>
      spans
        .filter((span) => span.kind === 'hold' && span.to === null)
        .map((span) => {
          const { letter } = actorOf(storyboard.run, holder);
          return span.kind === 'hold' && span.belief
            ? `${letter} believes`
            : `${letter} holds ${lock && keyOfLock(lock)}`;
        }),
    );
  });
  return [...new Set(bars)].sort();
}

/** Sleeping threads: each has an open wait in the lanes. */
function sleepers({ actors }: StagePicture): string[] {
  const alive = actors.filter(({ state }) => state !== 'dead');
  return alive.flatMap(({ threads }) => threads.filter(({ doing }) => doing === 'asleep').map(({ letter }) => letter));
}

function waitsOn(storyboard: Storyboard, tracks: readonly Track[]): string[] {
  const lanes = tracks.flatMap((track) => track.lanes);
  const waiting = lanes.filter(({ spans }) => spans.some(({ kind, to }) => kind === 'wait' && to === null));
  return waiting.map(({ holder }) => actorOf(storyboard.run, holder).letter);
}

/** Threads whose bar has a dashed part, because nothing renews its lease. */
function overdueOn(storyboard: Storyboard, tracks: readonly Track[], at: RedisTime): string[] {
  const { scene } = lanesSceneAt({ storyboard, tracks, at, now: at, width: 900, words: EN });
  const dashed = scene.rows.filter(({ items }) => items.some((item) => item.kind === 'hold' && item.tornX !== null));
  return dashed.flatMap(({ row }) => (row.kind === 'thread' ? [actorOf(storyboard.run, row.holder).letter] : []));
}

/** Locks whose lease is no longer renewed, as the cards of Redis show it. */
function watchdogOnRedis({ locks }: StagePicture): boolean[] {
  return locks.filter(({ holders }) => holders.length > 0).map(({ isUnrenewed }) => isUnrenewed);
}

/** As `watchdogOnRedis`, as the cards of the clients show it: the watchdog of each holder is silent. */
function watchdogOnClients({ locks, actors }: StagePicture): boolean[] {
  const threads = actors.flatMap((actor) => actor.threads.map((thread) => ({ ...thread, state: actor.state })));
  return locks
    .filter(({ holders }) => holders.length > 0)
    .map(({ holders }) =>
      holders.every(({ letter }) =>
        threads.some((thread) => thread.letter === letter && (thread.state === 'dead' || thread.watchdog === 'silent')),
      ),
    );
}

/** The latest instant that is drawn. */
function newestOn(tracks: readonly Track[]): number {
  const times = tracks.flatMap(({ lanes, events, arrows }) => [
    ...lanes.flatMap(({ spans, points }) => [
      ...spans.flatMap((span) => [
        span.from,
        span.to ?? 0,
        ...(span.kind === 'hold' ? (span.together ?? []).flatMap(({ from, to }) => [from, to ?? 0]) : []),
      ]),
      ...points.map(({ at }) => at),
    ]),
    ...events.map(({ at }) => at),
    ...arrows.map(({ toAt }) => toAt),
  ]);
  return Math.max(0, ...times);
}

/** Whether a client still attempts a lock although the caption says that it gave up its group. */
function asksAfterGivingUp({ caption, actors }: StagePicture): boolean {
  if (caption?.is !== 'several' || caption.what.is !== 'no-majority') return false;
  const { who } = caption.what;
  return actors.some(({ client, threads }) => client === who && threads.some(({ doing }) => doing === 'asks'));
}

/**
 * Whether the caption names the thread that acquired the lock, although the lock is free again. False if a lock is not
 * seen now, because it may not be free.
 */
function namesHolderOfFreeLock({ caption, locks, actors }: StagePicture): boolean {
  const isUnseen = actors.some(({ threads }) => threads.some(({ doing }) => doing === 'unseen'));
  if (caption === null || isUnseen || locks.some(({ holders }) => holders.length > 0)) return false;
  return ACQUISITIONS.has(caption.is === 'several' ? caption.what.is : caption.is);
}
const ACQUISITIONS: ReadonlySet<string> = new Set(['taken', 'woken-by-message', 'woken-by-timer', 'crowd-won']);

/** The newest caption whose moment has landed. */
function dueCaption({ beats }: Storyboard, landed: number): Beat['caption'] {
  return beats.findLast(({ moment, caption }) => moment < landed && caption !== null)?.caption ?? null;
}

test.each(SCENARIO_IDS)('%s: cards, caption, lens and lanes agree in every frame', (id) => {
  const storyboard = recordedStoryboard(id);
  let frames = 0;
  let before = { landed: 0 };
  for (const { picture, tracks } of framesOf(storyboard)) {
    const where = `frame ${frames++} at ${picture.at - storyboard.run.from} µs, beat ${picture.beat?.id}`;
    expect(onLanes(storyboard, tracks), where).toEqual(onCards(picture));
    expect(waitsOn(storyboard, tracks), where).toEqual(expect.arrayContaining(sleepers(picture)));
    expect(newestOn(tracks), where).toBeLessThanOrEqual(picture.at);
    expect(picture.caption, where).toEqual(dueCaption(storyboard, picture.landed));
    if (picture.overdue) expect(overdueOn(storyboard, tracks, picture.at), where).toContain(picture.overdue.letter);
    expect(namesHolderOfFreeLock(picture), where).toBe(false);
    expect(asksAfterGivingUp(picture), where).toBe(false);
    expect(watchdogOnRedis(picture), where).toEqual(watchdogOnClients(picture));
    if (picture.lensMs !== null && picture.beat) {
      const hasLanded = picture.lensMs >= LENS_LAND_MS;
      expect(picture.landed > picture.beat.moment, where).toBe(hasLanded);
    }
    expect(picture.landed, where).toBeGreaterThanOrEqual(before.landed);
    before = picture;
  }
  expect(before.landed).toBe(storyboard.reported.length);
  expect(frames).toBeGreaterThan(50);
});
