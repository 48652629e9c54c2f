import { describe, expect, test } from 'vitest';
import { reportAt } from '../../../../testing/goldens/report-from-events.ts';
import { command, eventsAt, script } from '../../../../testing/stories/script-story.ts';
import { holderOf, seconds } from '../../../../testing/stories/story.ts';
import { latchLitter } from './latch-litter.ts';

const A = holderOf('A');
const [uuid = ''] = A.split(':');
const APP = '10.0.0.1:1';
const latchOf = (request: string) => `redisson_unlock_latch:{a}:${request}`;

/** One hold of A, whose client then deletes the latch with this suffix. */
const hold = (n: number, deleted: string) => [
  { atMs: n * 500, sent: script(APP, 'a', `30000 ${A}`, 'exists a', `hincrby a ${A} 1`, 'pexpire a 30000') },
  {
    atMs: n * 500 + 10,
    sent: script(
      ...([APP, `a redisson_lock__channel:{a} ${latchOf(`r${n}`)}`, `0 30000 ${A} PUBLISH 16000`] as const),
      ...[`get ${latchOf(`r${n}`)}`, `hexists a ${A}`, `hincrby a ${A} -1`, 'del a', 'publish c 0'],
      `set ${latchOf(`r${n}`)} 1 px 16000`,
    ),
  },
  { atMs: n * 500 + 12, sent: command(APP, `DEL ${latchOf(deleted)}`) },
];
const events = (deleted: (n: number) => string) => {
  const holds = Array.from({ length: 40 }, (_, n) => hold(n, deleted(n))).flat();
  return eventsAt([
    ...holds,
    { atMs: 21_000, sent: command(APP, 'PING') },
    { atMs: 40_000, sent: command(APP, 'PING') },
  ]);
};
const found = (deleted: (n: number) => string, at: number, level: 'monitor' | 'events' = 'monitor') =>
  reportAt(events(deleted), seconds(at), { level, detectors: [latchLitter] });

describe('latch-litter', () => {
  test('fires for a client that sends DEL with its own uuid in place of the suffix of the latch', () => {
    const [insight] = found(() => uuid, 12).insights;
    expect(insight).toMatchObject({
      ...{ severity: 'hint', confidence: 'certain', lock: null, source: 'story', holders: [uuid] },
      ...{ from: seconds(0.012), to: null, values: { client: uuid, unlocks: 21, keys: 21, keptMs: 16_000 } },
    });
    expect(found(() => uuid, 39).insights).toMatchObject([{ id: insight?.id, to: seconds(37), values: { keys: 0 } }]);
  });

  test('does not fire for a client that deletes its latches', () => {
    expect(found((n) => `r${n}`, 12).insights).toEqual([]);
  });

  test('cannot know at level events', () => {
    expect(found(() => uuid, 12, 'events')).toMatchObject({
      insights: [],
      cannotTell: [{ incident: 'latch-litter', reason: 'level' }],
    });
  });
});
