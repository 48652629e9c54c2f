import { describe, expect, test } from 'vitest';
import { verdictAt, type Watching } from '../../../../testing/goldens/report-from-events.ts';
import { seconds } from '../../../../testing/stories/story.ts';
import type { LockEvent } from '../../../events/event.ts';

const [A, B] = ['0000000a-0000-4000-8000-000000000000', '0000000b-0000-4000-8000-000000000000'];
const SEMAPHORE = { source: 'redis', db: 0, lock: 'gate', kind: 'semaphore', certainty: 'observed' } as const;

const set = (total: number) => ({ ...SEMAPHORE, type: 'permits.set', available: total, total });
const takes = (holder: string, permits: number, available: number, client?: string) => {
  const known = client === undefined ? undefined : { client };
  return { ...SEMAPHORE, type: 'permits.acquired', holder, permits, available, total: 3, ...known };
};
const releases = (holder: string, available: number, total = 3) => {
  const raised = total > 3 ? { raisedBy: 1 } : undefined;
  return { ...SEMAPHORE, type: 'permits.released', holder, permits: 1, available, total, ...raised };
};
const listed = (state: 'connected' | 'gone', client: string) => ({
  ...{ ...SEMAPHORE, lock: '', kind: 'lock', type: `client.${state}`, client, since: seconds(2) },
  ...{ addresses: [], name: null, library: 'redisson' },
});

const verdict = (at: number, watching: Watching, ...sent: readonly object[]) => {
  const events = sent.map((each, n) => ({ seq: n + 1, at: seconds(n + 1), ...each }) as LockEvent); // each detail has all fields of its type
  return verdictAt('semaphore-permit-drift', events, seconds(at), watching);
};
const BLIND = { ...SEMAPHORE, lock: '', kind: 'lock', reason: 'connection-lost' };

describe('semaphore-permit-drift', () => {
  const CRASH = [listed('connected', A), set(3), takes('one', 2, 1, A), takes('two', 1, 0, B), listed('connected', B)];

  test('fires if a client that acquired permits is gone', () => {
    expect(verdict(5, {}, ...CRASH)).toEqual([]);
    expect(verdict(6, {}, ...CRASH, listed('gone', A))).toMatchObject([
      {
        ...{ severity: 'hint', confidence: 'hint', holders: ['one'], from: seconds(2), to: null, events: [3] },
        values: { isLoss: true, permits: 2, total: 3, available: 0, holder: 'one' },
      },
    ]);
  });

  test('does not fire if the permits of the gone client were released', () => {
    const back = [releases('two', 1), releases('two', 2), releases('two', 3)];
    expect(verdict(9, {}, ...CRASH, ...back, listed('gone', A))).toEqual([]);
  });

  test('fires if more permits are released than were acquired', () => {
    const twice = [set(3), takes('one', 1, 2), releases('one', 3), releases('one', 4, 4), releases('one', 5, 5)];
    expect(verdict(3, {}, ...twice)).toEqual([]);
    const found = verdict(6, {}, ...twice);
    expect(found).toMatchObject([
      {
        ...{ severity: 'warning', confidence: 'likely', holders: ['one'], from: seconds(4), to: null, events: [4] },
        values: { isLoss: false, permits: 2, total: 3, available: 5 },
      },
    ]);
    const [first] = verdict(4, {}, ...twice) as readonly { id: string }[];
    expect(found).toMatchObject([{ id: first?.id }]);
  });

  test('does not fire for a semaphore that was set to 0, because its releases are signals', () => {
    expect(verdict(5, {}, set(0), { ...releases('one', 1, 1), raisedBy: 1 })).toEqual([]);
  });

  test('does not fire after the number of permits was corrected', () => {
    const corrected = { ...set(3), changedBy: -1 };
    expect(verdict(5, {}, set(3), releases('one', 4, 4), corrected)).toEqual([]);
  });

  test('cannot know at level events, or if the client of a permit is not known', () => {
    expect(verdict(6, { level: 'events' }, ...CRASH, listed('gone', A))).toBe('cannot know: level');
    expect(verdict(3, {}, set(3), takes('10.0.0.1:99', 1, 2))).toBe('cannot know: presence');
  });

  test('cannot know if the number was set before a blind spot, during which permits may have been added', () => {
    const blind = [
      { ...BLIND, type: 'blind-spot.began' },
      { ...BLIND, type: 'blind-spot.ended', from: seconds(2) },
    ];
    expect(verdict(5, {}, set(3), ...blind, releases('one', 4, 4))).toBe('cannot know: blind-spot');
  });
});
