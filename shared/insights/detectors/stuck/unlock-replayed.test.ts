import { describe, expect, test } from 'vitest';
import { verdictAt, type Watching } from '../../../../testing/goldens/report-from-events.ts';
import { command, eventsAt, type SentAt, script } from '../../../../testing/stories/script-story.ts';
import { holderOf, seconds } from '../../../../testing/stories/story.ts';
import type { LockEvent } from '../../../events/event.ts';

const A = holderOf('A');
const APP = '10.0.0.1:1';
const latchOf = (request: string) => `redisson_unlock_latch:{a}:${request}`;
const KEYS = 'a redisson_lock__channel:{a}';
const attempt = script(APP, 'a', `30000 ${A}`, 'exists a', `hincrby a ${A} 1`, 'pexpire a 30000');
const unlock = (request: string) =>
  script(
    ...([APP, `${KEYS} ${latchOf(request)}`, `0 30000 ${A} PUBLISH 13500`, `get ${latchOf(request)}`] as const),
    ...[`hexists a ${A}`, `hincrby a ${A} -1`, 'del a', 'publish redisson_lock__channel:{a} 0'],
    `set ${latchOf(request)} 1 px 13500`,
  );
const answer = (request: string) => command(APP, `DEL ${latchOf(request)}`);
const later = { atMs: 9000, sent: command('10.0.0.1:3', 'PING') };
const LOST: SentAt = [
  { atMs: 0, sent: attempt },
  { atMs: 10, sent: unlock('1') },
  { atMs: 12, sent: answer('1') },
  { atMs: 1000, sent: attempt },
  { atMs: 2000, sent: unlock('2') },
];

/** The events, with what a client list showed about the client at the end. */
function withClient(events: readonly LockEvent[], type: 'client.connected' | 'client.gone'): LockEvent[] {
  const [client = ''] = A.split(':');
  const about = { at: seconds(2.5), source: 'story', db: 0, lock: '', kind: 'lock', certainty: 'observed' } as const;
  const seen = { type, client, addresses: [APP], name: null, library: 'redisson', since: seconds(0) };
  return [...events, { ...about, ...seen, seq: events.length + 1 }];
}

const verdict = (events: readonly LockEvent[], at: number, watching: Watching = {}) =>
  verdictAt('unlock-replayed', events, seconds(at), watching);

describe('unlock-replayed', () => {
  test('fires if an unlock took effect and its latch was not deleted', () => {
    const events = eventsAt([...LOST, later]);
    expect(verdict(withClient(events, 'client.connected'), 9)).toMatchObject([
      {
        ...{ severity: 'hint', confidence: 'certain', lock: 'a', holders: [A], from: seconds(2) },
        values: { unlockedAt: seconds(2), repeat: null, isPartly: false, times: 1 },
      },
    ]);
    expect(verdict(events, 9)).toMatchObject([{ confidence: 'likely' }]);
  });

  test('fires if the client sent the unlock again', () => {
    const repeat = script(APP, `${KEYS} ${latchOf('2')}`, `0 30000 ${A} PUBLISH 13500`, `get ${latchOf('2')}`);
    const events = eventsAt([...LOST, { atMs: 3200, sent: repeat }, { atMs: 3201, sent: answer('2') }, later]);
    expect(verdict(events, 9)).toMatchObject([{ confidence: 'certain', values: { repeat: 'answered' } }]);
  });

  test('does not fire if the latch was deleted, or if the client is gone: it gets no error', () => {
    expect(verdict(eventsAt([...LOST, { atMs: 2001, sent: answer('2') }, later]), 9)).toEqual([]);
    expect(verdict(withClient(eventsAt([...LOST, later]), 'client.gone'), 9)).toEqual([]);
  });

  test('cannot know at level events', () => {
    expect(verdict(eventsAt([...LOST, later]), 9, { level: 'events' })).toBe('cannot know: level');
  });
});
