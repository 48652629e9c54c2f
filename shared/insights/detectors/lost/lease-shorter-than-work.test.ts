import { describe, expect, test } from 'vitest';
import { merged, verdictAt, type Watching } from '../../../../testing/goldens/report-from-events.ts';
import { heardStory, pushed, readHeld, released } from '../../../../testing/stories/heard-story.ts';
import { holderOf, seconds, story } from '../../../../testing/stories/story.ts';
import type { Step } from '../../../signals/step.ts';

/** An earlier hold with a lease of 30 s, as the watchdog sets it: it shows the watchdog of these clients. */
const BEFORE = story('orders:42 lease 30s\n 0.000 B attempts acquired\n 0.500 B releases');
const withBefore = (text: string, lease = 6) => [
  ...BEFORE,
  ...story(`orders:42 lease ${lease}s\n${text}`).map((event) => ({ ...event, seq: event.seq + BEFORE.length })),
];
const verdict = (text: string, at: number, lease = 6, watching: Watching = {}) =>
  verdictAt('lease-shorter-than-work', withBefore(text, lease), seconds(at), watching);

const OVERRUN = `
  1.000  A attempts acquired
  8.000  B attempts acquired
  9.000  A unlock refused
`;

describe('lease-shorter-than-work', () => {
  test('fires if the unlock came after the end of a lease that was never renewed', () => {
    expect(verdict(OVERRUN, 10)).toMatchObject([
      {
        ...{ severity: 'critical', confidence: 'certain', holders: [holderOf('A'), holderOf('B')] },
        ...{ from: seconds(7.000_003), to: seconds(9.000_001) },
        values: { leaseMs: 6000, takenBy: holderOf('B') },
      },
    ]);
    expect(verdict(OVERRUN, 8.5)).toEqual([]);
    expect(verdict(OVERRUN, 1000)).toEqual([]);
  });

  test('reports a hold once, also if its thread unlocks again', () => {
    expect(verdict(`${OVERRUN}\n  9.500  A unlock refused`, 10)).toMatchObject([{ to: seconds(9.000_001) }]);
  });

  test('does not fire if the beginning of the hold was seen, but not its lease', () => {
    const text = `orders:42 lease 6s\n${OVERRUN}`;
    const events = story(text).map((event) =>
      event.type === 'lock.acquired' ? { ...event, leaseMs: undefined as never } : event,
    );
    expect(verdictAt('lease-shorter-than-work', events, seconds(10))).toEqual([]);
  });

  test('is a hint if the hold began before it was seen', () => {
    const found = OVERRUN.replace('A attempts acquired', '- snapshot A×1 6000ms');
    expect(verdict(found, 10)).toMatchObject([
      {
        severity: 'critical',
        confidence: 'hint',
        values: { leaseMs: null, heldMs: null, unlockedAt: seconds(9.000_001) },
      },
    ]);
    expect(verdict(found.replace('8.000  B', '6.500  A renews\n8.000  B'), 10)).toEqual([]);
  });

  test('if the holder shortened its lease itself, names the shortened lease and not that of the acquisition', () => {
    const text = '0.000 A attempts acquired\n 1.000 operator command PEXPIRE orders:42 2000';
    const [took, ...after] = story(`orders:42 lease 60s\n${text}\n 3.001 redis hears expired\n 6.000 A unlock refused`);
    const events = [took, ...after].flatMap((event) => (event ? { ...event, by: took?.by ?? '' } : []));
    expect(verdictAt('lease-shorter-than-work', events, seconds(7))).toMatchObject([
      { values: { leaseMs: 2000, renewedAt: seconds(1), isWatchdogKnown: true } },
    ]);
  });

  test('is likely if the lease of the watchdog is not known, and a hint if the lease has the default length', () => {
    const unknown = (lease: number, text: string) =>
      verdictAt('lease-shorter-than-work', story(`orders:42 lease ${lease}s\n${text}`), seconds(40));
    expect(unknown(6, OVERRUN)).toMatchObject([
      { severity: 'critical', confidence: 'likely', values: { isWatchdogKnown: false } },
    ]);
    expect(
      unknown(30, '1.000 A attempts acquired\n 32.000 B attempts acquired\n 33.000 A unlock refused'),
    ).toMatchObject([{ severity: 'critical', confidence: 'hint' }]);
  });

  test('does not fire if a watchdog sets leases of this length for this lock, or if a watchdog may have failed', () => {
    const unknown = (text: string) =>
      verdictAt('lease-shorter-than-work', story(`orders:42 lease 6s\n${text}`), seconds(20));
    expect(unknown(`0.000 C attempts acquired\n 0.500 C renews\n 0.700 C releases\n ${OVERRUN}`)).toEqual([]);
    expect(unknown(`0.000 C attempts acquired\n 0.500 C command DEL orders:42\n ${OVERRUN}`)).toEqual([]);
  });

  test('is not reported later only because a sign of a failed watchdog is no longer looked at', () => {
    const unknown = (text: string, at: number) =>
      verdictAt('lease-shorter-than-work', story(`orders:42 lease 6s\n${text}`), seconds(at));
    const late = '480.000 A attempts acquired\n 488.000 B attempts acquired\n 489.000 A unlock refused';
    const deleted = `60.000 C attempts acquired\n 60.500 C command DEL orders:42\n ${late}`;
    for (const at of [495, 930, 960, 970, 1380]) expect(unknown(deleted, at)).toEqual([]);
    expect(unknown(late, 495)).toHaveLength(1);
    expect(unknown(late, 930)).toHaveLength(1);
    expect(unknown(late, 940)).toEqual([]);
  });

  test('does not fire if a watchdog renewed or tried to, or a command extended the lease', () => {
    const renewed = '1.000 A attempts acquired\n 3.000 A renews\n 10.000 B attempts acquired\n 11.000 A unlock refused';
    expect(verdict(renewed, 12)).toEqual([]);
    const late =
      '1.000 A attempts acquired\n 8.000 B attempts acquired\n 8.500 A renewal refused\n 9.000 A unlock refused';
    expect(verdict(late, 10)).toEqual([]);
    const prolonged = '1.000 A attempts acquired\n 3.000 A command PEXPIRE orders:42 6000\n 11.000 A unlock refused';
    expect(verdict(prolonged, 12)).toEqual([]);
  });

  test('does not fire if a watchdog sent a renewal that Redis did not run', () => {
    const events = withBefore(OVERRUN);
    const [first] = events;
    if (!first) throw new Error('The story has no event.');
    const { source, db, lock, kind } = first;
    const about = { seq: 0, source, db, lock, kind, at: seconds(3), certainty: 'observed' } as const;
    const tried = merged(events, [{ ...about, type: 'renewal.not-run', holder: holderOf('A') }]);
    expect(verdictAt('lease-shorter-than-work', events, seconds(10))).toHaveLength(1);
    expect(verdictAt('lease-shorter-than-work', tried, seconds(10))).toEqual([]);
  });

  test('does not fire if the unlock came in time', () => {
    expect(verdict('1.000 A attempts acquired\n 5.000 A releases', 7)).toEqual([]);
  });

  describe('without commands', () => {
    /** B takes the lock with a lease of about 2 s at these seconds, and releases it half a second later. */
    const rounds = (...at: readonly number[]) =>
      at.flatMap((begin) => [readHeld(begin, 'B', 1997), ...released(begin + 0.5)]);
    const runsOut = (begin: number, actor = 'A', pttl = 1998) => [
      readHeld(begin, actor, pttl),
      pushed(begin + pttl / 1000, 'expired'),
    ];
    /** The lock was held before: what a first read finds is not an acquisition. */
    const heard = (...steps: readonly Step[]) =>
      verdictAt('lease-shorter-than-work', heardStory(...rounds(0), ...steps), seconds(30), { level: 'events' });
    const cannotKnow = 'cannot know: level';

    test('is a hint if earlier holds were released, and the client used the lock again', () => {
      const values = { holder: holderOf('A'), leaseMs: 1998, unlockedAt: null, releasedBefore: 3, takenBy: null };
      const found = { confidence: 'hint', from: seconds(5.998), to: seconds(12) };
      expect(heard(...rounds(1, 2, 3), ...runsOut(4), readHeld(12, 'A', 1999))).toMatchObject([
        { ...found, severity: 'hint', holders: [holderOf('A')], values },
      ]);
      expect(heard(...rounds(1, 2, 3), ...runsOut(4), ...rounds(6), readHeld(12, 'A', 1999))).toMatchObject([
        { ...found, severity: 'warning', holders: [holderOf('A'), holderOf('B')] },
      ]);
    });

    test('cannot know if leases may run out on purpose, or if the client may have ended', () => {
      expect(heard(...runsOut(4), readHeld(12, 'A', 1999))).toBe(cannotKnow);
      expect(heard(...rounds(1, 2), ...runsOut(4), readHeld(12, 'A', 1999))).toBe(cannotKnow);
      expect(heard(...rounds(1, 2, 3), ...runsOut(4))).toBe(cannotKnow);
      const often = [1, 4, 7].flatMap((begin) => runsOut(begin));
      expect(heard(...often, ...rounds(11, 12, 13), ...runsOut(16), ...rounds(19), ...runsOut(22))).toBe(cannotKnow);
    });

    test('cannot know if earlier holds had another lease, or a watchdog renews leases of this length', () => {
      expect(heard(...rounds(1, 2, 3), ...runsOut(4, 'A', 5000), readHeld(12, 'A', 1999))).toBe(cannotKnow);
      const renewed = [readHeld(12, 'A', 1999), readHeld(12.7, 'A', 1999)];
      expect(heard(...rounds(1, 2, 3), ...runsOut(4), ...renewed)).toBe(cannotKnow);
    });
  });
});

