import { describe, expect, test } from 'vitest';
import { orderProblems } from '../../e2e/support/compare/compare-truth.ts';
import { compareGroupLock } from '../../e2e/support/compare/group-lock-story.ts';
import { compareGroups } from '../../e2e/support/compare/group-story.ts';
import { parseTruth } from '../../e2e/support/compare/truth.ts';
import { groupedEventsFromTrace } from '../traces/grouped-trace.ts';
import { goldens, goldensOfSeveral } from '../traces/read-trace.ts';

const isOfGroupLock = ({ name }: { name: string }) => name === 'group-lock';

describe.each(goldensOfSeveral().filter((golden) => !isOfGroupLock(golden)))(
  '$folder',
  ({ name, isPushFirst, trace, truth }) => {
    test(`${name}: locks that a client acquired together are one group`, () => {
      const events = groupedEventsFromTrace(trace(), isPushFirst);
      expect(events.some(({ group }) => group !== undefined)).toBe(true);
      expect(compareGroups(truth(), events)).toEqual([]);
    });
  },
);

describe.each(goldensOfSeveral().filter(isOfGroupLock))('$folder', ({ name, isPushFirst, trace, truth }) => {
  test(`${name}: the events match what the clients saw`, () => {
    const events = groupedEventsFromTrace(trace(), isPushFirst);
    expect(new Set(events.map(({ kind }) => kind))).toEqual(new Set(['group-lock']));
    expect(compareGroupLock(parseTruth(truth()), events)).toEqual([]);
    expect(orderProblems(events)).toEqual([]);
  });
});

/** Clients that acquire one lock at a time have no groups, however fast they are. */
describe.each(goldens().filter(({ folder }) => !folder.startsWith('other/')))(
  '$folder',
  ({ name, isPushFirst, trace }) => {
    test(`[G2] ${name}: no events are reported as a group`, () => {
      expect(groupedEventsFromTrace(trace(), isPushFirst).filter(({ group }) => group !== undefined)).toEqual([]);
    });
  },
);
