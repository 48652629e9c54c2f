import { describe, expect, test } from 'vitest';
import { verdictAt, type Watching } from '../../../../testing/goldens/report-from-events.ts';
import { readWriteStory } from '../../../../testing/stories/read-write-story.ts';
import { holderOf, seconds } from '../../../../testing/stories/story.ts';
import type { LockEvent } from '../../../events/event.ts';

const [A, B] = [holderOf('A'), holderOf('B')];

/** A and B read; from second 3 on A has no connection. B renews every 2 s, with the lease of 6 s. */
const SHARED = '0.000 A reads\n 0.500 B reads';
const renewals = (what: string, until: number) =>
  Array.from({ length: until / 2 }, (_, n) => `${2 * n + 2}.000 B renews ${what}`).join('\n');

/** The events, with what client lists showed of A: nothing before second 4. */
function withPresence(text: string, type: 'client.connected' | 'client.gone' | undefined): LockEvent[] {
  const events = readWriteStory(`${SHARED}\n${text}`);
  const [client = ''] = A.split(':');
  const about = { at: seconds(4), source: 'story', db: 0, lock: '', kind: 'lock', certainty: 'observed' } as const;
  const seen = { client, addresses: [], name: null, library: 'redisson', since: seconds(3) };
  const reported: LockEvent[] = type ? [{ ...about, ...seen, type, seq: 10_000 }] : [];
  return [...events, ...reported].sort((a, b) => a.at - b.at);
}

const verdict = (events: readonly LockEvent[], at: number, watching: Watching = {}) =>
  verdictAt('rwlock-zombie-reader', events, seconds(at), watching);

describe('rwlock-zombie-reader', () => {
  test('[H11] fires if the watchdog of another client extends the timeout keys of a reader that is gone', () => {
    const events = withPresence(renewals('all', 10), 'client.gone');
    expect(verdict(events, 9)).toMatchObject([
      {
        ...{ severity: 'warning', confidence: 'certain', lock: 'catalog', holders: [A, B], from: seconds(3), to: null },
        ...{ selfHealsAt: null, values: { holder: A, keptBy: B, goneSince: seconds(3) } },
      },
    ]);
    expect(verdictAt('holder-crashed-wait-ttl', events, seconds(9))).not.toContainEqual(
      expect.objectContaining({ holders: [A] }),
    );
  });

  test('does not fire if each client extends only its own readers, or if the reader is connected', () => {
    expect(verdict(withPresence(renewals('read', 10), 'client.gone'), 9)).toEqual([]);
    expect(verdict(withPresence(renewals('all', 10), 'client.connected'), 9)).toEqual([]);
  });

  test('does not fire for a reader whose timeout keys no client extends: holder-crashed-wait-ttl reports it', () => {
    const events = withPresence(renewals('read', 10), 'client.gone');
    for (const at of [5, 7]) expect(verdict(events, at)).toEqual([]);
    const crashed = (at: number) => verdictAt('holder-crashed-wait-ttl', events, seconds(at));
    expect(crashed(5)).toMatchObject([{ holders: [A], selfHealsAt: seconds(6), values: { isReader: true } }]);
    expect(crashed(7)).not.toContainEqual(expect.objectContaining({ holders: [A] }));
  });

  test('does not fire until timeout keys of a reader were extended after the reader had gone', () => {
    expect(verdict(withPresence(renewals('all', 2), 'client.gone'), 5)).toEqual([]);
  });

  test('cannot know about readers from before watching began until each watchdog must have renewed once', () => {
    const catalog = {
      source: 'story',
      db: 0,
      lock: 'catalog',
      kind: 'read-write-lock',
      certainty: 'observed',
    } as const;
    const found = (s: number, ...readers: string[]): LockEvent[] => {
      const holders = readers.map((holder) => ({ holder, holdCount: 1, mode: 'read' as const }));
      const about = { source: 'story', db: 0, lock: '', kind: 'lock', certainty: 'observed' } as const;
      return [
        { ...about, seq: 1, at: seconds(0), type: 'blind-spot.began', reason: 'connection-lost' },
        { ...about, seq: 2, at: seconds(s), type: 'blind-spot.ended', reason: 'watching-again', from: seconds(0) },
        { ...catalog, seq: 3, at: seconds(s), type: 'lock.found', holders, expiresAt: seconds(30) },
      ];
    };
    expect(verdict(found(2, A, B), 11)).toBe('cannot know: blind-spot');
    expect(verdict(found(2, A, B), 14)).toEqual([]);
    expect(verdict(found(2, A), 11)).toEqual([]);
  });

  test('cannot know without the presence of the reader, or at level events', () => {
    expect(verdict(withPresence(renewals('all', 10), undefined), 9)).toBe('cannot know: presence');
    expect(verdict(withPresence(renewals('all', 10), 'client.gone'), 9, { level: 'events' })).toBe(
      'cannot know: level',
    );
  });
});
