import { expect, test } from 'vitest';
import { plusMillis, redisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import { seconds, story } from '../../../testing/stories/story.ts';
import { beganBlind } from '../../data/window/blind-spots.ts';
import { NAMED_INKS, RecordingPen } from '../../testing/recording-pen.ts';
import { drawScene } from '../../timeline/draw/draw-scene.ts';
import { endOf, marksInOrder, startOf } from '../../timeline/model/marks.ts';
import { EN } from '../../words/en.ts';
import { beatsFromEvents } from '../beats/beats-from-events.ts';
import { castWith } from '../script/cast.ts';
import { recordedStoryboard } from '../testing/recorded-storyboards.ts';
import { SHOW } from '../testing/runs.ts';
import { lanesSceneAt, tracksOf, tracksUntil } from './lanes-scene.ts';

const STORYBOARD = beatsFromEvents(SHOW());
const TRACKS = tracksOf(STORYBOARD);
const sceneAt = (at: number, width = 900) =>
  lanesSceneAt({ storyboard: STORYBOARD, tracks: TRACKS, at: redisTime(at), now: seconds(22), width, words: EN });

test('key, A and B have a lane each, and the same instant gives the same picture', () => {
  const { scene } = sceneAt(seconds(8));
  expect(scene.rows.map(({ row }) => row.kind)).toEqual(['key', 'thread', 'thread']);
  const { scene: again } = sceneAt(seconds(8));
  expect(again.rows).toEqual(scene.rows);
  expect(again.arrows).toEqual(scene.arrows);
});

test('on a wide stage the cursor moves with the instant, and on a narrow stage the picture moves instead', () => {
  const wide = sceneAt(seconds(8));
  const start = STORYBOARD.run.from;
  const perSecond = wide.scene.scale.pxPerMicro * 1e6;
  expect(wide.cursorX).toBeCloseTo(((seconds(8) - start) / 1e6 + 0.4) * perSecond, 3);
  expect(wide.ticks.map(({ second }) => second).slice(0, 4)).toEqual([0, 2, 4, 6]);
  const narrow = sceneAt(seconds(20), 240);
  expect(narrow.cursorX).toBeCloseTo(240 * 0.8, 3);
  expect(narrow.ticks[0]?.second).toBeGreaterThan(8);
});

test('a missing renewal has its place on A’s lane, and wake-ups have arrows', () => {
  const { missing, scene } = sceneAt(seconds(22));
  const renewals = STORYBOARD.run.events.filter(({ type }) => type === 'lease.renewed');
  const due = plusMillis(renewals.at(-2)!.at, 2000);
  expect(missing).toEqual([{ x: scene.scale.x(due), top: scene.rows[1]!.row.y }]);
  expect(scene.arrows.map(({ by }) => by)).toEqual(['message', 'own-timer']);
});

test.each([2, 5, 8, 13, 21])('at %i s the lanes show nothing that happens later', (second) => {
  const at = seconds(second);
  const tracks = tracksUntil(STORYBOARD, TRACKS, STORYBOARD.reported.filter(({ moment }) => moment.at <= at).length);
  expect(tracks.map(({ lanes }) => lanes.map(({ holder }) => holder))).toEqual(
    TRACKS.map(({ lanes }) => lanes.map(({ holder }) => holder)),
  );
  const { lanes = [], events = [], arrows = [], lease = [] } = tracks[0] ?? {};
  const marks = lanes.flatMap((lane) => marksInOrder(lane));
  const starts = [...marks.map(startOf), ...lease.map(({ from }) => from), ...events.map((event) => event.at)];
  expect(starts.length).toBeGreaterThan(0);
  expect(Math.max(...starts)).toBeLessThanOrEqual(at);
  expect(Math.max(...marks.map((mark) => endOf(mark, at)))).toBeLessThanOrEqual(at);
  expect(arrows.length).toBeLessThanOrEqual(TRACKS[0]?.arrows.length ?? 0);
});

test('in a failover the blind spot is drawn, and a belief begins where the hold was last seen', () => {
  const [acquired] = story('orders:42 lease 6s\n1.000 A attempts acquired');
  if (acquired?.type !== 'lock.acquired') throw new Error('the story begins with an acquisition');
  const { source, holder, mode } = acquired;
  const at = { began: seconds(3), lost: seconds(4.6) };
  const events = [
    acquired,
    { ...beganBlind({ source, since: at.began, reason: 'connection-lost' }), seq: 2 },
    { ...acquired, seq: 3, type: 'lock.lost', at: at.lost, holder, mode, reason: 'failover', expiresAt: seconds(9) },
    {
      ...beganBlind({ source, since: at.lost, reason: 'connection-lost' }),
      seq: 4,
      type: 'blind-spot.ended',
      from: at.began,
    },
  ] as LockEvent[];
  const storyboard = beatsFromEvents({ ...STORYBOARD.run, events, faults: [] });
  const tracks = tracksOf(storyboard);
  const { scene } = lanesSceneAt({ storyboard, tracks, at: seconds(6), now: seconds(6), width: 900, words: EN });
  expect(scene.blindSpots).toMatchObject([{ from: at.began, to: at.lost }]);
  const holds = tracks[0]?.lanes[0]?.spans.filter(({ kind }) => kind === 'hold') ?? [];
  expect(holds).toHaveLength(2);
  expect(holds[1]).toMatchObject({ ended: 'lost', from: holds[0]?.to });
});

test('a restarted client keeps its letter, and the list of actors stays the same object if nothing changes', () => {
  const threads: [] = [];
  const client = (uuid: string) => ({ id: 'A', name: 'order-svc-1', uuid, pid: 1, state: 'running' as const, threads });
  const first = castWith([], { clients: [client('u1')], faults: [] });
  expect(castWith(first, { clients: [client('u1')], faults: [] })).toBe(first);
  const faults = [{ at: 1, client: 'A', uuid: 'u1', name: 'killed' as const }];
  expect(castWith(first, { clients: [client('u2')], faults })).toEqual([
    { id: 'A', name: 'order-svc-1', uuids: ['u1', 'u2'] },
  ]);
});

test('marks and texts are drawn up to the cursor, or to the end of the run if the stage shows later events', () => {
  const drawn = (now: number) =>
    lanesSceneAt({
      storyboard: STORYBOARD,
      tracks: TRACKS,
      at: seconds(8),
      now: redisTime(now),
      width: 900,
      words: EN,
    });
  expect(drawn(seconds(8)).drawnX).toBe(drawn(seconds(8)).cursorX);
  expect(drawn(seconds(22)).drawnX).toBe(900);
});

test('the text after a dead waiter begins where the dotted line of its place ends', () => {
  const storyboard = recordedStoryboard('fair-dead-head');
  const at = plusMillis(storyboard.reported.at(-1)?.moment.at ?? storyboard.run.from, 1200);
  const { scene } = lanesSceneAt({ storyboard, tracks: tracksOf(storyboard), at, now: at, width: 900, words: EN });
  const pen = new RecordingPen();
  drawScene(pen, NAMED_INKS, scene, { width: 900, height: 400, scrollTop: 0, offsetMinutes: 0 });
  const label = pen.in('ink').find(({ call, args }) => call === 'fillText' && args[0] === 'presumed gone');
  const [x, y] = (label?.args ?? []).slice(1).map(Number) as [number, number];
  const dots = pen.in('wait').filter(({ call, args }) => {
    const [, top = 0, width = 0, height = 0] = args.map(Number);
    return call === 'fillRect' && width === 3 && height === 2 && Math.abs(top - y) < 4;
  });
  expect(dots.length).toBeGreaterThan(0);
  for (const { args } of dots) expect(Number(args[0]) + 3).toBeLessThanOrEqual(x);
});
