import { expect, test } from 'vitest';
import type { Span } from '../../shared/wire/http.ts';
import { evidenceLanes } from './evidence-lanes.ts';

const VIEW = { from: 1000, to: 2000 };

function span(part: Partial<Span>): Span {
  const place = { source: 'redis', db: 0, lock: 'orders:42', openStart: false, fromSeq: 1, toSeq: null };
  return { kind: 'hold', holder: 'a:1', from: 1000, to: null, ended: null, ...place, ...part };
}

test('a hold that has not ended reaches the right edge, and a hold that began earlier reaches the left edge', () => {
  const [lane] = evidenceLanes([span({ from: 500 })], [], VIEW);
  expect(lane?.bars).toMatchObject([{ from: 0, to: 1, isExpired: false }]);
});

test('the threads of the problem are first, then other threads by their first span', () => {
  const spans = [
    span({ holder: 'c:1', kind: 'wait', from: 1200 }),
    span({ holder: 'b:1', kind: 'wait', from: 1100 }),
    span({ holder: 'a:1', from: 1300 }),
  ];
  const lanes = evidenceLanes(spans, ['a:1'], VIEW);
  expect(lanes.map(({ key, isNamed }) => [key.split('\n')[1], isNamed])).toEqual([
    ['a:1', true],
    ['b:1', false],
    ['c:1', false],
  ]);
});

test('a thread has a lane for each of its locks', () => {
  const spans = [span({}), span({ lock: 'stock:7', kind: 'wait' })];
  expect(evidenceLanes(spans, ['a:1'], VIEW)).toHaveLength(2);
});

test('only a hold whose lease ran out is marked as expired', () => {
  const spans = [
    span({ to: 1500, ended: 'expired' }),
    span({ holder: 'b:1', to: 1600, ended: 'released' }),
    span({ holder: 'c:1', kind: 'wait', to: 1700, ended: 'own-timer' }),
  ];
  expect(evidenceLanes(spans, [], VIEW).map(({ bars }) => bars[0]?.isExpired)).toEqual([true, false, false]);
});

test('spans outside of the view are not drawn, and at most five lanes are drawn', () => {
  expect(evidenceLanes([span({ from: 100, to: 900 }), span({ from: 2100 })], [], VIEW)).toEqual([]);
  const many = Array.from({ length: 12 }, (_, n) => span({ holder: `a:${n}`, kind: 'wait' }));
  expect(evidenceLanes(many, [], VIEW)).toHaveLength(5);
});
