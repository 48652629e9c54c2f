import { expect, test } from 'vitest';
import type { GoneSince } from '../../../shared/insights/renewals.ts';
import { holderOf, seconds } from '../../../testing/stories/story.ts';
import type { BlindSpot } from '../../data/window/blind-spots.ts';
import { NAMED_INKS, RecordingPen } from '../../testing/recording-pen.ts';
import { rowsOfTrack } from '../../testing/rows-of-track.ts';
import { CRASH, scaleOf, TWO_THREADS, trackOf } from '../../testing/stories.ts';
import { EN } from '../../words/en.ts';
import { ZH_CN } from '../../words/zh-CN.ts';
import type { HoldItem } from '../layout/layout-lane.ts';
import { HOLD_PX, labelWidth, MID_PX, RENEWAL_PX, RULER_PX } from '../layout/metrics.ts';
import { type Scene, type SceneInput, sceneFrom } from '../layout/scene.ts';
import type { Track } from '../model/marks.ts';
import { drawScene } from './draw-scene.ts';
import { drawHold } from './lanes/draw-hold.ts';
import { hitTest } from './lanes/hit-test.ts';
import { drawTop } from './layers/draw-top.ts';
import { Labels } from './pen/labels.ts';

type SceneOptions = Partial<Pick<SceneInput, 'outline' | 'unknown'>> & {
  to?: number;
  now?: number;
  goneSince?: GoneSince;
  blindSpots?: BlindSpot[];
};

function sceneOf(track: Track, options: SceneOptions = {}): Scene {
  const { to = 12, now = 12, goneSince = new Map(), blindSpots = [], ...far } = options;
  const { rows, height } = rowsOfTrack(track);
  const scale = scaleOf(0, to);
  return sceneFrom({
    rows,
    top: 0,
    bottom: height,
    scale,
    now: seconds(now),
    goneSince,
    blindSpots,
    trackOf: () => track,
    words: EN,
    ...far,
  });
}

function draw(scene: Scene): RecordingPen {
  const pen = new RecordingPen();
  drawScene(pen, NAMED_INKS, scene, { width: scene.scale.width, height: 400, scrollTop: 0, offsetMinutes: 0 });
  return pen;
}

/** The picture while every wake-up in it is selected. */
function drawWithWakeUps(scene: Scene): RecordingPen {
  const pen = draw(scene);
  const { width } = scene.scale;
  drawTop(pen, NAMED_INKS, { width, height: 400, scrollTop: 0, cursorX: null, hovered: null, arrows: scene.arrows });
  return pen;
}

const rowTop = (scene: Scene, actor: string) =>
  scene.rows.find(({ row }) => row.kind === 'thread' && row.holder === holderOf(actor))?.row.y ?? Number.NaN;

test('two threads have bars with their counts, a framed label on the sleep, and a solid arrow with the delay', () => {
  const pen = drawWithWakeUps(sceneOf(trackOf(TWO_THREADS)));
  expect(pen.words()).toEqual(expect.arrayContaining(['holds ×1', 'asleep, subscribed', 'PUBLISH, awake in 10 ms']));
  const bars = pen.in('hold').filter(({ call, args }) => call === 'fillRect' && args[3] === HOLD_PX);
  expect(bars.map(({ args }) => [Math.round(Number(args[0])), Math.round(Number(args[2]))])).toEqual([
    [0, 700],
    [701, 199],
  ]);
  expect(pen.in('wait').some(({ call }) => call === 'strokeRect')).toBe(true);
  expect(pen.in('lost')).toEqual([]);
  const arrow = pen
    .in('ink')
    .find(({ call, path }) => call === 'stroke' && path.length === 2 && Math.round(path[0]?.[0] ?? 0) === 700);
  expect(arrow?.dash).toEqual([]);
});

test('the text on a torn bar ends before the notches of its edge', () => {
  const items = sceneOf(trackOf(CRASH)).rows.flatMap((row) => row.items);
  const torn = items.find((item) => item.kind === 'hold' && item.tornX !== null) as HoldItem;
  const gaps = Array.from({ length: 100 }, (_, width) => {
    const pen = new RecordingPen();
    const tornX = torn.x0 + 40 + width;
    drawHold(pen, NAMED_INKS, { ...torn, tornX }, 0, new Labels());
    const label = pen.in('on-hold').find(({ call }) => call === 'fillText');
    return label ? tornX - Number(label.args[1]) - labelWidth(String(label.args[0])) : Number.POSITIVE_INFINITY;
  });
  expect(Math.min(...gaps)).toBeGreaterThan(HOLD_PX / 6 + 4);
  expect(Math.min(...gaps)).toBeLessThan(HOLD_PX);
});

test('a crash is drawn with a dashed outline, a lease in the colour for lost, and a dotted arrow', () => {
  const pen = drawWithWakeUps(sceneOf(trackOf(CRASH)));
  const lost = pen.in('lost');
  expect(lost.some(({ dash }) => dash.length > 0)).toBe(true);
  expect(pen.words()).toEqual(
    expect.arrayContaining(['renewal overdue, lease still running', 'no message: its own timer']),
  );
  expect(pen.in('lost-soft')).toHaveLength(1);
  expect(pen.in('ink').some(({ dash }) => dash[0] === 2)).toBe(true);
});

test('a label reports that the client is gone, if that is known', () => {
  const goneSince = new Map([[holderOf('A').split(':')[0] ?? '', seconds(3)]]);
  expect(draw(sceneOf(trackOf(CRASH), { goneSince })).words()).toContain('client gone, lease still running');
});

