import { describe, expect, test } from 'vitest';
import { verdictAt, type Watching } from '../../../../testing/goldens/report-from-events.ts';
import { holderOf, seconds, story } from '../../../../testing/stories/story.ts';

const verdict = (text: string, at: number, watching: Watching = {}) =>
  verdictAt('phantom-hold-count', story(`report lease 30s\n${text}`), seconds(at), watching);

const TWICE = '1.000000 A attempts acquired\n 1.000010 A attempts reentered\n';
const PHANTOM = `${TWICE} 2.000 A releases partly`;

describe('phantom-hold-count', () => {
  test('[H11] is likely if an attempt ran twice at once and one unlock left a count', () => {
    expect(verdict(PHANTOM, 4)).toMatchObject([
      {
        ...{ severity: 'warning', confidence: 'likely', holders: [holderOf('A')], selfHealsAt: seconds(32.000_003) },
        ...{ from: seconds(2.000_002), to: null, values: { count: 1, waiting: 0 } },
      },
    ]);
  });

  test('does not report when the hold ends if another process has set the lease', () => {
    const kept = verdict(`${PHANTOM}\n 5.000 cron command PEXPIRE report 30000`, 6);
    expect(kept).toMatchObject([{ selfHealsAt: null, values: { endsAt: null } }]);
  });

  test('does not fire before the first unlock, after the second unlock, or while a watchdog renews', () => {
    expect(verdict(TWICE, 4)).toEqual([]);
    expect(verdict(`${PHANTOM}\n 2.200 A releases`, 4)).toEqual([]);
    expect(verdict(`${PHANTOM}\n 12.000 A renews`, 14)).toEqual([]);
  });

  test('does not fire for a thread that re-entered after it got its answer', () => {
    const nested = '1.000 A attempts acquired\n 1.001 A attempts reentered\n 2.000 A releases partly';
    expect(verdict(nested, 20)).toEqual([]);
    const later = '1.000 A attempts acquired\n 5.500 A attempts reentered\n 6.000 A releases partly';
    expect(verdict(later, 20)).toEqual([]);
  });

  test('fires if both attempts ran right after the server had not answered for a while', () => {
    const text = '1.000 A attempts acquired\n 1.0003 A attempts reentered\n 2.000 A releases partly';
    const stood = { type: 'server.stood-still', from: seconds(0), to: seconds(0.999), shownBy: 'clients' } as const;
    const about = { at: seconds(1), source: 'story', db: 0, lock: '', kind: 'lock', certainty: 'inferred' } as const;
    const events = story(`report lease 30s\n${text}`);
    const found = verdictAt('phantom-hold-count', [...events, { ...about, ...stood, seq: 100 }], seconds(4));
    expect(found).toMatchObject([{ confidence: 'likely' }]);
    expect(verdict(text, 4)).toEqual([]);
  });

  test('fires for an old client that sent the attempt again after its time-out, once no watchdog renews', () => {
    const again =
      '1.000 A attempts acquired\n 5.500 A attempts reentered\n 6.000 A releases partly\n 6.100 redis lists A';
    const sentBy = (version: string) =>
      story(`report lease 30s\n${again}`).map((event) =>
        event.type === 'lock.acquired' ? { ...event, clientVersion: version } : event,
      );
    const found = (version: string, at: number) => verdictAt('phantom-hold-count', sentBy(version), seconds(at));
    expect(found('3.19.0–3.21.3', 18)).toMatchObject([{ confidence: 'likely', values: { waiting: 0 } }]);
    expect(found('3.19.0–3.21.3', 15)).toEqual([]);
    expect(found('3.19.0–4.7.0', 18)).toEqual([]);
  });

  test('fires for an old client whose first attempt waited in a standstill, so that both were sent far enough apart', () => {
    const again =
      '1.000 A attempts acquired\n 1.400 A attempts reentered\n 1.500 A releases partly\n 1.600 redis lists A';
    const events = story(`report lease 30s\n${again}`).map((event) =>
      event.type === 'lock.acquired' ? { ...event, clientVersion: '3.27.0–3.27.2' } : event,
    );
    const about = { at: seconds(1), source: 'story', db: 0, lock: '', kind: 'lock', certainty: 'inferred' } as const;
    const stood = (from: number) =>
      ({
        ...about,
        type: 'server.stood-still',
        from: seconds(from),
        to: seconds(0.999),
        shownBy: 'slow-log',
        seq: 100,
      }) as const;
    const found = (from: number) => verdictAt('phantom-hold-count', [...events, stood(from)], seconds(13));
    expect(found(0.1)).toMatchObject([{ confidence: 'likely' }]);
    expect(found(0.95)).toEqual([]);
  });

  test('at level events, is a hint once no watchdog renews; cannot know at level snapshot', () => {
    expect(verdict(PHANTOM, 4, { level: 'events' })).toBe('cannot know: level');
    expect(verdict(PHANTOM, 14, { level: 'events' })).toMatchObject([{ confidence: 'hint' }]);
    expect(verdict(PHANTOM, 14, { level: 'snapshot' })).toBe('cannot know: level');
  });
});
