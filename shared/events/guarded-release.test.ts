import { expect, test } from 'vitest';
import { eventsFromScripts, type Sent, script } from '../../testing/stories/script-story.ts';
import { holderOf } from '../../testing/stories/story.ts';

const A = holderOf('A');
const CHANNEL = 'redisson_lock__channel:{a}';
const LEASE_END = '1795218484496';
const taken = script('a', 'a', `30000 ${A}`, 'exists a', `hincrby a ${A} 1`, 'pexpire a 30000');
const compared = ['time', 'pttl a', 'hlen a', `hmget a ${A}`];

test('[H5] a script that compares the holders and then releases by force is a force-release, with its message', () => {
  const args = `0 PUBLISH ${LEASE_END} ${A} 1`;
  const ran = [...compared, 'del a', `publish ${CHANNEL} 0`];
  expect(eventsFromScripts([taken, script('ops', `a ${CHANNEL}`, args, ...ran)]).slice(1)).toMatchObject([
    { type: 'lock.force-released', holder: A, by: 'ops', kind: 'lock' },
    { type: 'wakeup.published', channel: CHANNEL, message: '0' },
  ]);
});

test('[H5] a force-release whose comparison fails did nothing', () => {
  for (const ran of [['time', 'pttl a', 'hlen a'], compared]) {
    const asked = script('ops', `a ${CHANNEL}`, `0 PUBLISH ${LEASE_END} ${A} 1`, ...ran);
    expect(eventsFromScripts([taken, asked])).toMatchObject([{ type: 'lock.acquired' }]);
  }
});

test('[H5] without a channel, only the comparison shows that a script which deletes its key is a force-release', () => {
  const forced = script('ops', 'a', `${LEASE_END} ${A} 1`, ...compared, 'del a');
  expect(eventsFromScripts([taken, forced]).at(-1)).toMatchObject({ type: 'lock.force-released', holder: A });
  const other = script('ops', 'a', `${LEASE_END} ${A} 1`, 'del a');
  expect(eventsFromScripts([taken, other]).at(-1)).toMatchObject({ type: 'lock.deleted' });
});

test('[H5] a script that compares a token and deletes by force is not a release by the holder', () => {
  const token = '5f2c9d0e7b1a4c3d8e6f5a4b3c2d1e0f';
  const set: Sent = { by: 'a', words: ['SET', 'a', token, 'NX', 'PX', '30000'] };
  const freed: Sent = script('a', 'a', token, 'get a', 'del a');
  const forced = script('ops', 'a', `${LEASE_END} ${token} 1`, 'time', 'pttl a', 'strlen a', 'get a', 'del a');
  const events = eventsFromScripts([set, freed, set, forced]);
  expect(events.findLast(({ type }) => type.startsWith('lock.'))).toMatchObject({
    type: 'lock.force-released',
    holder: token,
    kind: 'token-lock',
    by: 'ops',
  });
});
