import { describe, expect, test } from 'vitest';
import { groupedEventsFromTrace } from '../../testing/traces/grouped-trace.ts';
import { goldensOfSeveral } from '../../testing/traces/read-trace.ts';
import { groupFromEvents } from './group-from-events.ts';

function traced(version: string, name: string) {
  const golden = goldensOfSeveral().find((each) => each.folder.endsWith(version) && each.name === name);
  return golden ? groupedEventsFromTrace(golden.trace(), golden.isPushFirst) : [];
}

describe.each(['3.16.8', '3.27.2', '3.46.0', '4.7.0'])('Redisson %s', (version) => {
  test('a multi lock whose leases were set together has its locks in order and ends as released', () => {
    const events = traced(version, 'multi');
    const fixUp = events.find(({ groupStep }) => groupStep === 'fix-up');
    const group = groupFromEvents(events, fixUp?.group ?? '');
    expect(group).toMatchObject({ isRedLock: false, round: 1, end: 'released' });
    expect(group?.members.map(({ name, state }) => `${name} ${state}`)).toEqual(['a released', 'b released']);
  });

  test('a multi lock used once is not a group if only the times are evidence', () => {
    const once = traced(version, 'multi').filter(({ type, lock }) => type === 'lock.acquired' && lock === 'c');
    expect(once[0]?.group).toBeUndefined();
  });

  test('a multi lock that is refused a lock rolls back the others', () => {
    const events = traced(version, 'multi');
    const back = events.find(({ groupStep }) => groupStep === 'roll-back');
    const group = groupFromEvents(events, back?.group ?? '');
    expect(group?.end).toBe('rolled-back');
    expect(group?.members.map(({ name, state }) => `${name} ${state}`)).toEqual(['d given-back', 'c refused']);
  });

  test('a multi lock that waits for one lock holds the other', () => {
    const events = traced(version, 'multi');
    const asleep = events.find((event) => event.type === 'lock.refused' && event.asleep);
    const until = events.filter(({ seq }) => seq <= (asleep?.seq ?? 0));
    const members = groupFromEvents(until, asleep?.group ?? '')?.members;
    expect(members?.map(({ name, state }) => `${name} ${state}`)).toEqual(['d held', 'c waited-for']);
  });

  test('a RedLock is one lock name on three servers', () => {
    const events = traced(version, 'redlock');
    const group = groupFromEvents(events, events[0]?.group ?? '');
    expect(group).toMatchObject({ isRedLock: true, end: 'released' });
    expect(group?.members.map(({ source }) => source)).toEqual(['server-0', 'server-1', 'server-2']);
  });
});

test('an unknown group has no details', () => {
  expect(groupFromEvents(traced('4.7.0', 'multi'), 'g-none')).toBeUndefined();
});
