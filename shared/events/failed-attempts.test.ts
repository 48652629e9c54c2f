import { describe, expect, test } from 'vitest';
import { command, eventsFromScripts, type Sent, script } from '../../testing/stories/script-story.ts';
import { holderOf } from '../../testing/stories/story.ts';

const [A, B] = ['10.0.0.1:1', '10.0.0.2:1'];
const [H, OTHER] = [holderOf('A'), holderOf('B')];
const T = 'c4b8e2f0-1111-4a5b-8c6d-000000000001';

const HELD = {
  lock: script(A, 'k', `30000 ${H}`, 'exists k', `hincrby k ${H} 1`, 'pexpire k 30000'),
  'token-lock': script(A, 'k', `${T} 30000`, 'exists k', `set k ${T} PX 30000`),
  'read-write-lock': script(
    A,
    `k {k}:${H}:rwlock_timeout`,
    `30000 ${H} ${H}:write`,
    'hget k mode',
    'hset k mode read',
    `hset k ${H} 1`,
    `set {k}:${H}:rwlock_timeout:1 1`,
    `pexpire {k}:${H}:rwlock_timeout:1 30000`,
    'pexpire k 30000',
  ),
} as const;

const FAILED: Readonly<Record<string, Sent>> = {
  'a plain lock': script(B, 'k', `30000 ${OTHER}`, 'exists k', `hexists k ${OTHER}`, 'pttl k'),
  'a Redlock': script(B, 'k', `${T.replace('1111', '2222')} 30000`, 'exists k'),
  'a token by SET NX': command(B, 'SET k c4b8e2f0-2222-4a5b-8c6d-000000000002 NX PX 30000'),
  'a token by a script that compares it': script(B, 'k', `${T.replace('1111', '2222')} 30000`, 'get k'),
  'a semaphore': script(B, 'k', '1', 'get k'),
  'a spin lock': script(B, 'k', `30000 ${OTHER}`, 'exists k', `hexists k ${OTHER}`, 'pttl k'),
  'a sorted set': script(B, 'k', 'x 4000', 'zremrangebyscore k -inf 1795000000000', 'zcard k'),
};

describe('[T1] failed attempts do not change the kind of a held lock', () => {
  test.each(
    Object.entries(HELD).flatMap(([kind, held]) => Object.keys(FAILED).map((name) => [kind, name, held] as const)),
  )('[T1] a held %s keeps its kind after three failed attempts at %s', (kind, name, held) => {
    const events = eventsFromScripts([held, ...Array.from({ length: 3 }, () => FAILED[name] as Sent)]);
    expect(events[0]).toMatchObject({ type: 'lock.acquired', kind });
    expect(events.filter((event) => event.kind !== kind)).toEqual([]);
  });
});
