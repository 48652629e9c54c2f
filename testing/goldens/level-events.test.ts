import { describe, expect, test } from 'vitest';
import { isCounterKind } from '../../shared/events/kinds/kinds.ts';
import type { LockState } from '../../shared/state/lock-state.ts';
import { reduceLock } from '../../shared/state/reduce.ts';
import { goldensOfNewest, goldensOfSeveral } from '../traces/read-trace.ts';
import { signalsFromTrace, stepsFromSignals } from '../traces/trace-file.ts';
import { compareHolders, compareLevels, unreportedLocks, wrongSince } from './compare-levels.ts';
import { type HeardBy, type Play, playTrace } from './level-events.ts';

/** Traces that cannot be played in every way: by name, with the reason. */
const WITHOUT_EVENTS: readonly (readonly [RegExp, string])[] = [
  [/^redlock/, 'three servers in one trace, without key events'],
  [/^events-off/, 'its server sends no key events for a while'],
  [/flushdb/, 'FLUSHDB sends no key event'],
  [/^group-lock/, "its values end by the clients' clocks: an expiry and a release look the same"],
];
const PLACES = [0.25, 0.5, 0.75];
/** The first scan of a large server is late: by this part of the trace. */
const LATE_SCAN = 0.12;
/**
 * In this release, an unlock that leaves one count sends the key events of an acquisition: before the first scan it
 * looks like an acquisition.
 */
const OLD_UNLOCKS = 'redisson-3.5.7';

const playable = [...goldensOfNewest(), ...goldensOfSeveral()].filter(
  ({ name }) => !WITHOUT_EVENTS.some(([pattern]) => pattern.test(name)),
);

/** All ways to watch a trace of `count` steps. Problems that reads find are added to `problems`. */
function waysOf(count: number, folder: string, problems: string[]): Play[] {
  const way = (heardBy: HeardBy, part: number, late = 0): Play => {
    const from = Math.floor(count * part);
    const states = new Map<string, LockState>();
    let taken = 0;
    return {
      heardBy,
      from,
      scanAt: from + Math.floor(count * late),
      onRead(truth, name, at, played) {
        for (; taken < played.reported.length; taken++) {
          const event = played.reported[taken];
          if (event) states.set(event.lock, reduceLock(states.get(event.lock), event));
        }
        const reports = states.get(name);
        const isCounter = [truth?.kind, reports?.kind].some((kind) => kind !== undefined && isCounterKind(kind));
        const wrong = isCounter ? [] : [...compareHolders(truth, reports, at), ...wrongSince(played, reports)];
        problems.push(...wrong.map((text) => `${heardBy} from ${part}: ${name} at ${at}: ${text}`));
      },
    };
  };
  return [
    ...[0, ...PLACES].flatMap((part) => [way('notifications', part), way('tracking', part)]),
    ...(folder === OLD_UNLOCKS ? [] : PLACES.map((part) => way('notifications', part, LATE_SCAN))),
    ...[0, 0.5].map((part) => way('fields', part)),
    ...PLACES.map((part) => way('commands', part)),
  ];
}

describe.each(playable)('$folder', ({ folder, name, isPushFirst, trace }) => {
  test(`[K5] ${name}: events reported without commands, or from the middle of the trace on, are true`, () => {
    const steps = stepsFromSignals(signalsFromTrace(trace()), isPushFirst);
    const problems: string[] = [];
    const ways = waysOf(steps.length, folder, problems);
    const all = playTrace(steps, ways);
    for (const [n, played] of all.entries()) {
      const { from = 0, scanAt = 0 } = ways[n] ?? {};
      const text = `${played.heardBy} from step ${from}, scan at ${scanAt}`;
      problems.push(...compareLevels(played).map((each) => `${text}: ${each}`));
    }
    const [whole] = all;
    if (whole) problems.push(...unreportedLocks(whole).map((lock) => `nothing is reported of ${lock}`));
    expect(problems).toEqual([]);
  });
});

test('more than 200 traces can be played without commands', () => {
  expect(playable.length).toBeGreaterThan(200);
});
