import { expect, test } from 'vitest';
import type { Span } from '../../../shared/wire/http.ts';
import { compareSpans } from './compare-spans.ts';

/** Two threads of one client: A holds and re-enters; B waits, holds, and loses a lease of 0.7 s. */
const SEEN = [
  '1000000 app ready u',
  '1010000 app A#1 > lock lock x',
  '1030000 app A#1 < lock lock x = ok',
  '1031000 app A#1 > lock lock x',
  '1032000 app A#1 < lock lock x = ok',
  '1040000 app B#2 > lock lock x 700',
  '1600000 app A#1 > unlock lock x',
  '1601000 app A#1 < unlock lock x = ok',
  '1640000 app A#1 > unlock lock x',
  '1650000 app A#1 < unlock lock x = ok',
  '1654000 app B#2 < lock lock x 700 = ok',
  '3000000 app B#2 > unlock lock x',
  '3001000 app B#2 < unlock lock x ! IllegalMonitorStateException: not locked by current thread',
];
const REPORTED: Span[] = [
  span('hold', 'u:1', 1_020_000, 1_645_000, 'released', { deepest: 2 }),
  span('wait', 'u:2', 1_042_000, 1_652_000, 'message', { attempts: 2 }),
  span('hold', 'u:2', 1_652_000, 2_352_000, 'expired', { deepest: 1 }),
];

test('spans that match what the clients saw have no difference', () => {
  expect(compareSpans(SEEN, REPORTED)).toEqual([]);
});

test.each<[string, Span[], string]>([
  ['a hold that is missing', REPORTED.slice(1), '0 holds are reported, the client had 1'],
  ['a hold reported twice', [...REPORTED, REPORTED[0]!], '2 holds are reported, the client had 1'],
  ['a depth that is wrong', changed(0, { deepest: 1 }), 'reported 1 deep, it was 2'],
  ['a hold that begins too early', changed(0, { from: 1_000_000 }), 'a hold begins at 1000000'],
  ['a hold that ends too early', changed(0, { to: 1_601_000 }), 'a hold ends as released at 1601000'],
  ['a hold that never ends', changed(0, { to: null, ended: null }), 'a hold ends as null'],
  ['a lost hold reported as released', changed(2, { ended: 'released' }), 'a lost hold ends as released'],
  ['a loss reported too late', changed(2, { to: 3_100_000 }), 'a lost hold ends as expired at 3100000'],
  ['a wait while no thread waited', changed(1, { from: 1_020_000 }), 'when the client did not wait'],
  ['a wait beyond its call', changed(1, { to: 1_700_000 }), 'a wait ends at 1700000'],
  ['a span of an unknown holder', changed(1, { holder: 'u:3' }), 'a wait without a client is reported'],
])('%s is a difference', (_, spans, problem) => {
  expect(compareSpans(SEEN, spans)).toContainEqual(expect.stringContaining(problem));
});

function span(kind: Span['kind'], holder: string, from: number, to: number, ended: string, rest: Partial<Span>): Span {
  const place = { source: 's', db: 0, lock: 'x', openStart: false, fromSeq: 1, toSeq: 2 };
  return { kind, ...place, holder, from, to, ended, ...rest };
}

function changed(index: number, change: Partial<Span>): Span[] {
  return REPORTED.map((each, place) => (place === index ? { ...each, ...change } : each));
}
