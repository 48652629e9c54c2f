import { describe, expect, test } from 'vitest';
import { seconds } from '../../../testing/stories/story.ts';
import { NAMED_INKS, RecordingPen } from '../../testing/recording-pen.ts';
import { scaleOf } from '../../testing/stories.ts';
import { drawMinimap } from '../draw/draw-minimap.ts';
import { shownSources, unwatchedRanges } from './unwatched.ts';

const SOURCES = [{ id: 'a' }, { id: 'b' }];

function spot(source: string, from: number, to: number | null) {
  return { source, from: seconds(from), to: to === null ? null : seconds(to), reason: 'connection-lost' };
}

/** The ranges as texts such as `1–2 some`, in order. */
function rangesOf(spots: ReturnType<typeof spot>[], sources: readonly string[]): string[] {
  const ranges = unwatchedRanges(spots, new Set(sources), { now: seconds(9), viewTo: seconds(10) });
  const secondsOf = (at: number) => (at - seconds(0)) / 1_000_000;
  return ranges.map(({ from, to, areAll }) => `${secondsOf(from)}–${secondsOf(to)} ${areAll ? 'all' : 'some'}`);
}

describe('the sources that a timeline shows', () => {
  const order = ['a/0/orders:42', 'b/0/stock:7', 'b/1/stock:7'];

  test('are all sources, even a source without a lock', () => {
    expect([...shownSources({ order, onlyLock: '' }, [...SOURCES, { id: 'c' }])]).toEqual(['a', 'b', 'c']);
  });

  test('are the sources of its only lock, or all sources while that lock has no lane', () => {
    expect([...shownSources({ order, onlyLock: 'stock:7' }, SOURCES)]).toEqual(['b']);
    expect([...shownSources({ order, onlyLock: 'gone' }, SOURCES)]).toEqual(['a', 'b']);
  });
});

describe('unwatched ranges', () => {
  test('leave out the blind spots of sources that are not shown', () => {
    expect(rangesOf([spot('a', 1, 2), spot('b', 4, 5)], ['b'])).toEqual(['4–5 all']);
  });

  test('show where no source was watched, and where only some were not', () => {
    expect(rangesOf([spot('a', 1, 3), spot('b', 2, 5), spot('a', 7, null)], ['a', 'b'])).toEqual([
      ...['1–2 some', '2–3 all', '3–5 some'],
      '7–9 some',
    ]);
  });

  test('that follow each other are joined, and count a source with two blind spots once', () => {
    expect(rangesOf([spot('a', 1, 3), spot('b', 3, 5)], ['a', 'b', 'c'])).toEqual(['1–5 some']);
    expect(rangesOf([spot('a', 1, 3), spot('a', 2, 5)], ['a', 'b'])).toEqual(['1–5 some']);
  });

  test('leave out an open blind spot that begins after the present of its source', () => {
    expect(rangesOf([spot('a', 9.5, null)], ['a', 'b'])).toEqual([]);
  });

  test('have lines over the whole height of the minimap only if no source was watched', () => {
    const bottomOf = (areAll: boolean) => {
      const pen = new RecordingPen();
      const columns = { counts: new Uint32Array(), waits: new Uint32Array(), lost: new Uint8Array(), most: 0 };
      const unwatched = [{ from: seconds(2), to: seconds(3), areAll }];
      drawMinimap(pen, NAMED_INKS, columns, {
        scale: scaleOf(0, 10),
        height: 30,
        unwatched,
        problems: [],
        unknown: [],
      });
      return Math.max(...pen.in('muted').flatMap(({ path }) => path.map(([, y]) => y)));
    };
    expect(bottomOf(true)).toBe(30);
    expect(bottomOf(false)).toBe(15);
  });
});
