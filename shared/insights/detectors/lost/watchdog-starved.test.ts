import { describe, expect, test } from 'vitest';
import { merged, verdictAt, type Watching } from '../../../../testing/goldens/report-from-events.ts';
import { holderOf, seconds, story } from '../../../../testing/stories/story.ts';
import type { LockEvent } from '../../../events/event.ts';

const reported = (text: string) => story(`job lease 6s\n${text}`);
const verdict = (events: readonly LockEvent[], at: number, watching: Watching = {}) =>
  verdictAt('watchdog-starved', events, seconds(at), watching);

const FROZEN = `
  0  A attempts acquired
  1  - lists A
  2  A renews
  8  - hears expired`;
const LATE = `${FROZEN}
  9  A renewal refused`;

/** Adds a standstill of the server to the events. */
function withStandstill(events: LockEvent[], from: number, to: number): LockEvent[] {
  const [first] = events;
  const stood = { type: 'server.stood-still', from: seconds(from), to: seconds(to), shownBy: 'log', at: seconds(to) };
  return merged(events, [{ ...first, ...stood, lock: '' } as unknown as LockEvent]); // an event about the source
}

describe('watchdog-starved', () => {
  test('fires if a renewal came after its lease had expired; is critical if another thread acquired the lock', () => {
    const times = { from: seconds(8), to: seconds(9) };
    const found = verdict(reported(LATE), 10);
    expect(found).toMatchObject([{ severity: 'warning', confidence: 'likely', holders: [holderOf('A')] }]);
    expect(Math.round((Array.isArray(found) ? found[0]?.to : 0) / 1e4)).toBe(Math.round(times.to / 1e4));
    const overlap = reported(LATE.replace('  9  A', '  8.5  B attempts acquired\n  9  A'));
    expect(verdict(overlap, 10)).toMatchObject([{ severity: 'critical', holders: [holderOf('A'), holderOf('B')] }]);
  });

  test('is a hint while the thread sends nothing, and only if its client is connected', () => {
    expect(verdict(reported(FROZEN), 9)).toMatchObject([{ severity: 'hint', confidence: 'hint', to: null }]);
    expect(verdict(reported(FROZEN.replace('  8  -', '  7  - leaves\n  8  -')), 9)).toEqual([]);
    expect(verdict(reported(FROZEN.replace('  1  - lists A\n', '')), 9)).toEqual([]);
  });

  test('is a hint if the thread unlocked without a late renewal, because its renewals may have stopped', () => {
    expect(verdict(reported(`${FROZEN}\n  9  A unlock refused`), 10)).toMatchObject([
      { severity: 'warning', confidence: 'hint', values: { lateAt: null, unlockedAt: seconds(9.000_001) } },
    ]);
  });

  test('does not fire if the thread attempted the lock again, because its unlock may belong to that attempt', () => {
    const asked = `${FROZEN}\n  8.5  B attempts acquired\n  9  A attempts refused`;
    expect(verdict(reported(asked), 9.5)).toEqual([]);
    expect(verdict(reported(`${asked}\n  9.1  A unlock refused`), 10)).toEqual([]);
  });

  test('is a hint for a lease that was never renewed, because the application may have set it', () => {
    const never = LATE.replace('  2  A renews\n', '').replace('  8  -', '  6  -');
    expect(verdict(reported(never), 10)).toMatchObject([{ confidence: 'hint', values: { renewedAt: null } }]);
  });

  test('also fires for a hold that began before it was seen', () => {
    const found = (text: string) => reported(text.replace('0  A attempts acquired', '0  - snapshot A×1 6000ms'));
    expect(verdict(found(LATE), 10)).toMatchObject([{ severity: 'warning', confidence: 'likely' }]);
    expect(verdict(found(`${FROZEN}\n  9  A unlock refused`), 10)).toMatchObject([{ confidence: 'hint' }]);
  });

  test('does not fire if the server stood still', () => {
    expect(verdict(withStandstill(reported(LATE), 3, 7), 10)).toEqual([]);
  });

  test('at level events, is a hint if the client is connected or acquired the lock again, and a watchdog had renewed it', () => {
    const level = { level: 'events' } as const;
    const hint = { severity: 'hint', confidence: 'hint', values: { lateAt: null, areCommandsSeen: false } };
    const unlisted = FROZEN.replace('  1  - lists A\n', '');
    expect(verdict(reported(FROZEN), 9, level)).toMatchObject([{ ...hint, to: null }]);
    expect(verdict(reported(`${unlisted}\n  9  A attempts acquired`), 10, level)).toMatchObject([hint]);
    expect(verdict(reported(unlisted), 9, level)).toBe('cannot know: presence');
    expect(verdict(reported(FROZEN.replace('  8  -', '  7  - leaves\n  8  -')), 9, level)).toEqual([]);
    expect(
      verdict(reported(`${unlisted.replace('  2  A renews\n', '')}\n  9  A attempts acquired`), 10, level),
    ).toEqual([]);
  });
});
