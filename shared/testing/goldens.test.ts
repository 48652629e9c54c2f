import { describe, expect, test } from 'vitest';
import { compareTruth } from '../../e2e/support/compare/compare-truth.ts';
import { compareTokenTruth } from '../../e2e/support/compare/token-truth.ts';
import { goldens, OTHER } from './read-trace.ts';
import { eventsFromTrace } from './trace-file.ts';

/** Clients that were killed in a scenario: their holds at the end are lost. */
const KILLED: Readonly<Record<string, readonly string[]>> = { crash: ['app1'], 'fair-dead-head': ['app2'] };
/** Clients whose own clock, used for the times in their truth file, was ahead by this many µs. */
const CLOCKS_AHEAD: Readonly<Record<string, number>> = { skewed: 20 * 60 * 1_000_000 };

/** Traces that cannot be compared with what their clients saw: by name, with the reason. */
const UNTOLD: readonly (readonly [RegExp, string])[] = [
  [/^accidental-reentrancy/, 'requests of several threads lock with one id'],
  [/^phantom-hold-count/, 'a call that was sent twice, by a client that knows about one'],
  [/^server-refuses-writes/, 'exceptions that do not show what was done'],
  [/^subscription-pool-exhausted/, 'exceptions that do not show what was done'],
  [
    /^(orphan-job-lock|lease-shorter-than-work\.redis-py|quorum-error-without-cause)/,
    'another format of the truth file',
  ],
];
const isTold = ({ name }: { name: string }) => !UNTOLD.some(([pattern]) => pattern.test(name));

const isOther = ({ folder }: { folder: string }) => folder.startsWith(OTHER);

describe.each(goldens().filter(isOther))('$folder', ({ name, trace, truth }) => {
  test(`${name}: the events match what the clients saw`, () => {
    const events = eventsFromTrace(trace(), true);
    expect(events.length).toBeGreaterThan(0);
    expect(compareTokenTruth(truth(), events)).toEqual([]);
  });
});

const ofRedisson = goldens().filter((golden) => !isOther(golden) && isTold(golden));

describe.each(ofRedisson)('$folder', ({ name, isPushFirst, trace, truth }) => {
  test(`${name}: the events match what the clients saw`, () => {
    const events = eventsFromTrace(trace(), isPushFirst);
    expect(events.length).toBeGreaterThan(0);
    expect(compareTruth(truth().map(onRedisClock), events, { killed: KILLED[name] ?? [] })).toEqual([]);
  });
});

function onRedisClock(line: string): string {
  const [stamp = '', client = ''] = line.split(' ');
  const ahead = CLOCKS_AHEAD[client];
  return ahead === undefined ? line : `${Number(stamp) - ahead}${line.slice(stamp.length)}`;
}
