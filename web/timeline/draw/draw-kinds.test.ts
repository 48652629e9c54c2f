import { expect, test } from 'vitest';
import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import { goldenTrack } from '../../testing/golden-track.ts';
import { makeEvent } from '../../testing/make.ts';
import { NAMED_INKS, RecordingPen } from '../../testing/recording-pen.ts';
import { rowsOfTrack } from '../../testing/rows-of-track.ts';
import { EN } from '../../words/en.ts';
import { MID_PX } from '../layout/metrics.ts';
import { makeScale } from '../layout/scale.ts';
import { type Scene, sceneFrom } from '../layout/scene.ts';
import type { Track } from '../model/marks.ts';
import { trackFromEvents } from '../model/track-from-events.ts';
import { drawScene } from './draw-scene.ts';
import { hitTest } from './lanes/hit-test.ts';

const NEWEST = 'redisson-4.7.0';
const WIDTH = 1200;

function draw(track: Track): { pen: RecordingPen; scene: Scene } {
  const from = track.events[0]?.at ?? redisTime(0);
  const to = redisTime((track.events.at(-1)?.at ?? 0) + 1) as RedisTime;
  const { rows, height } = rowsOfTrack(track);
  const scene = sceneFrom({
    rows,
    top: 0,
    bottom: height,
    scale: makeScale({ from, to }, WIDTH),
    now: to,
    goneSince: new Map(),
    blindSpots: [],
    trackOf: () => track,
    words: EN,
  });
  const pen = new RecordingPen();
  drawScene(pen, NAMED_INKS, scene, { width: WIDTH, height, scrollTop: 0, offsetMinutes: 0 });
  return { pen, scene };
}

const blocksAt = (pen: RecordingPen, x: number, from: number, to: number) =>
  pen.in('hold').filter(({ call, args }) => {
    const [left = 0, y = 0, width = 0] = args.map(Number);
    return call === 'fillRect' && left <= x && left + width >= x && y >= from && y < to;
  });

const rowOf = (scene: Scene, kind: string) =>
  scene.rows.find(({ row }) => row.kind === kind)?.row ?? { y: 0, height: 0 };

test('[M1] each permit in use is a block, on the key lane and on the lane of its taker', () => {
  const { pen, scene } = draw(goldenTrack(NEWEST, 'semaphore', 'gate'));
  const key = rowOf(scene, 'key');
  // 2 of 3 permits are in use most of the time, so the key and the taker's lane have two blocks
  expect(blocksAt(pen, 300, key.y, key.y + key.height)).toHaveLength(2);
  expect(blocksAt(pen, 300, rowOf(scene, 'thread').y, rowOf(scene, 'thread').y + 60)).toHaveLength(2);
  expect(pen.words()).toEqual(expect.arrayContaining(['2 of 3 taken', 'permits ×2']));
});

test('[C1] the blocks of a latch go down by one when it is counted down', () => {
  const { pen, scene } = draw(goldenTrack(NEWEST, 'latch', 'boot'));
  const key = rowOf(scene, 'key');
  const steps = [100, 900].map((x) => blocksAt(pen, x, key.y, key.y + key.height).length);
  expect(steps).toEqual([2, 1]);
  expect(pen.words()).toEqual(expect.arrayContaining(['2 to go', '1 to go']));
});

test('[F4] waits show their places in the queue', () => {
  const { pen } = draw(goldenTrack(NEWEST, 'fair', 'orders:42'));
  expect(pen.words()).toEqual(
    expect.arrayContaining(['1st in line', '2nd in line', '3rd in line', 'asleep, subscribed']),
  );
});

test('[F6] a dense run of attempts is one comb with its count', () => {
  const { pen, scene } = draw(goldenTrack(NEWEST, 'fair-dead-head', 'orders:42'));
  expect(pen.words()).toContainEqual(expect.stringMatching(/^asked 7,\d{3} times$/));
  expect(scene.rows.flatMap(({ items }) => items).filter(({ kind }) => kind === 'run')).toHaveLength(1);
  expect(pen.strokes.length).toBeLessThan(1500);
});

test('[R7] a read during a write of the same thread is a clickable pair of thin bars over the solid bar', () => {
  const of = { lock: 'catalog', kind: 'read-write-lock', holder: 'u:1', holdCount: 1 };
  const events = [
    makeEvent(1, { ...of, at: 1_000_000, type: 'lock.acquired', mode: 'write' }),
    makeEvent(2, { ...of, at: 2_000_000, type: 'lock.acquired', mode: 'read' }),
    makeEvent(3, { ...of, at: 4_000_000, type: 'lock.released', mode: 'read', holdCount: 0 }),
    makeEvent(4, { ...of, at: 5_000_000, type: 'lock.released', mode: 'write', holdCount: 0 }),
  ];
  const { pen, scene } = draw(trackFromEvents('redis/0/catalog', events));
  const { y } = rowOf(scene, 'thread');
  expect(blocksAt(pen, 600, y, y + 60)).toHaveLength(3);
  const halos = pen.in('page').filter(({ call, args }) => call === 'fillRect' && Math.round(Number(args[0])) === 300);
  expect(halos.length).toBeGreaterThanOrEqual(2);
  const modeAt = (offset: number) => {
    const mark = hitTest(scene, 600, y + offset)?.mark;
    return mark?.kind === 'hold' ? mark.mode : undefined;
  };
  expect([modeAt(MID_PX - 12), modeAt(MID_PX), modeAt(MID_PX + 12)]).toEqual(['read', 'write', 'read']);
});

test('[N1] a hold of a fenced lock shows its token', () => {
  const of = { lock: 'ledger', kind: 'fenced-lock', holder: 'u:1', mode: 'exclusive' };
  const { pen } = draw(
    trackFromEvents('redis/0/ledger', [
      makeEvent(1, { ...of, at: 1_000_000, type: 'lock.acquired', holdCount: 1, fencingToken: '41' }),
      makeEvent(2, { ...of, at: 2_000_000, type: 'lock.released', holdCount: 0 }),
    ]),
  );
  expect(pen.words()).toContain('holds ×1 #41');
});
