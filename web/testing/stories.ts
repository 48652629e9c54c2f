import { holderOf, seconds, story } from '../../shared/testing/story.ts';
import { makeScale, type Scale } from '../timeline/layout/scale.ts';
import type { HoldMark, Lane, SpanMark, Track } from '../timeline/model/marks.ts';
import { trackFromEvents } from '../timeline/model/track-from-events.ts';

/** Two threads, one lock: A releases at 7, B was asleep since 2.5. */
export const TWO_THREADS = `
  orders:42 lease 6s
  0.000  A attempts acquired
  2.000  A renews
  2.500  B attempts refused
  2.510  B subscribes
  2.520  B attempts refused
  4.000  A renews
  7.000  A releases
  7.010  B attempts acquired
  7.020  B unsubscribes
  9.000  B releases
`;

/** A is gone after its last renewal at 2; its lease runs out at 8 and B's own timer wakes it. */
export const CRASH = `
  orders:42 lease 6s
  0.000  A attempts acquired
  2.000  A renews
  3.000  B attempts refused
  3.010  B subscribes
  3.020  B attempts refused
  8.000  B attempts acquired
  9.000  B releases
`;

/** The track of a story. */
export function trackOf(text: string): Track {
  return trackFromEvents('story/0/orders:42', story(text));
}

/** An actor's lane. */
export function laneOf(track: Track, actor: string): Lane {
  const lane = track.lanes.find(({ holder }) => holder === holderOf(actor));
  if (!lane) throw new Error(`no lane of ${actor}`);
  return lane;
}

/** The holds of a lane. */
export function holdsOf(lane: Lane): HoldMark[] {
  return lane.spans.filter((span: SpanMark): span is HoldMark => span.kind === 'hold');
}

/** A scale over some seconds of a story, 100 px a second. */
export function scaleOf(from: number, to: number, idle: Parameters<typeof makeScale>[2] = []): Scale {
  return makeScale({ from: seconds(from), to: seconds(to) }, (to - from) * 100, idle);
}
