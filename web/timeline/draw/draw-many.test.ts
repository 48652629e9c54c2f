import { expect, test } from 'vitest';
import { redisTime } from '../../../shared/base/time.ts';
import { rangeOf } from '../../testing/loaded-range.ts';
import { makeEvent } from '../../testing/make.ts';
import { NAMED_INKS, RecordingPen } from '../../testing/recording-pen.ts';
import { ShownWindow } from '../../testing/shown-window.ts';
import { EN } from '../../words/en.ts';
import { CLOSE_PX, NARROW_PX } from '../layout/metrics.ts';
import { rowsFrom } from '../layout/rows.ts';
import { makeScale } from '../layout/scale.ts';
import { sceneFrom } from '../layout/scene.ts';
import { drawScene } from './draw-scene.ts';

const HOLDS = 10_000;
const LOCKS = 2;
const THREADS = 3;
const WIDTH = 1000;
const STEP = 10_000;

/** Ten thousand successive short holds over two locks. */
function manyHolds(): ShownWindow {
  const window = new ShownWindow();
  const events = Array.from({ length: HOLDS * 2 }, (_, i) => {
    const hold = Math.floor(i / 2);
    const lock = `lock-${hold % LOCKS}`;
    const common = { lock, at: redisTime(1 + i * STEP), holder: `u:${hold % THREADS}`, mode: 'exclusive' };
    const part = i % 2 === 0 ? { type: 'lock.acquired', holdCount: 1 } : { type: 'lock.released', holdCount: 0 };
    return makeEvent(i + 1, { ...common, ...part });
  });
  window.replace(rangeOf(events));
  return window;
}

function strokesFor(window: ShownWindow, from: number, to: number, height: number): { strokes: number; items: number } {
  const order = [...window.lockIds()];
  const { rows } = rowsFrom({
    order,
    open: new Set(order),
    quiet: new Set(),
    openQuiet: new Set(),
    hidden: new Set(),
    pinned: new Set(),
    holdersOf: (id) => window.track(id, 0)?.lanes.map(({ holder }) => holder) ?? [],
  });
  const scene = sceneFrom({
    rows,
    top: 0,
    bottom: height,
    scale: makeScale({ from: redisTime(from), to: redisTime(to) }, WIDTH),
    now: redisTime(to),
    goneSince: new Map(),
    blindSpots: [],
    trackOf: (id) => window.track(id, 0),
    words: EN,
  });
  const pen = new RecordingPen();
  drawScene(pen, NAMED_INKS, scene, { width: WIDTH, height, scrollTop: 0, offsetMinutes: 0 });
  return { strokes: pen.strokes.length, items: scene.rows.reduce((sum, row) => sum + row.items.length, 0) };
}

test('ten thousand spans in view are joined into items that fit the width, and drawn with fewer strokes than spans', () => {
  const window = manyHolds();
  const end = HOLDS * 2 * STEP;
  const { items, strokes } = strokesFor(window, 0, end, 100_000);
  const lanes = LOCKS * THREADS;
  expect(items).toBeGreaterThan(lanes);
  expect(items).toBeLessThan(lanes * (WIDTH / NARROW_PX + WIDTH / CLOSE_PX));
  expect(strokes).toBeLessThan(HOLDS * 0.75);
});

test('a view of a thousandth of the time is drawn with fewer than 400 strokes', () => {
  const window = manyHolds();
  const end = HOLDS * 2 * STEP;
  const part = strokesFor(window, end / 2, end / 2 + end / 1000, 800);
  expect(part.strokes).toBeLessThan(400);
  expect(part.items).toBeGreaterThan(0);
});
