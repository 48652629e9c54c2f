import { expect, test } from 'vitest';
import { keySlot } from '../../../shared/base/key-slot.ts';
import { merged } from '../../../testing/goldens/report-from-events.ts';
import { seconds, story } from '../../../testing/stories/story.ts';
import { EventStore } from '../store/event-store.ts';
import { placedAnswers } from './placed-locks.ts';

const ALL = { from: 0, limit: 10, isWanted: () => true };

function answersOf(topology: 'sentinel' | 'cluster') {
  const store = new EventStore(() => seconds(100));
  store.add(merged(story('x lease 300s\n0 A attempts acquired')));
  return placedAnswers(store.answers, () => ({ topology, node: 'redis://10.0.0.2:6379' }));
}

test.each(['sentinel', 'cluster'] as const)(
  'a present lock has its server, a past one has none, and both have a slot in a cluster only: %s',
  async (topology) => {
    const answers = answersOf(topology);
    const slot = topology === 'cluster' ? keySlot('x') : undefined;
    const [now] = answers.locksNamed('x');
    if (!now) throw new Error('no lock');
    const present = [now, ...(await answers.lockPage(ALL)).locks, await answers.detail(now)];
    for (const lock of present) expect([lock?.node, lock?.slot]).toEqual(['redis://10.0.0.2:6379', slot]);
    const at = seconds(50);
    const page = await answers.lockPage({ ...ALL, at });
    const past = [...page.locks, ...(await answers.pastLocksNamed('x', {}, at)), await answers.detail(now, at)];
    expect(past).toHaveLength(3);
    for (const lock of past) expect([lock?.node, lock?.slot]).toEqual([undefined, slot]);
  },
);
