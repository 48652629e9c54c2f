import { expect, test } from 'vitest';
import type { LockEvent } from '../../../shared/events/event.ts';
import { type Problem, problem } from '../../../shared/wire/problems/problem.ts';
import type { Source } from '../../../shared/wire/source.ts';
import { seconds } from '../../../testing/stories/story.ts';
import { makeMemoryObservatory } from '../../testing/memory-observatory.ts';
import { WatchLog } from './watch-log.ts';

const [BASE] = makeMemoryObservatory().sources();

/** The log after its source was seen like this, at these seconds. */
function logOf(...steps: readonly [number, Partial<Source> | LockEvent['type']][]): WatchLog {
  const log = new WatchLog();
  for (const [at, step] of steps) {
    if (!BASE) throw new Error('no source');
    if (typeof step !== 'string') log.see([{ ...BASE, id: 's', ...step }], () => seconds(at));
    else log.take({ type: step, source: 's', at: seconds(at) } as LockEvent); // the code under test reads only these fields
  }
  return log;
}

const sightAt = (log: WatchLog, at?: number) => log.sights(at === undefined ? undefined : seconds(at)).get('s');

test('a source is watched at its level since it was first observed, or since the level changed', () => {
  const log = logOf(
    [1, { status: 'connecting', level: 'events' }],
    [2, { status: 'observing', level: 'events' }],
    [3, { status: 'observing', level: 'events' }],
    [5, { status: 'observing', level: 'monitor' }],
  );
  expect([1.5, 4, 6].map((at) => sightAt(log, at))).toEqual([
    undefined,
    { level: 'events', watchedSince: seconds(2) },
    { level: 'monitor', watchedSince: seconds(5) },
  ]);
  expect(sightAt(log)).toEqual({ level: 'monitor', watchedSince: seconds(5) });
});

test('a source is not watched in a blind spot, and is watched again from its end', () => {
  const log = logOf(
    [1, { status: 'observing', level: 'monitor' }],
    [4, 'blind-spot.began'],
    [5, { status: 'reconnecting', level: 'monitor' }],
    [6, { status: 'observing', level: 'monitor' }],
    [7, 'blind-spot.ended'],
  );
  expect(sightAt(log, 3)).toMatchObject({ watchedSince: seconds(1) });
  expect([4.5, 6.5].map((at) => sightAt(log, at))).toEqual([undefined, undefined]);
  expect(sightAt(log, 8)).toMatchObject({ watchedSince: seconds(7) });
});

test('a recording was watched at its level since it began', () => {
  const recording = {
    name: 'a',
    endsAt: seconds(90),
    playing: false,
    cutShort: false,
    badLines: { count: 0, first: [] },
  };
  const log = logOf([90, { level: 'events', recording: { ...recording, startedAt: seconds(10) } }]);
  expect(sightAt(log, 50)).toEqual({ level: 'events', watchedSince: seconds(10) });
  expect(sightAt(log, 5)).toBeUndefined();
});

test('of 2,000 changes of level, the newest are kept', () => {
  const log = logOf(
    ...Array.from(
      { length: 2000 },
      (_, n) => [n, { level: n % 2 === 0 ? 'events' : 'monitor' }] as [number, Partial<Source>],
    ),
  );
  expect(sightAt(log, 1)).toBeUndefined();
  expect(sightAt(log, 1900)).toEqual({ level: 'events', watchedSince: seconds(1900) });
});

test('the log shows for how much of a range waits were not seen', () => {
  const log = logOf(
    [1, { status: 'observing', level: 'events' }],
    [3, { status: 'observing', level: 'monitor' }],
    [6, 'blind-spot.began'],
    [7, 'blind-spot.ended'],
  );
  expect(log.unseenWaits(seconds(3), seconds(6))).toEqual([]);
  expect(log.unseenWaits(seconds(0), seconds(10))).toEqual([
    { source: 's', reason: 'unwatched', micros: 2_000_000 },
    { source: 's', reason: 'level', micros: 2_000_000 },
  ]);
  expect(log.unseenWaits(seconds(6.5), seconds(6.75))).toMatchObject([{ reason: 'unwatched', micros: 250_000 }]);
});

