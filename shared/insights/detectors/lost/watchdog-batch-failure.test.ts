import { describe, expect, test } from 'vitest';
import { merged, verdictAt, type Watching } from '../../../../testing/goldens/report-from-events.ts';
import { readWriteStory } from '../../../../testing/stories/read-write-story.ts';
import { serverStory } from '../../../../testing/stories/server-story.ts';
import { holderOf, seconds, story } from '../../../../testing/stories/story.ts';
import type { LockEvent } from '../../../events/event.ts';

/** What INFO counted: two renewals of both locks were refused. */
const CROSSSLOT = serverStory({}, { s: 9.5, errors: { CROSSSLOT: 2 }, rejected: { evalsha: 2 } }).map((event) =>
  event.type === 'server.refused' ? { ...event, since: seconds(5.5) } : event,
);
/** A renewed lock that expires, and another one that was never renewed. */
const FIRST = `
  0  A attempts acquired
  1  - lists A
  2  A renews
  4  A renews
  10 - hears expired`;
const SECOND = `
  5  A attempts acquired
  11 - hears expired`;

type Reported = {
  readonly first?: string;
  readonly second?: string;
  readonly name?: string;
  readonly server?: LockEvent[];
};

const reported = ({ first = FIRST, second = SECOND, name = 'cart:2', server = CROSSSLOT }: Reported = {}) =>
  merged(story(`cart:1 lease 6s\n${first}`), story(`${name} lease 6s\n${second}`), server);
const verdict = (events: readonly LockEvent[], at = 12, watching: Watching = {}) =>
  verdictAt('watchdog-batch-failure', events, seconds(at), watching);

describe('watchdog-batch-failure', () => {
  test('fires if the locks of a client expire together while scripts are refused with CROSSSLOT', () => {
    expect(verdict(reported())).toMatchObject([
      {
        ...{ severity: 'warning', confidence: 'likely', lock: 'cart:1', holders: [holderOf('A')], to: null },
        values: { locks: 2, refusals: 2, takenBy: null },
      },
    ]);
    expect(verdict(reported(), 10.5)).toEqual([]);
  });

  test('counts a hold that began before it was seen, once it was renewed', () => {
    const first = FIRST.replace('0  A attempts acquired', '0  - snapshot A×1 6000ms');
    expect(verdict(reported({ first }))).toMatchObject([{ lock: 'cart:1', values: { locks: 2 } }]);
    expect(verdict(reported({ first: first.replace(/.*renews\n/g, '') }))).toEqual([]);
  });

  test('is critical if another thread acquired one of the locks, and over once the holder noticed', () => {
    const taken = `${SECOND}\n11.5 B attempts acquired`;
    expect(verdict(reported({ second: taken }))).toMatchObject([
      { severity: 'critical', values: { takenBy: holderOf('B') } },
    ]);
    const noticed = { first: `${FIRST}\n12 A unlock refused`, second: `${SECOND}\n12.5 A unlock refused` };
    expect(verdict(reported(noticed), 13)).toMatchObject([{ to: expect.any(Number) }]);
  });

  test('is a hint if it is not known whether the client is alive, or if no renewal was ever seen', () => {
    expect(verdict(reported({ first: FIRST.replace('1  - lists A', '') }))).toMatchObject([{ confidence: 'hint' }]);
    const [first, second] = [FIRST, SECOND].map((text) => text.replace(/.*renews\n/g, ''));
    const unrenewed = merged(
      story(`cart:1 lease 30s\n${first?.replace('10 -', '30 -')}`),
      story(`cart:2 lease 30s\n${second?.replace('11 -', '35 -')}`),
      CROSSSLOT,
    );
    expect(verdict(unrenewed, 36)).toMatchObject([{ confidence: 'hint', values: { locks: 2 } }]);
  });

  test('does not fire for leases that no watchdog is known to set', () => {
    const first = '0 A attempts acquired\n1 - lists A\n6 - hears expired';
    const second = '1 A attempts acquired\n7 - hears expired';
    expect(verdict(reported({ first, second }))).toEqual([]);
  });

  test('is a hint for leases that were never renewed, if both threads tried to unlock after the end and each renewal was refused', () => {
    const first = '0 A attempts acquired\n1 - lists A\n6 - hears expired\n6.5 A unlock refused';
    const second = '1 A attempts acquired\n7 - hears expired\n7.5 A unlock refused';
    const refused = CROSSSLOT.map((event) => ({ ...event, since: seconds(1.5), at: seconds(5) }) as LockEvent);
    expect(verdict(reported({ first, second, server: refused }))).toMatchObject([
      { confidence: 'hint', values: { locks: 2, refusals: 2 } },
    ]);
    const released = second.replace('7.5 A unlock refused', '');
    expect(verdict(reported({ first, second: released, server: refused }))).toEqual([]);
    const once = refused.map((event) =>
      event.type === 'server.refused' ? { ...event, errors: { CROSSSLOT: 1 } } : event,
    );
    expect(verdict(reported({ first, second, server: once }))).toEqual([]);
  });

  test('does not fire if the locks are in one slot, or if only one of them expires', () => {
    expect(verdict(reported({ name: '{cart:1}:b' }))).toEqual([]);
    expect(verdict(reported({ second: SECOND.replace('11 - hears expired', '9 A releases') }))).toEqual([]);
  });

  test('does not fire without CROSSSLOT, or if Redis returned CROSSSLOT to other commands, or only before the last renewal', () => {
    expect(verdict(reported({ server: serverStory({}) }))).toEqual([]);
    expect(verdict(reported({ server: serverStory({}, { s: 9, errors: { CROSSSLOT: 2 } }) }))).toEqual([]);
    const before = serverStory({}, { s: 3, errors: { CROSSSLOT: 2 }, rejected: { evalsha: 2 } });
    expect(verdict(reported({ server: before }))).toEqual([]);
  });

  test('does not fire if a lock of that client was renewed meanwhile, or if the locks were not held together', () => {
    const renewed = story('cart:3 lease 6s\n0 A attempts acquired\n8 A renews');
    expect(verdict(merged(reported(), renewed))).toEqual([]);
    const later = SECOND.replace('5  A', '9  A').replace('11 -', '15 -');
    expect(verdict(reported({ second: later }), 16)).toEqual([]);
  });

  test('does not fire for a client that is gone, for two clients, or for a client version that renews each lock alone', () => {
    expect(verdict(reported({ first: FIRST.replace('10 -', '7  - leaves\n10 -') }))).toEqual([]);
    expect(verdict(reported({ second: SECOND.replace('A attempts', 'B attempts') }))).toEqual([]);
    const old = reported().map((event) =>
      event.type === 'lock.acquired' || event.type === 'lease.renewed'
        ? { ...event, clientVersion: '3.19.0–3.43.0' }
        : event,
    );
    expect(verdict(old)).toEqual([]);
  });

  test('does not fire if the server stood still', () => {
    const [first] = CROSSSLOT;
    const standstill = {
      type: 'server.stood-still',
      from: seconds(6),
      to: seconds(9),
      shownBy: 'log',
      at: seconds(9),
    };
    const events = merged(reported(), [{ ...first, ...standstill } as unknown as LockEvent]); // an event about the source
    expect(verdict(events)).toEqual([]);
  });

  test('cannot know after a blind spot, without INFO, or at level snapshot', () => {
    const blind = FIRST.replace('4  A', '3  - loses sight\n3.5 - sees again\n4  A');
    expect(verdict(reported({ first: blind }))).toBe('cannot know: blind-spot');
    expect(verdict(reported({ server: [] }))).toBe('cannot know: server');
    expect(verdict(reported(), 12, { level: 'snapshot' })).toBe('cannot know: level');
  });
});

