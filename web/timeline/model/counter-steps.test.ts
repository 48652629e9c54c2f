import { expect, test } from 'vitest';
import type { LockEvent } from '../../../shared/events/event.ts';
import { seconds } from '../../../testing/stories/story.ts';
import { makeEvent } from '../../testing/make.ts';
import { trackFromEvents } from './track-from-events.ts';

/** A semaphore with 2 of 3 permits out, then a blind spot from 10 s. */
const BEFORE = [
  permits(1, 1, { type: 'permits.set', available: 3, total: 3 }),
  permits(2, 2, { type: 'permits.acquired', permits: 2, available: 1, total: 3 }),
  ofSource(3, 10, { type: 'blind-spot.began', reason: 'connection-lost' }),
];

function permits(seq: number, at: number, detail: Record<string, unknown>): LockEvent {
  return makeEvent(seq, { kind: 'semaphore', lock: 'gate', holder: 'app1', at: seconds(at), ...detail });
}

function ofSource(seq: number, at: number, detail: Record<string, unknown>): LockEvent {
  return makeEvent(seq, { lock: '', at: seconds(at), holder: undefined, ...detail });
}

function countsOf(...later: LockEvent[]): string[] {
  const { counter } = trackFromEvents('s/0/gate', [...BEFORE, ...later]);
  return counter.map(({ at, count }) => `${(at - seconds(0)) / 1e6} s: ${count}`);
}

test('a count is not known from a blind spot on, even if a problem ends meanwhile', () => {
  const closed = permits(4, 12, {
    type: 'insight.closed',
    insight: 'permits-1',
    incident: 'deadlock',
    isUnknown: true,
  });
  expect(countsOf()).toEqual(['1 s: 0', '2 s: 2', '10 s: null']);
  expect(countsOf(closed)).toEqual(['1 s: 0', '2 s: 2', '10 s: null']);
});

test('the end of a blind spot shows no count, but the next event with the number of free permits does', () => {
  const ended = ofSource(4, 20, { type: 'blind-spot.ended', reason: 'watching-again', from: seconds(10) });
  const listens = permits(5, 21, { type: 'waiter.subscribed', subscribers: 1 });
  const refused = permits(6, 22, { type: 'permits.refused', permits: 3, available: 1, total: 3 });
  expect(countsOf(ended, listens)).toEqual(['1 s: 0', '2 s: 2', '10 s: null']);
  expect(countsOf(ended, listens, refused)).toEqual(['1 s: 0', '2 s: 2', '10 s: null', '22 s: 2']);
});