test('a blind spot is over for free locks once all keys were looked at after it, which a recording does not show', () => {
  const at = (snapshotAt: number, part: Partial<Source> = {}) =>
    ({ status: 'observing', level: 'monitor', snapshotAt: seconds(snapshotAt), ...part }) as const;
  const scanning = { missing: { firstScan: 0.5 } } as Partial<Source>;
  const recording = { recording: { startedAt: seconds(0) } } as unknown as Partial<Source>; // the code under test reads only these fields
  const [from, to] = [seconds(2), seconds(3)];
  const steps = (...more: [number, Partial<Source>][]) =>
    logOf([1, at(1)], [2, 'blind-spot.began'], [3, 'blind-spot.ended'], ...more).gaps('s');
  expect(steps([3.5, at(1)])).toEqual([{ from, to }]);
  expect(steps([3.5, at(3.4, scanning)])).toEqual([{ from, to }]);
  expect(steps([3.5, at(3.4, recording)])).toEqual([{ from, to }]);
  const log = logOf([1, at(1)], [2, 'blind-spot.began'], [3, 'blind-spot.ended'], [5, at(4.9)], [6, at(5.9)]);
  expect(log.gaps('s')).toEqual([{ from, to, readAt: seconds(5) }]);
  expect(log.gaps('s', seconds(4))).toEqual([{ from, to }]);
});

const notCounted = problem('unseen-without-right', {
  loss: 'listeners',
  user: 'app',
  grant: '',
  commands: [],
  absent: [],
});
const watching = (unseen: readonly Problem[]): Partial<Source> => ({ level: 'monitor', unseen: [...unseen] });

test('a lack is reported for an instant only between its beginning and its end', () => {
  const log = logOf(
    [1, watching([problem('unseen-clients')])],
    [2, watching([])],
    [5, watching([notCounted])],
    [7, watching([])],
  );
  expect([0.5, 1.5, 3, 6, 8].map((at) => log.unseenAt(seconds(at)))).toEqual([
    [], // not watched yet, and nothing is shown of it
    [{ source: 's', lacks: ['presence'] }],
    [],
    [{ source: 's', lacks: ['listeners'] }],
    [],
  ]);
  expect([1.5, 3, 6, 8].map((at) => sightAt(log, at)?.lacks)).toEqual([
    ['presence'],
    undefined,
    ['listeners'],
    undefined,
  ]);
  expect(sightAt(log)?.lacks).toBeUndefined();
});

test('a lack begins earlier if a state that arrives late shows it, and an older state without it does not end it', () => {
  const log = logOf([1, watching([])], [6, watching([notCounted])], [4, watching([])], [5, watching([notCounted])]);
  expect([4.5, 5.5, 7].map((at) => sightAt(log, at)?.lacks)).toEqual([undefined, ['listeners'], ['listeners']]);
});

test('a source with a silent observer is not watched from its last known instant on, until the observer sends again', () => {
  const silent = { problem: problem('observer-silent', { silentMs: 5000 }), unwatchedSince: seconds(4) };
  const log = logOf([1, watching([])], [5, { ...watching([]), ...silent }]);
  expect(sightAt(log, 3)).toMatchObject({ level: 'monitor' });
  expect([sightAt(log, 4), sightAt(log)]).toEqual([undefined, undefined]);
  expect(log.unseenAt(seconds(9))).toEqual([{ source: 's', unwatchedSince: seconds(4), lacks: [] }]);
  expect([log.gaps('s', seconds(3)), log.gaps('s', seconds(9))]).toEqual([[], [{ from: seconds(4), to: null }]]);
  expect(log.unseenWaits(seconds(3), seconds(6))).toEqual([{ source: 's', reason: 'unwatched', micros: 2_000_000 }]);
  expect(log.see([{ ...BASE!, id: 's', ...watching([]) }], () => seconds(10))).toEqual(['s']);
  expect(log.unseenAt(seconds(9))).toEqual([]);
});
