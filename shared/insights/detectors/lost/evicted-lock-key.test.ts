import { describe, expect, test } from 'vitest';
import { reportAt, verdictAt, type Watching } from '../../../../testing/goldens/report-from-events.ts';
import { holderOf, seconds, story } from '../../../../testing/stories/story.ts';
import type { LockEvent } from '../../../events/event.ts';

const verdict = (events: readonly LockEvent[], at: number, watching: Watching = {}) =>
  verdictAt('evicted-lock-key', events, seconds(at), watching);
const reports = (text: string) => story(`orders:42 lease 30s\n${text}`);

const EVICTED = '0.000 A attempts acquired\n 1.000 redis hears evicted';

/** A report of the server, before everything else. */
function reported(keyEvents: string, evictionPolicy: string): LockEvent {
  const [event] = reports('0.000 A attempts acquired');
  const facts = { role: 'master', replicas: 0, replicaLagSeconds: null, maxMemoryBytes: 1, canSave: null };
  const detail = { type: 'server.reported', lock: '', ...facts, keyEvents, evictionPolicy };
  return { ...event, seq: 0, ...detail } as LockEvent; // `facts` and `detail` have all fields of `server.reported`
}

describe('evicted-lock-key', () => {
  test('fires for a held lock, also without commands; critical once another thread got it', () => {
    const warning = [{ severity: 'warning', confidence: 'certain', from: seconds(1), values: { policy: null } }];
    expect(verdict(reports(EVICTED), 2)).toMatchObject(warning);
    expect(verdict(reports(EVICTED), 2, { level: 'events' })).toMatchObject(warning);
    const taken = reports(`${EVICTED}\n 2.000 B attempts acquired\n 3.000 A unlock refused`);
    expect(verdict(taken, 4)).toMatchObject([
      { severity: 'critical', holders: [holderOf('A'), holderOf('B')], to: seconds(3.000_001) },
    ]);
    expect(verdict([reported('AKE', 'allkeys-lru'), ...reports(EVICTED)], 2)).toMatchObject([
      { values: { policy: 'allkeys-lru' } },
    ]);
  });

  test('is likely, without a holder, if only a refused attempt shows that the evicted lock was held', () => {
    const unseen = '0.000 B attempts refused\n 0.010 B attempts refused\n 1.000 redis hears evicted';
    expect(verdict(reports(unseen), 2)).toMatchObject([
      { confidence: 'likely', holders: [], values: { holder: null } },
    ]);
    expect(verdict(reports('1.000 redis hears evicted'), 2)).toEqual([]);
  });

  test('names no eviction policy if it is noeviction now, because Redis had another policy when it evicted the key', () => {
    expect(verdict([reported('AKE', 'noeviction'), ...reports(EVICTED)], 2)).toMatchObject([
      { values: { policy: null } },
    ]);
  });

  test('does not fire if the lease expired, or if the lock was free', () => {
    expect(verdict(reports('0.000 A attempts acquired\n 31.000 redis hears expired'), 32)).toEqual([]);
    expect(verdict(reports('0.000 A attempts acquired\n 1.000 A releases\n 2.000 redis hears evicted'), 3)).toEqual([]);
  });

  test('cannot know at level snapshot, or if Redis does not publish evictions', () => {
    expect(verdict(reports(EVICTED), 2, { level: 'snapshot' })).toBe('cannot know: level');
    const unseen = (flags: string) =>
      reportAt([reported(flags, 'noeviction'), ...reports('0.000 A attempts acquired')], seconds(2)).cannotTell.filter(
        ({ incident }) => incident === 'evicted-lock-key',
      );
    expect(unseen('Kgx')).toMatchObject([{ reason: 'key-events', locks: 0 }]);
    for (const flags of ['A', 'e', 'gxe']) expect(unseen(flags), flags).toMatchObject([{ reason: 'key-events' }]);
    for (const flags of ['Kgxe', 'EA']) expect(unseen(flags), flags).toEqual([]);
  });
});
