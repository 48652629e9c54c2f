import { expect, test } from 'vitest';
import { redisTime } from '../../../shared/base/time.ts';
import type { Demo } from '../../../shared/wire/demo.ts';
import { seconds } from '../../../testing/stories/story.ts';
import { beatsFromEvents } from '../beats/beats-from-events.ts';
import { recordedDemo, recordedStoryboard } from '../testing/recorded-storyboards.ts';
import { RELEASE, runOf } from '../testing/runs.ts';
import { runWith, together } from '../testing/several.ts';
import { type Position, positionOf, startOf } from './position.ts';
import { stepsShown } from './steps-shown.ts';

const STORYBOARD = beatsFromEvents(runOf(RELEASE));
const END = seconds(60);

/**
 * The eight steps of two threads, each reported 0.4 ms after it happened: B had the lock before A's release was
 * reported.
 */
const SCRIPT: Demo['script'] = (
  [
    ['A1', 0],
    ['B1', 2.5],
    ['B1', 2.501],
    ['B1', 2.502],
    ['A1', 7],
    ['B1', 7.0003],
    ['B1', 7.001],
    ['B1', 10],
  ] as const
).map(([who, at], n) => ({ n: n + 1, title: '', who, at: seconds(at + 0.0004) }));

function beatWhen(what: string, of = STORYBOARD) {
  const beat = of.beats.find(({ emphasis }) => emphasis === what);
  if (!beat) throw new Error(`no beat is ${what}`);
  return beat;
}
const shownAt = (position: Position, script = SCRIPT, edge = END) => stepsShown(STORYBOARD, position, edge, script);

test('each step is shown with its beat, even if more has happened since', () => {
  const shown = STORYBOARD.beats.map((beat) => shownAt(positionOf(beat)));
  expect(shownAt(startOf(STORYBOARD))).toBe(0);
  expect(shown).toEqual(shown.toSorted((a, b) => a - b));
  expect(shownAt(positionOf(beatWhen('taken')))).toBe(1);
  expect(shownAt(positionOf(beatWhen('refused')))).toBe(3);
  expect(shownAt(positionOf(beatWhen('asleep')))).toBe(4);
  expect(shownAt(positionOf(beatWhen('released')))).toBe(5);
  expect(shownAt(positionOf(beatWhen('woken')))).toBe(7);
  expect(shown.at(-1)).toBe(8);
});

test('a beat whose envelope has not arrived shows no step yet', () => {
  const beat = beatWhen('woken');
  expect(beat.animation.landMs).toBeGreaterThan(0);
  expect(shownAt({ at: beat.at, beat: beat.id, heldMs: 0 })).toBe(5);
  expect(shownAt({ at: beat.at, beat: beat.id, heldMs: beat.animation.landMs })).toBe(7);
});

test('steps that have not happened, or are later than the last known instant, are not shown', () => {
  const last = STORYBOARD.beats.at(-1);
  const end = last ? positionOf(last) : startOf(STORYBOARD);
  const open = SCRIPT.map((step, n) => (n === 4 ? { n: step.n, title: '' } : step));
  expect(shownAt(end, open)).toBe(4);
  expect(shownAt(end, SCRIPT, redisTime(seconds(2.5012)))).toBe(2);
});

test('with several locks, a step is shown with a beat at its own lock', () => {
  const locks = ['orders:42', 'stock:7'].map((name) => ({ name, source: null }));
  const both = beatsFromEvents(
    runWith(
      locks,
      together(
        { text: 'orders:42 lease 6s\n1.000 A attempts acquired' },
        { text: 'stock:7 lease 6s\n1.001 A attempts acquired' },
      ),
    ),
  );
  const script = locks.map(({ name }, n) => ({ n, title: '', who: 'A1', lock: name, at: seconds(1.002) }));
  expect(both.beats.map((beat) => stepsShown(both, positionOf(beat), END, script))).toEqual([1, 2]);
});

test('a fault is a step of its client', () => {
  const crash = beatsFromEvents(
    runOf('orders:42 lease 6s\n0.000 A attempts acquired\n3.000 B attempts refused', [
      { at: 2, client: 'A', name: 'killed' },
    ]),
  );
  const script = [
    { n: 1, title: '', who: 'A1', at: seconds(0.005) },
    { n: 2, title: '', who: 'A', at: seconds(2) },
  ];
  const shown = (emphasis: string) => stepsShown(crash, positionOf(beatWhen(emphasis, crash)), END, script);
  expect([shown('taken'), shown('dark')]).toEqual([1, 2]);
});

test('the refused release of a permit is a step of the client that took the permit', () => {
  const storyboard = recordedStoryboard('expirable-semaphore');
  const refused = storyboard.beats.findIndex(({ moment }) => {
    const reported = storyboard.reported[moment]?.moment;
    return reported?.kind === 'event' && reported.event.type === 'unlock.refused';
  });
  const { script } = recordedDemo('expirable-semaphore');
  const edge = redisTime(Number.MAX_SAFE_INTEGER);
  const shown = storyboard.beats.map((beat) => stepsShown(storyboard, positionOf(beat), edge, script));
  expect(shown.slice(refused - 1, refused + 1)).toEqual([6, 7]);
});
