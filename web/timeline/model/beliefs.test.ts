import { expect, test } from 'vitest';
import type { LockEvent } from '../../../shared/events/event.ts';
import { orphanedFrom } from '../../../shared/insights/renewals.ts';
import { stepsOf } from '../../../shared/state/replay/lock-replay.ts';
import { holderOf, seconds, story } from '../../../testing/stories/story.ts';
import { beliefsFromSteps } from './beliefs.ts';
import { endOf } from './marks.ts';
import { trackFromEvents } from './track-from-events.ts';

const ACQUISITION = story(`
  orders:42 lease 60s
  0.000  A attempts acquired
`);

function later(seq: number, at: number, detail: object): LockEvent {
  const [acquired] = ACQUISITION;
  return { ...acquired, seq, at: seconds(at), ...detail } as LockEvent; // each test adds the type and its fields
}

const LOST = later(2, 10, {
  ...{ type: 'lock.lost', holder: holderOf('A'), mode: 'exclusive', reason: 'failover' },
  ...{ certainty: 'inferred', expiresAt: seconds(60) },
});
const TAKEN = later(3, 12, { type: 'lock.acquired', holder: holderOf('B'), mode: 'exclusive', holdCount: 1 });
const REFUSED = later(4, 20, { type: 'unlock.refused', holder: holderOf('A'), reason: 'not-owner' });

test('[X3] the holder of a lost hold still thinks it holds the lock until it learns of the loss', () => {
  const events = [...ACQUISITION, LOST, TAKEN, REFUSED];
  const [belief, ...more] = beliefsFromSteps(stepsOf({ base: undefined, events }));
  expect(more).toEqual([]);
  if (!belief) throw new Error('no belief');
  expect(belief).toMatchObject({ holder: holderOf('A'), from: seconds(10), to: seconds(20) });
  expect(belief.belief).toEqual({ until: seconds(60) });
  expect(orphanedFrom(belief, seconds(30), new Map())).toBe(belief.from); // dashed from its beginning
  const lanes = trackFromEvents('redis/0/orders:42', events).lanes;
  expect(lanes.map(({ spans }) => spans.map(({ ended }) => ended))).toEqual([['lost', 'lost'], [null]]);
});

test('[X3] a lost hold without an end ends on the timeline when its lease would have ended', () => {
  const [open] = beliefsFromSteps(stepsOf({ base: undefined, events: [...ACQUISITION, LOST] }));
  if (!open) throw new Error('no belief');
  expect(endOf(open, seconds(15))).toBe(seconds(15));
  expect(endOf(open, seconds(90))).toBe(seconds(60));
});
