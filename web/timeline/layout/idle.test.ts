import { expect, test } from 'vitest';
import { seconds } from '../../../testing/stories/story.ts';
import { makeEvent } from '../../testing/make.ts';
import type { Lane } from '../model/marks.ts';
import { trackFromEvents } from '../model/track-from-events.ts';
import { busyTimes, idleSpans } from './idle.ts';

const VIEW = { from: seconds(50), to: seconds(60) };
const NOW = seconds(200);

const idleIn = (lanes: readonly Lane[]) => idleSpans(VIEW, busyTimes(lanes, VIEW, NOW));

test('a write hold is not idle time, even if its thread has read meanwhile', () => {
  const of = { kind: 'read-write-lock', holder: 'u:1', holdCount: 1 };
  const { lanes } = trackFromEvents('s/0/orders:42', [
    makeEvent(1, { ...of, at: seconds(0), type: 'lock.acquired', mode: 'write' }),
    makeEvent(2, { ...of, at: seconds(1), type: 'lock.acquired', mode: 'read' }),
    makeEvent(3, { ...of, at: seconds(2), type: 'lock.released', mode: 'read', holdCount: 0 }),
    makeEvent(4, { ...of, at: seconds(100), type: 'lock.released', mode: 'write', holdCount: 0 }),
  ]);
  expect(lanes[0]?.spans).toHaveLength(2);
  expect(idleIn(lanes)).toEqual([]);
});

test('a run of attempts is not idle time', () => {
  const run = { kind: 'run', id: 'r1', seq: 1, endSeq: 90, holder: 'u:1', attempts: 90 } as const;
  const lane = { holder: 'u:1', spans: [], points: [] };
  expect(idleIn([{ ...lane, runs: [{ ...run, from: seconds(40), to: seconds(70) }] }])).toEqual([]);
  const short = idleIn([{ ...lane, runs: [{ ...run, from: seconds(54), to: seconds(56) }] }]);
  expect(short).toHaveLength(2);
  expect(short[0]?.to).toBeLessThan(seconds(54));
  expect(short[1]?.from).toBeGreaterThan(seconds(56));
});