describe('watchdog-batch-failure of readers', () => {
  const READS = '0 A reads\n 2 A renews read\n 4 A renews read';
  /** The events of a release: renewals of the lock, not of its readers' timeout keys. */
  const read = (text: string, clientVersion = '3.44.0–3.52.0', areRenewed = false) =>
    readWriteStory(text).map((event) => {
      if (event.type !== 'lock.acquired' && event.type !== 'lease.renewed') return event;
      const { readTimeouts, ...rest } = event;
      const isKept = event.type === 'lock.acquired' || areRenewed;
      return { ...rest, ...(isKept && readTimeouts ? { readTimeouts } : undefined), clientVersion } as LockEvent;
    });

  test('fires if the lock is renewed but a timeout key of its reader expired', () => {
    expect(verdict(read(READS), 7)).toMatchObject([
      {
        ...{ severity: 'warning', confidence: 'certain', lock: 'catalog', holders: [holderOf('A')], to: null },
        values: { isReader: true, locks: 1 },
      },
    ]);
  });

  test('does not fire before the timeout key expires, if it is renewed too, or once the reader has left', () => {
    expect(verdict(read(READS), 5.9)).toEqual([]);
    expect(verdict(read(READS, '3.44.0–3.52.0', true), 7)).toEqual([]);
    expect(verdict(read(`${READS}\n 6.5 A unlocks read`), 7)).toEqual([]);
  });

  test('does not fire for a client version without this fault, or an unknown version', () => {
    expect(verdict(read(READS, '4.0.0–4.7.0'), 7)).toEqual([]);
    expect(verdict(read(READS, '3.19.0–3.43.0'), 7)).toEqual([]);
    expect(verdict(readWriteStory(READS), 7)).toEqual([]);
  });

  test('does not fire at level events', () => {
    expect(verdict(read(READS), 7, { level: 'events' })).toEqual([]);
  });
});
