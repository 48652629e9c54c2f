import { expect, test } from 'vitest';
import { command, eventsFromScripts, script } from '../../testing/stories/script-story.ts';
import { holderOf, reported } from '../../testing/stories/story.ts';

const [A, B] = [holderOf('A'), holderOf('B')];
const [AT_A, AT_B] = ['10.0.0.1:a', '10.0.0.1:b'];

test('[V5] [W4] the channel of 3.1.0 carries the lock’s releases, waiters and wake-ups', () => {
  const channel = 'redisson_lock__channel__{a}';
  const attempt = (by: string, holder: string, ...ran: string[]) =>
    script(by, 'a', `30000 ${holder}`, 'exists a', ...ran);
  const unlock = (...ran: string[]) => script(AT_A, `a ${channel}`, `0 30000 ${A}`, 'exists a', ...ran);
  const events = eventsFromScripts(
    [
      attempt(AT_A, A, `hset a ${A} 1`, 'pexpire a 30000'),
      attempt(AT_B, B, `hexists a ${B}`, 'pttl a'),
      command('10.0.0.1:b-pubsub', `SUBSCRIBE ${channel}`),
      attempt(AT_B, B, `hexists a ${B}`, 'pttl a'),
      unlock(`hexists a ${A}`, `hincrby a ${A} -1`, 'del a', `publish ${channel} 0`),
      attempt(AT_B, B, `hset a ${B} 1`, 'pexpire a 30000'),
      unlock(`hexists a ${A}`),
      script(AT_A, `a ${channel}`, '0', 'del a', `publish ${channel} 0`),
      unlock(`publish ${channel} 0`),
    ],
    10,
  );
  expect(new Set(events.map(({ lock }) => lock))).toEqual(new Set(['a']));
  expect(reported(events)).toEqual([
    'lock.acquired A ×1',
    expect.stringContaining('lock.refused B'),
    'waiter.subscribed B',
    expect.stringContaining('lock.refused B'),
    'lock.released A ×0',
    'wakeup.published',
    'lock.acquired B ×1',
    'unlock.refused A not-owner',
    'lock.force-released B',
    'wakeup.published',
    'unlock.refused A no-lock',
    'wakeup.published',
  ]);
  expect(events[6]).toMatchObject({ wokenBy: 'message', because: [events[5]?.seq] });
});

test('[V5] the channel of read-write locks before 3.5.0 is recognised', () => {
  const channel = 'redisson_rwlock__{a}';
  const acquires = ['hset a mode write', `hset a ${A}:write 1`, 'pexpire a 30000'];
  const releases = [`hexists a ${A}:write`, `hincrby a ${A}:write -1`, `hdel a ${A}:write`, 'hlen a', 'del a'];
  const events = eventsFromScripts([
    script('a', 'a', `30000 ${A}:write`, 'hget a mode', ...acquires),
    script('a', `a ${channel}`, `0 30000 ${A}:write`, 'hget a mode', ...releases, `publish ${channel} 0`),
  ]);
  expect(reported(events)).toEqual(['lock.acquired A ×1', 'lock.released A ×0', 'wakeup.published']);
  expect(new Set(events.map(({ kind }) => kind))).toEqual(new Set(['read-write-lock']));
});
