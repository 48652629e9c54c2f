import { describe, expect, test } from 'vitest';
import { merged, reportAt, reportOf } from '../../testing/goldens/report-from-events.ts';
import { lockAt } from '../../testing/stories/lock-at.ts';
import { PLAIN_SERVER } from '../../testing/stories/server-story.ts';
import { seconds, story } from '../../testing/stories/story.ts';
import type { LockEvent } from '../events/event.ts';
import { idOf, type LockState } from '../state/lock-state.ts';
import { reduceLock } from '../state/reduce.ts';
import type { Detector, SourceDetector } from './detector.ts';
import { DETECTORS, DETECTORS_OF_DUMPS, DETECTORS_OF_ONE } from './detectors/all.ts';
import { abbaDeadlock } from './detectors/contention/abba-deadlock.ts';
import { fairHeadDead } from './detectors/fair/fair-head-dead.ts';
import { evictedLockKey } from './detectors/lost/evicted-lock-key.ts';
import { renewalOverdue } from './detectors/lost/renewal-overdue.ts';
import { watchdogStarved } from './detectors/lost/watchdog-starved.ts';
import { topologyChurn } from './detectors/server/topology-churn.ts';
import { holderCrashed } from './detectors/stuck/holder-crashed-wait-ttl.ts';
import { threadsWaitedLong } from './detectors/stuck/threads-waited-long.ts';
import type { FindingOf, Lack } from './insight.ts';
import { DetectorPass, MOST_INSIGHTS } from './pass/detector-pass.ts';
import type { PassInput } from './pass/pass-input.ts';
import { type RunInput, runDetectors } from './run.ts';

const EVENTS = story(`
  orders:42 lease 30s
  0.000  A attempts acquired
  1.000  redis lists A other
  6.000  redis lists other
`);

/** A finding about a lock, with the fields that matter here. */
function finding(lockId: string, part: Partial<FindingOf<'renewal-overdue'>> = {}): FindingOf<'renewal-overdue'> {
  return {
    ...{ incident: 'renewal-overdue', severity: 'hint', confidence: 'hint', lockId, holders: ['A'], events: [] },
    ...{ from: seconds(1), to: null, selfHealsAt: null },
    values: { holder: 'A', dueAt: seconds(1), endsAt: null, renewals: 1 },
    ...part,
  };
}

const unknown = () => ({ presence: 'unknown', goneSince: null }) as const;

const detector = (detect: () => readonly FindingOf<'renewal-overdue'>[]): Detector => ({
  ...{
    incident: 'renewal-overdue',
    effect: 'other',
    of: 'lock',
    withoutCommands: 'nothing',
    levels: ['monitor'],
  },
  detect,
});

const NO_CHANGES = { locks: [], clients: new Set<string>(), sources: new Set<string>(), lockEvents: new Set<string>() };

/** What a pass at this second may look at: one source at level `monitor`, and no lock. */
function inputAt(second: number): PassInput {
  return {
    ...{ at: seconds(second), now: () => seconds(second), lockOf: () => undefined, eventsWithinMs: 0 },
    ...{ clientOf: unknown, eventsOf: () => [], lockEventsOf: () => [], dumps: new Map() },
    sources: new Map([['story', { level: 'monitor', watchedSince: seconds(0) }]]),
  };
}

