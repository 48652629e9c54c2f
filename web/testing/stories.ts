import { holderOf, seconds, story } from '../../testing/stories/story.ts';
import { makeScale, type Scale } from '../timeline/layout/scale.ts';
import type { HoldMark, Lane, SpanMark, Track } from '../timeline/model/marks.ts';
import { trackFromEvents } from '../timeline/model/track-from-events.ts';

/** Two threads, one lock: A releases at 7 s, B has been asleep since 2.52 s. */
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

/** A crashes after its last renewal at 2 s. Its lease expires at 8 s, and B wakes up by its own timer. */
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

/** Returns the track of the lock `orders:42` in a story. */
export function trackOf(text: string): Track {
  return trackFromEvents('story/0/orders:42', story(text));
}

/** Returns the lane of an actor. Throws if the track has none. */
export function laneOf(track: Track, actor: string): Lane {
  const lane = track.lanes.find(({ holder }) => holder === holderOf(actor));
  if (!lane) throw new Error(`no lane of ${actor}`);
  return lane;
}

export function holdsOf(lane: Lane): HoldMark[] {
  return lane.spans.filter((span: SpanMark): span is HoldMark => span.kind === 'hold');
}

/** Returns a scale over the seconds `from` to `to` of a story, 100 px per second. */
export function scaleOf(from: number, to: number, idle: Parameters<typeof makeScale>[2] = []): Scale {
  return makeScale({ from: seconds(from), to: seconds(to) }, (to - from) * 100, idle);
}
