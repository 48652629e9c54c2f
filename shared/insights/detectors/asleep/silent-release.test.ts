import { describe, expect, test } from 'vitest';
import { merged, verdictAt, type Watching } from '../../../../testing/goldens/report-from-events.ts';
import { heardStory, pushed, readFree, readHeld } from '../../../../testing/stories/heard-story.ts';
import { listed } from '../../../../testing/stories/listed.ts';
import { readWriteStory } from '../../../../testing/stories/read-write-story.ts';
import { holderOf, seconds, story } from '../../../../testing/stories/story.ts';

const verdict = (text: string, at: number, watching: Watching = {}) =>
  verdictAt('silent-release', story(`orders:42 lease 30s\n${text}`), seconds(at), watching);

const DELETED = `
  0.000  A attempts acquired
  1.000  redis lists A B
  2.000  B attempts refused
  2.001  B subscribes
  2.002  B attempts refused
  2.500  redis lists A B
  4.000  operator command DEL orders:42
`;

/** At level events: a key that ends at 21 s is deleted at 4 s. The read after it counts the listeners. */
function heardAt(subscribers: number, at: number) {
  const events = heardStory(readHeld(1, 'A', 20_000), pushed(4, 'del'), readFree(4, subscribers));
  return verdictAt('silent-release', events, seconds(at), { level: 'events' });
}

describe('silent-release', () => {
  test('fires if the key was deleted and the waiter sleeps on until its timer ends', () => {
    expect(verdict(DELETED, 4.9)).toEqual([]);
    expect(verdict(DELETED, 5.1)).toMatchObject([
      {
        ...{ severity: 'warning', confidence: 'certain', holders: [holderOf('B')], from: seconds(4), to: null },
        ...{ selfHealsAt: seconds(30.000_003), values: { by: 'deleted', asleep: 1 } },
      },
    ]);
    expect(verdict(`${DELETED}\n 6.000 C attempts acquired`, 7)).toEqual([]);
  });

  test('is likely after a blind spot in which the lock became free, while the client of a sleeper listens again', () => {
    const found = (listeners: number, more = '') =>
      `${DELETED.replace(/ 4.000.*\n/, '')} 4.000 - loses sight\n 5.000 - sees again
       5.000 redis lists A B\n 5.100 redis snapshot nothing 0 ${listeners}\n ${more}`;
    expect(verdict(found(1), 9)).toEqual([]);
    expect(verdict(found(1), 11)).toMatchObject([
      { severity: 'warning', confidence: 'likely', holders: [holderOf('B')], values: { by: 'unseen' } },
    ]);
    expect(verdict(found(0), 11)).toEqual('cannot know: blind-spot');
    expect(verdict(found(1, '6.000 B attempts acquired'), 11)).toEqual([]);
    expect(verdict(found(1, '6.000 B attempts refused'), 11)).toEqual([]);
  });

  test('fires if the key was evicted', () => {
    const evicted = DELETED.replace('operator command DEL orders:42', 'redis hears evicted');
    expect(verdict(`${evicted}\n 4.500 redis lists A B`, 7)).toMatchObject([{ values: { by: 'evicted' } }]);
  });

  test('fires for readers that wait if the writer goes on as a reader, until they attempt', () => {
    const waiting = `
      0.000  A writes
      0.001  A reads
      1.000  B reads
      1.001  B subscribes
      1.002  B reads
    `;
    const seenAt = (text: string, at: number) =>
      verdictAt('silent-release', merged(readWriteStory(text), listed('connected', 1.5, 'A', 'B')), seconds(at));
    const downgraded = `${waiting}
 2.000 A unlocks write`;
    expect(seenAt(downgraded, 3.5)).toMatchObject([{ holders: [holderOf('B')], values: { by: 'downgrade' } }]);
    expect(seenAt(waiting, 3.5)).toEqual([]);
    expect(
      seenAt(
        `${downgraded}
 3.000 B reads`,
        3.5,
      ),
    ).toEqual([]);
  });

  test('does not fire after an unlock, which sends a message, or after an expiry at which the waiter attempts', () => {
    expect(verdict(DELETED.replace('operator command DEL orders:42', 'A releases'), 7)).toEqual([]);
    const expired = `${DELETED.replace('  4.000  operator command DEL orders:42\n', '')}
      30.000  redis hears expired
      30.003  B attempts acquired
    `;
    expect(verdict(expired, 32)).toEqual([]);
  });

  test('does not fire if the message follows, or if the client of the waiter is gone', () => {
    expect(verdict(`${DELETED}\n 4.100 operator command PUBLISH redisson_lock__channel:{orders:42} 0`, 7)).toEqual([]);
    expect(verdict(`${DELETED}\n 5.500 redis lists A`, 6.5)).toEqual([]);
  });

  test('without commands, fires if connections listen, until the lease would have ended', () => {
    const found = { confidence: 'likely', holders: [], from: seconds(4), selfHealsAt: seconds(21) };
    expect(heardAt(1, 5.5)).toMatchObject([{ ...found, values: { holder: null, asleep: 1, by: 'deleted' } }]);
    expect(heardAt(1, 21.5)).toEqual([]);
    expect(heardAt(0, 5.5)).toEqual([]);
  });

  test.each(['evicted', 'flushed'] as const)(
    'fires for waiters from before watching began that only their listeners show, after the lock was %s',
    (by) => {
      const lost = by === 'evicted' ? 'redis hears evicted' : 'operator command FLUSHALL';
      const text = `0.000 - snapshot A×1 20000 1\n 4.000 ${lost}\n 4.500 redis lists A`;
      expect(verdict(text, 5.5)).toMatchObject([
        { confidence: 'likely', holders: [], selfHealsAt: seconds(20), values: { by, holder: null, asleep: 1 } },
      ]);
      expect(verdict(text.replace('20000 1', '20000 0'), 5.5)).toEqual([]);
      expect(verdict(`${text}\n 5.000 B attempts acquired`, 5.5)).toEqual([]);
    },
  );

  test('cannot know without the presence of the client, or at level snapshot', () => {
    expect(verdict(DELETED.replaceAll(/.*redis lists.*\n/g, ''), 7)).toBe('cannot know: presence');
    expect(verdict(DELETED, 7, { level: 'snapshot' })).toBe('cannot know: level');
  });

  test('cannot know about a free lock for which connections have listened since before watching began, until the lock is used', () => {
    const listened = story('orders:42 lease 30s\n 0.000 - snapshot A×1 600000 1')
      .filter(({ type }) => type === 'waiter.subscribed')
      .map((event) => ({ ...event, certainty: 'inferred' }) as const);
    for (const level of ['monitor', 'events'] as const)
      expect(verdictAt('silent-release', listened, seconds(9), { level })).toBe('cannot know: blind-spot');
    const taken = story('orders:42 lease 30s\n 1.000 B attempts acquired\n 2.000 B releases');
    expect(verdictAt('silent-release', merged(listened, taken), seconds(9))).toEqual([]);
  });
});
