import { describe, expect, test } from 'vitest';
import { merged, reportAt, verdictAt } from '../../../../testing/goldens/report-from-events.ts';
import { readWriteStory } from '../../../../testing/stories/read-write-story.ts';
import { eventsFromScripts, script } from '../../../../testing/stories/script-story.ts';
import { serverStory } from '../../../../testing/stories/server-story.ts';
import { holderOf, seconds, story } from '../../../../testing/stories/story.ts';
import type { LockEvent } from '../../../events/event.ts';

const HELD = 'orders:42 lease 60s\n  0.000  A attempts acquired\n';
const verdict = (...parts: LockEvent[][]) => verdictAt('key-name-collision', merged(...parts), seconds(6));

describe('key-name-collision', () => {
  test('fires if a command overwrites a held lock, and names the client that sent it', () => {
    const events = story(`${HELD}  2.000  app command SET orders:42 x`);
    expect(verdict(events, serverStory({}))).toMatchObject([
      {
        ...{ severity: 'critical', confidence: 'certain', lock: 'orders:42', holders: [holderOf('A')] },
        values: { lock: 'orders:42', command: 'SET', by: '10.0.0.1:app' },
      },
    ]);
  });

  test('fires without a lock name if scripts that read a hash got WRONGTYPE', () => {
    const report = { s: 4, errors: { WRONGTYPE: 1 }, failed: { evalsha: 1, hexists: 1 } };
    expect(verdict(serverStory({}, report))).toMatchObject([
      { confidence: 'likely', lock: null, values: { refusals: 1 } },
    ]);
  });

  test('fires if a plain lock and a read-write lock of one name are held at the same time', () => {
    const [plain, reader] = ['A', 'B'].map(holderOf);
    const lock = script(
      'a:1',
      'user:42',
      `30000 ${plain}`,
      'exists user:42',
      `hincrby user:42 ${plain} 1`,
      'pexpire user:42 30000',
    );
    const timeouts = `{user:42}:${reader}:rwlock_timeout`;
    const read = script(
      'b:1',
      `user:42 ${timeouts}`,
      `30000 ${reader} ${reader}:write`,
      ...['hget user:42 mode', 'hset user:42 mode read', `hset user:42 ${reader} 1`, `set ${timeouts}:1 1`],
      ...[`pexpire ${timeouts}:1 30000`, 'pexpire user:42 30000'],
    );
    expect(verdict(eventsFromScripts([lock, read]), serverStory({}))).toMatchObject([
      {
        ...{ severity: 'critical', confidence: 'certain', lock: 'user:42', holders: [plain, reader], to: null },
        values: { plain, other: reader },
      },
    ]);
    expect(verdict(eventsFromScripts([read]), serverStory({}))).toEqual([]);
    expect(verdict(readWriteStory('0.000 A reads\n 0.100 B reads'), serverStory({}))).toEqual([]);
  });

  test('does not fire for a lock that is deleted, or for errors of other commands and scripts', () => {
    expect(verdict(story(`${HELD}  2.000  app command DEL orders:42`), serverStory({}))).toEqual([]);
    expect(verdict(serverStory({}, { s: 4, errors: { WRONGTYPE: 1 }, failed: { hexists: 1 } }))).toEqual([]);
    expect(verdict(serverStory({}, { s: 4, errors: { WRONGTYPE: 1 }, failed: { evalsha: 1 } }))).toEqual([]);
  });

  test('cannot know where INFO is not permitted', () => {
    const { cannotTell } = reportAt(story(HELD), seconds(3));
    expect(cannotTell.filter(({ incident }) => incident === 'key-name-collision')).toMatchObject([
      { reason: 'server' },
    ]);
  });
});