describe('lease-shorter-than-work, if the thread asked for the lock again before its unlock', () => {
  const TRIED = OVERRUN.replace('9.000', '8.500  A attempts refused\n  9.000');

  test('does not fire: the unlock may belong to the refused attempt', () => {
    expect(verdict(OVERRUN, 10)).toHaveLength(1);
    expect(verdict(TRIED, 10)).toEqual([]);
    expect(story(`orders:42 lease 6s\n${TRIED}`).at(-1)).toMatchObject({
      type: 'unlock.refused',
      reason: 'expired',
      backAt: seconds(8.500_003),
    });
  });

  test('does not fire after a blind spot in which the thread may have asked', () => {
    const blindSpot = '8.200 - loses sight\n  8.400 - sees again\n  8.410 - snapshot B×1 5000ms';
    expect(verdict(OVERRUN.replace('9.000', `${blindSpot}\n  9.000`), 10)).toEqual([]);
    const next = '20.000 - loses sight\n  21.000 - sees again';
    expect(verdict(OVERRUN.replace('9.000', `${blindSpot}\n  9.000`).concat(next), 30)).toEqual([]);
    expect(verdict(OVERRUN.concat(next), 30)).toHaveLength(1);
  });

  test('fires for a hold that the thread acquired after an earlier refused attempt', () => {
    const before = '0.700 B attempts acquired\n 0.800 A attempts refused\n 0.900 B releases\n';
    expect(verdict(`${before}${OVERRUN}`, 10)).toHaveLength(1);
  });
});