describe('a run of all detectors', () => {
  test('shows the error of a detector that throws, and goes on with the others', () => {
    const broken = detector(() => {
      throw new Error('no such field');
    });
    const { insights, failed } = reportAt(EVENTS, seconds(7), { detectors: [broken, ...DETECTORS] });
    expect(failed).toEqual([{ incident: 'renewal-overdue', message: 'no such field' }]);
    expect(insights.map(({ incident }) => incident)).toEqual(['holder-crashed-wait-ttl']);
  });

  test('shows the error of a detector of circles that throws while it takes a lock', () => {
    const take = () => {
      throw new Error('no such holder');
    };
    const broken: Detector = { ...abbaDeadlock, begin: () => ({ ...abbaDeadlock.begin(), take }), begins: () => true };
    const { failed } = reportAt(EVENTS, seconds(7), { detectors: [broken] });
    expect(failed).toEqual([{ incident: 'abba-deadlock', message: 'no such holder' }]);
  });

  test('lists the most severe insight first, then the oldest', () => {
    const found = detector(() => [
      finding('story/0/b', { from: seconds(2) }),
      finding('story/0/a', { from: seconds(1) }),
      finding('story/0/c', { severity: 'critical', from: seconds(3) }),
    ]);
    const { insights } = reportAt(EVENTS, seconds(7), { detectors: [found] });
    expect(insights.map(({ lock }) => lock)).toEqual(['c', 'a', 'b']);
  });

  test('[T9] reports a finding as at most likely if its key is only probably a lock', () => {
    const own = EVENTS.map(
      (event) => ({ ...event, kind: 'token-lock', kindKnown: false, evidence: ['name'] }) as const,
    );
    const found = (lockId: string) => detector(() => [finding(lockId, { confidence: 'certain' })]);
    const { lock = '', source = '' } = EVENTS.find(({ type }) => type === 'lock.acquired') ?? {};
    const confidenceIn = (events: readonly LockEvent[]) =>
      reportAt(events, seconds(7), { detectors: [found(`${source}/0/${lock}`)] }).insights.map(
        (each) => each.confidence,
      );
    expect(confidenceIn(EVENTS)).toContain('certain');
    expect(new Set(confidenceIn(own))).toEqual(new Set(['likely']));
  });

  test('lists at most a thousand insights and counts the others', () => {
    const many = Array.from({ length: MOST_INSIGHTS + 7 }, (_, n) => finding(`story/0/lock:${n}`));
    const { insights, more } = reportAt(EVENTS, seconds(7), { detectors: [detector(() => many)] });
    expect([insights.length, more]).toEqual([MOST_INSIGHTS, 7]);
    expect(new Set(insights.map(({ id }) => id)).size).toBe(MOST_INSIGHTS);
  });

  test('names each detector that does not work at the level of a source, even if there is no lock', () => {
    const input = {
      at: seconds(1),
      locks: [],
      events: [],
      clientOf: unknown,
    } as const;
    const sources = new Map([
      ['a', { level: 'snapshot', watchedSince: seconds(0) } as const],
      ['b', undefined],
    ]);
    const some = [renewalOverdue, holderCrashed, abbaDeadlock];
    const { cannotTell } = reportOf({ ...input, sources }, some);
    const reasonsOf = (source: string) => cannotTell.filter((each) => each.source === source);
    expect(reasonsOf('a').map(({ incident, reason }) => `${incident} ${reason}`)).toEqual([
      'renewal-overdue level',
      'abba-deadlock level',
    ]);
    expect(new Set(reasonsOf('b').map(({ reason }) => reason))).toEqual(new Set(['unwatched']));
    expect(reasonsOf('b')).toHaveLength(some.length);
  });

  test('knows nothing of a past instant in the first second of watching, before a lock was read', () => {
    const unseenAt = (at: number, locks: RunInput['locks'] = [], isPast = true) => {
      const sources = new Map([['story', { level: 'monitor', watchedSince: seconds(0) } as const]]);
      const input = { at: seconds(at), isPast, locks, events: [], clientOf: unknown, sources };
      return reportOf(input, DETECTORS).cannotTell;
    };
    const reasons = unseenAt(0.5).filter(({ reason }) => reason === 'unwatched');
    expect(new Set(reasons.map(({ incident }) => incident)).size).toBe(DETECTORS.length);
    expect(unseenAt(1).filter(({ reason }) => reason === 'unwatched')).toEqual([]);
    expect(unseenAt(0.5, [], false).filter(({ reason }) => reason === 'unwatched')).toEqual([]);
    expect(
      unseenAt(0.5, [lockAt(EVENTS.slice(0, 1), seconds(7))]).filter(({ reason }) => reason === 'unwatched'),
    ).toEqual([]);
  });

  test('names each detector that only gives hints at a level without commands, even if nothing is found', () => {
    const sources = new Map([['a', { level: 'events', watchedSince: seconds(0) } as const]]);
    const input = { at: seconds(1), locks: [], events: [], clientOf: unknown, sources } as const;
    const { cannotTell } = reportOf(input, [watchdogStarved, holderCrashed]);
    expect(cannotTell).toEqual([
      { incident: 'watchdog-starved', effect: 'lost', source: 'a', reason: 'level', locks: 0 },
    ]);
  });

  test('a detector has `withoutCommands: nothing` exactly if it works neither at level events nor at level replication', () => {
    const isAtOne = ({ levels }: Detector) => levels.includes('events') || levels.includes('replication');
    const named = (some: readonly Detector[]) => some.map(({ incident }) => incident);
    const all: readonly Detector[] = [...DETECTORS_OF_ONE, ...DETECTORS_OF_DUMPS];
    const silent = all.filter(({ withoutCommands }) => withoutCommands === 'nothing');
    expect(named(silent.filter(isAtOne))).toEqual([]);
    expect(named(all.filter((each) => !silent.includes(each) && !isAtOne(each)))).toEqual([]);
  });

  test('names each detector that needs what its source lacks: client lists, key events, or some locks', () => {
    const about = (lacks: readonly Lack[]) => {
      const sources = new Map([['a', { level: 'monitor', watchedSince: seconds(0), lacks } as const]]);
      const input = { at: seconds(1), locks: [], events: [], clientOf: unknown, sources } as const;
      const { cannotTell } = reportOf(input, [holderCrashed, evictedLockKey, topologyChurn]);
      return cannotTell.filter(({ reason }) => reason !== 'server').map(({ incident, reason }) => [incident, reason]);
    };
    expect(about([])).toEqual([]);
    expect(about(['presence'])).toEqual([['holder-crashed-wait-ttl', 'presence']]);
    expect(about(['key-events'])).toEqual([['evicted-lock-key', 'key-events']]);
    expect(about(['locks'])).toEqual([
      ['holder-crashed-wait-ttl', 'locks'],
      ['evicted-lock-key', 'locks'],
    ]);
  });

  test('cannot know the waiters of a lock that was held before watching began, if more connections listen than clients wait', () => {
    const held = lockAt(EVENTS.slice(0, 1), seconds(1));
    const found = { ...held, subscribers: 1, holders: held.holders.map((holder) => ({ ...holder, since: null })) };
    const sources = new Map([['story', { level: 'monitor', watchedSince: seconds(0) } as const]]);
    const unseenOf = (lock: LockState) =>
      reportOf({ at: seconds(1), locks: [lock], events: [], clientOf: unknown, sources }, [abbaDeadlock]).cannotTell;
    expect(unseenOf(found)).toMatchObject([{ incident: 'abba-deadlock', reason: 'blind-spot', locks: 1 }]);
    expect(unseenOf({ ...found, subscribers: 0 })).toEqual([]);
    expect(unseenOf({ ...held, subscribers: 1 })).toEqual([]);
    const { waiters } = lockAt(story('orders:42 lease 30s\n 0 A attempts acquired\n 1 B attempts refused'), seconds(2));
    expect(unseenOf({ ...found, waiters, subscribers: 2 })).toMatchObject([{ reason: 'blind-spot' }]);
    expect(unseenOf({ ...found, waiters, subscribers: 1 })).toEqual([]);
  });

  test('cannot know the waiters of a lock that was held before watching began, if listeners are not counted', () => {
    const held = lockAt(EVENTS.slice(0, 1), seconds(1));
    const found = { ...held, holders: held.holders.map((holder) => ({ ...holder, since: null })) };
    const unseenOf = (lock: LockState, ...heard: readonly (readonly Lack[])[]) => {
      const pass = new DetectorPass([abbaDeadlock, threadsWaitedLong]);
      for (const lacks of heard) {
        const input: PassInput = {
          ...{ at: seconds(1), now: () => seconds(1), lockOf: () => lock, eventsWithinMs: 0, clientOf: unknown },
          ...{ eventsOf: () => [], lockEventsOf: () => [], dumps: new Map() },
          sources: new Map([['story', { level: 'monitor', watchedSince: seconds(0), lacks }]]),
        };
        const none = new Set<string>();
        const locks = lacks === heard[0] ? [idOf(lock)] : none;
        for (const _ of pass.run(input, { locks, clients: none, sources: none, lockEvents: none }));
      }
      return pass.cannotTell.map(({ incident, reason }) => [incident, reason]);
    };
    expect(unseenOf(found, [])).toEqual([]);
    const hidden = [
      ['abba-deadlock', 'blind-spot'],
      ['threads-waited-long', 'blind-spot'],
    ];
    expect(unseenOf(found, ['listeners'])).toEqual(hidden);
    expect(unseenOf(found, [], ['listeners'])).toEqual(hidden);
    expect(unseenOf(held, ['listeners'])).toEqual([]);
  });

  test('looks again at a lock that was found during the first scan once all locks are known', () => {
    const asked = lockAt(story('orders:42 lease 30s\n 0 A attempts acquired\n 1 B attempts refused'), seconds(2));
    const read = { position: 1, attempts: 0, deadline: seconds(900) };
    const waiters = asked.waiters.map((waiter) => ({ ...waiter, ...read }));
    const lock: LockState = { ...asked, kind: 'fair-lock', holders: [], waiters, changedAt: seconds(0) };
    const pass = new DetectorPass([fairHeadDead]);
    const look = (at: number, lacks: readonly Lack[], locks: readonly string[]) => {
      const input: PassInput = {
        ...{ at: seconds(at), now: () => seconds(at), lockOf: () => lock, eventsWithinMs: 0, clientOf: unknown },
        ...{ eventsOf: () => [], lockEventsOf: () => [], dumps: new Map() },
        sources: new Map([['story', { level: 'monitor', watchedSince: seconds(0), lacks }]]),
      };
      const none = new Set<string>();
      const changes = { locks: new Set(locks), clients: none, sources: none, lockEvents: none };
      for (const _ of pass.run(input, changes));
      return pass.insights.map(({ incident }) => incident);
    };
    expect(look(1, ['locks'], [idOf(lock)])).toEqual([]);
    expect(look(2, [], [])).toEqual([]);
    expect(look(40, [], [])).toEqual(['fair-head-dead']);
  });

  test('keeps its list as long as nothing happens to a source without problems', () => {
    const pass = new DetectorPass(DETECTORS);
    const facts = PLAIN_SERVER;
    const sources = new Map([['story', { level: 'monitor', watchedSince: seconds(0) } as const]]);
    const listAt = (at: number) => {
      const input: PassInput = {
        ...{ at: seconds(at), now: () => seconds(at), lockOf: () => undefined, eventsWithinMs: 0, clientOf: unknown },
        ...{ eventsOf: () => [], lockEventsOf: () => [], dumps: new Map(), sources, serverOf: () => facts },
      };
      const none = new Set<string>();
      for (const _ of pass.run(input, { locks: none, clients: none, sources: none, lockEvents: none }));
      return pass.insights;
    };
    const first = listAt(1);
    expect(listAt(2)).toBe(first);
    expect(listAt(600)).toBe(first);
  });

  test('keeps its list if a lock changed and nothing else is found or unknown', () => {
    const pass = new DetectorPass(DETECTORS);
    const sources = new Map([['story', { level: 'monitor', watchedSince: seconds(0) } as const]]);
    const listAt = (at: number, facts = PLAIN_SERVER) => {
      const lock = { ...LOCK, holders: [], changedAt: seconds(at) };
      const input: PassInput = {
        ...{ at: seconds(at), now: () => seconds(at), lockOf: () => lock, eventsWithinMs: 0, clientOf: unknown },
        ...{ eventsOf: () => [], lockEventsOf: () => [], dumps: new Map(), sources, serverOf: () => facts },
      };
      const none = new Set<string>();
      for (const _ of pass.run(input, { locks: [idOf(lock)], clients: none, sources: none, lockEvents: none }));
      return pass.insights;
    };
    const first = listAt(1);
    expect(listAt(2)).toBe(first);
    expect(listAt(3, { ...PLAIN_SERVER, arePausesUnseen: true })).not.toBe(first);
    expect(pass.cannotTell).toMatchObject([{ incident: 'slow-script-busy', reason: 'server' }]);
  });

  test('a pass looks at a source that changed before another pass that it interrupted', () => {
    let looks = 0;
    const noting: SourceDetector<'events-off'> = {
      ...{ incident: 'events-off', effect: 'slow', of: 'source', withoutCommands: 'same', levels: ['monitor'] },
      detect() {
        looks++;
        return [];
      },
    };
    const pass = new DetectorPass([noting]);
    for (const _ of pass.run(inputAt(1), NO_CHANGES));
    expect(looks).toBe(1);
    const many = Array.from({ length: 1000 }, (_, n) => `story/0/${n}`);
    const interrupted = pass.run(inputAt(2), { ...NO_CHANGES, locks: many, sources: new Set(['story']) });
    interrupted.next();
    for (const _ of pass.run(inputAt(3), NO_CHANGES));
    expect(looks).toBe(2);
    expect([...interrupted]).toEqual([]);
    expect(looks).toBe(2);
  });

  test('drops what it found about a source that is gone', () => {
    const paused = { ...PLAIN_SERVER, pausedSince: seconds(0) };
    const pass = new DetectorPass(DETECTORS);
    const listOf = (...names: readonly string[]) => {
      const input: PassInput = {
        ...{ at: seconds(1), now: () => seconds(1), lockOf: () => undefined, eventsWithinMs: 0, clientOf: unknown },
        ...{ eventsOf: () => [], lockEventsOf: () => [], dumps: new Map(), serverOf: () => paused },
        sources: new Map(names.map((name) => [name, { level: 'monitor', watchedSince: seconds(0) }])),
      };
      const none = new Set<string>();
      for (const _ of pass.run(input, { locks: none, clients: none, sources: none, lockEvents: none }));
      return pass.insights.map(({ source }) => source);
    };
    expect(listOf('story')).toEqual(['story']);
    expect(listOf()).toEqual([]);
  });

  test('yields at least five times over 1,000 locks', () => {
    const locks = Array.from({ length: 1000 }, (_, n) => `lock:${n}`);
    const events = merged(...locks.map((name) => story(`${name} lease 30s\n 0.000 A attempts acquired`)));
    const { at, insights } = reportAt(events, seconds(1));
    expect([at, insights]).toEqual([seconds(1), []]);
    const states = locks.map((name) => ({ ...LOCK, name }));
    const sources = new Map([['story', { level: 'monitor', watchedSince: seconds(0) } as const]]);
    const turns = [
      ...runDetectors({ at: seconds(1), locks: states, events: [], sources, clientOf: unknown }, DETECTORS),
    ];
    expect(turns.length).toBeGreaterThanOrEqual(5);
  });
});

const LOCK = lockOf();
function lockOf() {
  const [event] = EVENTS;
  if (!event) throw new Error('the story has no event');
  return reduceLock(undefined, event);
}