test('an open bar fades towards now, unless the user prefers reduced motion', () => {
  const track = trackOf(`
    orders:42 lease 30s
    0.0  A attempts acquired
  `);
  const scene = sceneOf(track, { now: 8 });
  expect(
    draw(scene)
      .in('hold')
      .some(({ alpha }) => alpha < 1),
  ).toBe(true);
  const calm = new RecordingPen();
  const paper = { width: 1200, height: 400, scrollTop: 0, offsetMinutes: 0 };
  drawScene(calm, { ...NAMED_INKS, isCalm: true }, scene, paper);
  expect(calm.in('hold').every(({ alpha }) => alpha === 1)).toBe(true);
});

test('hold counts above one are drawn as stripes and a number, and a deleted key has a text', () => {
  const deep = draw(
    sceneOf(
      trackOf(`
        orders:42 lease 6s
        0.0  A attempts acquired
        1.0  A attempts reentered
        3.0  A releases partly
        4.0  A releases
      `),
    ),
  );
  expect(deep.in('on-hold').some(({ call, args }) => call === 'fillRect' && args[3] === 2)).toBe(true);
  expect(deep.words()).toEqual(expect.arrayContaining(['holds up to ×2', '1']));
  const deleted = draw(
    sceneOf(
      trackOf(`
        orders:42 lease 6s
        0.0  A attempts acquired
        2.0  X command DEL orders:42
      `),
    ),
  );
  expect(deleted.words()).toContain('key deleted');
});

test('a blind spot is drawn with many lines and a label', () => {
  const blindSpots = [{ source: 'story', from: seconds(9), to: seconds(11), reason: 'socket' }];
  const pen = draw(sceneOf(trackOf(TWO_THREADS), { blindSpots }));
  expect(pen.words()).toContain('not watching');
  expect(pen.in('muted').some(({ call, path }) => call === 'stroke' && path.length > 20)).toBe(true);
});

test('everything after the cursor is dimmed, except the selected mark', () => {
  const view = { width: 1000, height: 300, scrollTop: 0, hovered: null };
  const pen = new RecordingPen();
  const selected = { x: 300, y: 50, width: 200, height: 30 };
  drawTop(pen, NAMED_INKS, { ...view, cursorX: 400, selected });
  expect(pen.strokes).toHaveLength(1);
  expect(pen.strokes[0]).toMatchObject({ call: 'fill', color: 'page', alpha: 0.65 });
  expect(pen.strokes[0]?.path).toEqual([
    [400, RULER_PX],
    [1000, 300],
    [400, RULER_PX + 50],
    [500, RULER_PX + 80],
  ]);
  const live = new RecordingPen();
  drawTop(live, NAMED_INKS, { ...view, cursorX: null, selected });
  expect(live.strokes).toEqual([]);
});

test('the pointer hits a point before the bar below it, and nothing beside a mark', () => {
  const scene = sceneOf(trackOf(TWO_THREADS));
  const a = rowTop(scene, 'A');
  const b = rowTop(scene, 'B');
  const what = (x: number, y: number) => {
    const mark = hitTest(scene, x, y)?.mark;
    return mark?.kind === 'point' ? mark.point : mark?.kind;
  };
  expect(what(100, a + MID_PX)).toBe('hold');
  expect(what(200, a + RENEWAL_PX - 4)).toBe('renewed');
  expect(what(697, a + MID_PX)).toBe('released');
  expect(what(500, b + MID_PX)).toBe('wait');
  expect(what(252, b + MID_PX)).toBe('refused');
  expect(what(1000, a + MID_PX)).toBeUndefined();
  expect(what(100, a + 2)).toBeUndefined();
});

test('labels are in the language of the palette, and wide characters take more space', () => {
  const pen = new RecordingPen();
  const scene = sceneOf(trackOf(TWO_THREADS));
  drawScene(pen, { ...NAMED_INKS, words: ZH_CN }, scene, { width: 1200, height: 400, scrollTop: 0, offsetMinutes: 0 });
  expect(pen.words()).toEqual(expect.arrayContaining(['持有 ×1', '休眠中，已订阅']));
  expect(labelWidth('休眠中')).toBe(3 * 12);
  expect(labelWidth('asleep')).toBeLessThan(labelWidth('休眠休眠休眠'));
});

test('if no events are loaded, the row of a lock shows when it was held and waited for', () => {
  const track = trackOf(TWO_THREADS);
  const part = { from: seconds(9.5), to: seconds(12), edge: seconds(12), done: 0 };
  const outline = {
    ...{ from: seconds(2), to: seconds(12), columns: 10, events: 1, blind: [], omitted: 0, onlyLock: '' },
    locks: new Map([[track.id, { held: [0, 9], waited: [8, 1] }]]),
  };
  const boxes = (pen: RecordingPen, color: string) =>
    pen
      .in(color)
      .flatMap(({ call, args }) => (call === 'fillRect' && Number(args[0]) >= 950 ? [args[0], args[2]] : []));
  const far = draw(sceneOf(track, { outline, unknown: [{ ...part, why: 'outlined' }] }));
  expect(boxes(far, 'hold')).toEqual([950, 150]);
  expect(boxes(far, 'wait')).toEqual([1000, 100]);
  expect(far.words()).not.toContain('not loaded');
  const near = draw(sceneOf(track, { outline, unknown: [{ ...part, why: 'unloaded' }] }));
  expect(boxes(near, 'hold')).toEqual([]);
  expect(near.words()).toContain('not loaded');
});
