import { describe, expect, test } from 'vitest';
import { compareGroups } from '../../e2e/support/group-story.ts';
import { groupedEventsFromTrace } from './grouped-trace.ts';
import { goldens, goldensOfSeveral } from './read-trace.ts';

describe.each(goldensOfSeveral())('$folder', ({ name, isPushFirst, trace, truth }) => {
  test(`${name}: locks that clients took as one are one group`, () => {
    const events = groupedEventsFromTrace(trace(), isPushFirst);
    expect(events.some(({ group }) => group !== undefined)).toBe(true);
    expect(compareGroups(truth(), events)).toEqual([]);
  });
});

/** Whoever locks one thing at a time is of no group, however fast. */
describe.each(goldens().filter(({ folder }) => !folder.startsWith('other/')))(
  '$folder',
  ({ name, isPushFirst, trace }) => {
    test(`[G2] ${name}: nothing is told as one operation`, () => {
      expect(groupedEventsFromTrace(trace(), isPushFirst).filter(({ group }) => group !== undefined)).toEqual([]);
    });
  },
);
