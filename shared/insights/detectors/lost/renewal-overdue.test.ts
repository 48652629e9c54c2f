import { describe, expect, test } from 'vitest';
import { verdictAt, type Watching } from '../../../../testing/goldens/report-from-events.ts';
import { holderOf, seconds, story } from '../../../../testing/stories/story.ts';

const verdict = (text: string, at: number, watching: Watching = {}) =>
  verdictAt('renewal-overdue', story(`orders:42 lease 30s\n${text}`), seconds(at), watching);

const STOPPED = `
  0.000  A attempts acquired
  10.000 A renews
`;

describe('renewal-overdue', () => {
  test('fires once two thirds of the lease are over without the next renewal', () => {
    expect(verdict(STOPPED, 30.5)).toMatchObject([
      {
        ...{ severity: 'warning', confidence: 'likely', holders: [holderOf('A')], to: null, selfHealsAt: null },
        values: { renewals: 1, endsAt: seconds(40.000_002) },
      },
    ]);
    expect(verdict(STOPPED, 30.5, { level: 'events' })).toMatchObject([{ confidence: 'hint' }]);
  });

  test('does not fire if a renewal is only a little late, if no renewal came before, or if the client is gone', () => {
    expect(verdict(STOPPED, 29.5)).toEqual([]);
    expect(verdict('0.000 A attempts acquired', 25)).toEqual([]);
    expect(verdict(`${STOPPED}\n 12.000 redis lists A other\n 17.000 redis lists other`, 31)).toEqual([]);
  });

  test('does not fire once the lease has ended', () => {
    expect(verdict(STOPPED, 41)).toEqual([]);
  });

  test('cannot know at level snapshot, or if the renewal may have come in a blind spot', () => {
    expect(verdict(STOPPED, 30.5, { level: 'snapshot' })).toBe('cannot know: level');
    expect(verdict(`${STOPPED}\n 15.000 redis loses sight\n 25.000 redis sees again`, 30.5)).toBe(
      'cannot know: blind-spot',
    );
  });
});
