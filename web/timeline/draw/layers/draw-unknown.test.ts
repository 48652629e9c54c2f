import { expect, test } from 'vitest';
import { seconds } from '../../../../testing/stories/story.ts';
import { NAMED_INKS, RecordingPen } from '../../../testing/recording-pen.ts';
import { scaleOf } from '../../../testing/stories.ts';
import { secondsText } from '../../../ui/time-text.ts';
import { EN } from '../../../words/en.ts';
import { rowsFrom } from '../../layout/rows.ts';
import { sceneFrom } from '../../layout/scene.ts';
import type { UnknownRange } from '../../layout/unknown-ranges.ts';
import { drawMinimap } from '../draw-minimap.ts';
import { drawScene } from '../draw-scene.ts';
import { drawUnknown } from './draw-unknown.ts';

function drawn(why: UnknownRange['why'], from: number, to: number): RecordingPen {
  const pen = new RecordingPen();
  const part = { why, from: seconds(from), to: seconds(to), edge: seconds(to), done: 0.4 };
  drawUnknown(pen, NAMED_INKS, part, { scale: scaleOf(0, 10), top: 0, bottom: 100 });
  return pen;
}

test('a dropped range is a filled area with an edge, and a label that shows how far memory goes back', () => {
  const pen = drawn('dropped', 0, 5);
  expect(pen.in('line')).toMatchObject([{ call: 'fillRect', args: [0, 0, 500, 100] }]);
  expect(pen.in('muted')[0]).toMatchObject({ call: 'fillRect', args: [498, 0, 2, 100] });
  expect(pen.words()[0]).toBe(`memory goes back to ${secondsText(seconds(5))}`);
});

test('a range that is not loaded is dotted, with the label "not loaded" or the progress of loading', () => {
  expect(drawn('unloaded', 0, 5).words()).toEqual(['not loaded']);
  expect(drawn('loading', 0, 5).words()).toEqual(['loading… 40 %']);
  expect(drawn('unloaded', 0, 5).in('line')).toEqual([]);
  expect(drawn('unloaded', 0, 5).in('muted').length).toBeGreaterThan(100);
});

test('in an area that is too narrow, "not loaded" is left out, but how far memory goes back is still shown', () => {
  expect(drawn('dropped', 0, 0.1).words()[0]).toMatch(/^memory goes back to/);
  expect(drawn('unloaded', 0, 0.1).words()).toEqual([]);
});

test('the minimap has dots only where the server has events that are not loaded', () => {
  const inMinimap = (why: UnknownRange['why']) => {
    const pen = new RecordingPen();
    const unknown = [{ why, from: seconds(0), to: seconds(5), edge: seconds(5), done: 0 }];
    const columns = { counts: new Uint32Array(), waits: new Uint32Array(), lost: new Uint8Array(), most: 0 };
    drawMinimap(pen, NAMED_INKS, columns, {
      scale: scaleOf(0, 10),
      height: 30,
      unwatched: [],
      problems: [],
      unknown,
    });
    return pen;
  };
  expect(inMinimap('unloaded').in('muted').length).toBeGreaterThan(10);
  for (const why of ['dropped', 'before-first'] as const) {
    expect(
      inMinimap(why)
        .in('muted')
        .filter(({ call }) => call === 'fillRect'),
    ).toEqual([]);
    expect(inMinimap(why).in('line')).toMatchObject([{ args: [0, 0, 500, 30] }]);
  }
});

test('a blind spot covers only the rows of locks of its source', () => {
  const { rows, height } = rowsFrom({
    order: ['a/0/one', 'b/0/two', 'a/0/three'],
    open: new Set(),
    quiet: new Set(['a/0/three']),
    openQuiet: new Set(),
    hidden: new Set(),
    pinned: new Set(),
    holdersOf: () => [],
  });
  const spot = { source: 'b', from: seconds(2), to: null, reason: 'socket' };
  const scale = scaleOf(0, 10);
  const view = { rows, top: 0, bottom: height, scale, now: seconds(9), goneSince: new Map(), words: EN };
  const scene = sceneFrom({ ...view, blindSpots: [spot], trackOf: () => null });
  const pen = new RecordingPen();
  drawScene(pen, NAMED_INKS, scene, { width: 1000, height: 400, scrollTop: 0, offsetMinutes: 0 });
  const [lines] = pen.in('muted').filter(({ call, path }) => call === 'stroke' && path.length > 20);
  const own = rows.find((row) => row.kind === 'lock' && row.lockId === 'b/0/two');
  const ys = new Set(lines?.path.map(([, y]) => y));
  expect([...ys]).toEqual([own?.y, (own?.y ?? 0) + (own?.height ?? 0)]);
});

test('a dropped lock has a filled area behind its own lanes, from the drop on', () => {
  const { rows, height } = rowsFrom({
    order: ['a/0/one', 'a/0/two'],
    open: new Set(),
    quiet: new Set(),
    openQuiet: new Set(),
    hidden: new Set(),
    pinned: new Set(),
    holdersOf: () => [],
  });
  const view = {
    rows,
    top: 0,
    bottom: height,
    scale: scaleOf(0, 10),
    now: seconds(9),
    goneSince: new Map(),
    words: EN,
  };
  const drawnFrom = (from: number) => {
    const droppedOf = (id: string) => (id === 'a/0/two' ? [{ from: seconds(from), to: null }] : []);
    const scene = sceneFrom({ ...view, blindSpots: [], droppedOf, trackOf: () => null });
    const pen = new RecordingPen();
    drawScene(pen, NAMED_INKS, scene, { width: 1000, height: 400, scrollTop: 0, offsetMinutes: 0 });
    return pen;
  };
  const pen = drawnFrom(4);
  const own = rows.find((row) => row.kind === 'lock' && row.lockId === 'a/0/two');
  expect(pen.in('line').map(({ args }) => args)).toContainEqual([400, own?.y, 500, own?.height]);
  expect(pen.in('muted').map(({ args }) => args)).toContainEqual([400, own?.y, 2, own?.height]);
  expect(pen.words()).toContain('dropped from memory');

  const before = drawnFrom(-3);
  expect(before.words()).toContain('dropped from memory');
  expect(before.in('line').map(({ args }) => args)).toContainEqual([0, own?.y, 900, own?.height]);
  const edges = before.in('muted').filter(({ args }) => args[2] === 2 && args[3] === own?.height);
  expect(edges, 'no edge, because it was dropped before the view').toEqual([]);
});
