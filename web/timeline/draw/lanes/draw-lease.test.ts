import { expect, test } from 'vitest';
import { seconds } from '../../../../testing/stories/story.ts';
import { NAMED_INKS, RecordingPen } from '../../../testing/recording-pen.ts';
import { scaleOf, trackOf } from '../../../testing/stories.ts';
import { drawLease } from './draw-lease.ts';

const TRACK = trackOf(`
  orders:42 lease 6s
  0.000  A attempts acquired
  5.000  A releases
`);

function drawn(isEndKnown: boolean): RecordingPen {
  const pen = new RecordingPen();
  const lease = TRACK.lease.map((piece) => ({ ...piece, expiresAt: null, isEndKnown }));
  drawLease(pen, NAMED_INKS, { ...TRACK, lease }, 0, { scale: scaleOf(0, 10), now: seconds(9), lostFrom: () => null });
  return pen;
}

test('a lease whose end is not known has no line and no area, but a text', () => {
  const pen = drawn(false);
  expect([...pen.in('hold'), ...pen.in('hold-soft')]).toEqual([]);
  expect(pen.words()).toEqual(['end of the lease not known']);
});

test('a lease that never ends is a horizontal line', () => {
  const pen = drawn(true);
  expect(pen.words()).toEqual([]);
  const [line] = pen.in('hold').filter(({ call }) => call === 'stroke');
  expect(line?.path[0]?.[1]).toBe(line?.path[1]?.[1]);
});

test('a lease is drawn as lost from when no client renews it, not from its beginning on', () => {
  const pen = new RecordingPen();
  drawLease(pen, NAMED_INKS, TRACK, 0, { scale: scaleOf(0, 10), now: seconds(4), lostFrom: () => seconds(2) });
  const strokesIn = (ink: string) => pen.in(ink).filter(({ call }) => call === 'stroke');
  const [kept, lost] = [strokesIn('hold')[0], strokesIn('lost')[0]];
  const at = scaleOf(0, 10).x(seconds(2));
  expect(kept?.path.at(-1)?.[0]).toBeCloseTo(at);
  expect(lost?.path[0]?.[0]).toBeCloseTo(at);
  expect(lost?.path[0]?.[1]).toBeCloseTo(kept?.path.at(-1)?.[1] ?? 0);
});
