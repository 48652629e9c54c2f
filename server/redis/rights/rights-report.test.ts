import { describe, expect, test } from 'vitest';
import { OBSERVE_LEVELS } from '../../../shared/base/observe-level.ts';
import { hidesLocks, isRight, READING_RIGHTS, type Right } from '../../../shared/doctor/rights/rights.ts';
import { RedisError } from '../connection/reply.ts';
import { RefusedRights } from './refused-rights.ts';
import { blockOf, mayHideLocks, TRIED_KEY, unseenOf } from './rights-report.ts';

const RIGHTS = Object.keys(READING_RIGHTS).filter(isRight);

function lacking(...rights: readonly Right[]): RefusedRights {
  const refused = new RefusedRights();
  refused.user = 'app';
  for (const right of rights) refused.heard(right.split('|'), new RedisError('NOPERM'));
  return refused;
}

function limitedTo(readable: readonly string[], refusedKeys: readonly string[]): RefusedRights {
  const rights = lacking();
  for (const key of refusedKeys) rights.heard(['HLEN', key], new RedisError('NOPERM No permissions to access a key'));
  for (const key of readable) rights.heard(['PTTL', key], -2);
  return rights;
}

describe('a right that is missing alone', () => {
  test.each(RIGHTS.filter((right) => READING_RIGHTS[right] === 'reading'))('%s: no level can read locks', (right) => {
    for (const level of OBSERVE_LEVELS) {
      expect(blockOf(lacking(right), level, 0)).toMatchObject({
        code: 'not-permitted',
        message: `User app may not read locks: it may not run ${right.toUpperCase()}.`,
        hint: `To allow it: ACL SETUSER app +${right}`,
      });
    }
  });

  test.each(['scan', 'hkeys'] as const)('%s: snapshots cannot find locks, the other levels miss locks', (right) => {
    expect(blockOf(lacking(right), 'snapshot', 0)?.values.grant).toBe(`ACL SETUSER app +${right}`);
    for (const level of ['events', 'monitor', 'replication'] as const) {
      expect(blockOf(lacking(right), level, 0)).toBeUndefined();
      expect(unseenOf(lacking(right), level)).toMatchObject([
        { code: 'unseen-without-right', values: { loss: 'search' } },
      ]);
    }
  });

  test.each(RIGHTS.filter((right) => READING_RIGHTS[right] !== 'reading'))(
    '%s is named with the line that grants it, unless another command replaces it',
    (right) => {
      const rights = lacking(right);
      const isReplaced = ['hrandfield', 'hscan', 'dbsize'].includes(right);
      const unseen = unseenOf(rights, 'events').map(({ message }) => message);
      expect(unseen).toEqual(
        isReplaced ? [] : [expect.stringMatching(new RegExp(`ACL SETUSER app \\+${right.replace('|', '\\|')}$`))],
      );
      expect(mayHideLocks(rights)).toBe(!isReplaced && hidesLocks(READING_RIGHTS[right]));
    },
  );
});

test('all missing rights are in one line, including those that would be refused next', () => {
  const rights = lacking('multi', 'time', 'scan', 'getrange', 'client|list');
  expect(blockOf(rights, 'events', 0)).toMatchObject({
    values: { commands: ['MULTI', 'TIME'], grant: 'ACL SETUSER app +multi +time +scan +getrange' },
  });
});

test('a command that the server does not have is named, without a line that grants it', () => {
  const rights = new RefusedRights();
  rights.heard(['MULTI'], new RedisError("ERR unknown command 'MULTI', with args beginning with:"));
  expect(blockOf(rights, 'events', 0)).toMatchObject({ values: { absent: ['MULTI'], grant: '' }, hint: '' });
});

describe('a user whose keys are limited', () => {
  test('cannot watch while no key is known that it may read', () => {
    const block = blockOf(limitedTo([], [TRIED_KEY, 'payments:1', 'payments:2', 'sessions:1']), 'events', 0);
    expect(block).toMatchObject({ values: { keys: ['payments:*', 'sessions:*'], grant: 'ACL SETUSER app ~*' } });
    expect(block?.hint).toContain('--match');
  });

  test('sees the keys that it may read, and the other keys are named', () => {
    const rights = limitedTo(['orders:1'], [TRIED_KEY, 'payments:1']);
    expect(blockOf(rights, 'events', 0)).toBeUndefined();
    expect(unseenOf(rights, 'events')).toMatchObject([
      { code: 'unseen-keys', values: { names: ['payments:*'], grant: 'ACL SETUSER app ~*' } },
    ]);
    expect(mayHideLocks(rights)).toBe(true);
  });

  test('gets a line that grants only the keys beside locks, if it may read the locks', () => {
    const rights = limitedTo(['orders:1'], [`redisson_lock_queue:{orders:${TRIED_KEY}}`]);
    expect(unseenOf(rights, 'events')[0]?.values).toMatchObject({
      names: ['redisson_lock_queue:*', 'redisson_lock_timeout:*', 'redisson_lock_token:*'],
      grant: 'ACL SETUSER app ~redisson_lock_queue:* ~redisson_lock_timeout:* ~redisson_lock_token:*',
    });
    const [unseen] = unseenOf(rights, 'events');
    expect(unseen?.message).toMatch(
      /^Queues of fair locks, .* may not read keys beside locks, such as redisson_lock_queue/,
    );
  });
});

describe('a user with selectors who may read a key with some commands only', () => {
  const refusal = new RedisError('NOPERM this user has no permissions to access one of the keys used as arguments');
  /** The keys may be read, but not with TYPE. */
  function withoutType(...keys: readonly string[]): RefusedRights {
    const rights = lacking();
    for (const key of keys) {
      rights.heard(['TYPE', key], refusal);
      rights.heard(['HLEN', key], 0);
      rights.heard(['PTTL', key], -2);
    }
    return rights;
  }

  test('gets the name of the missing command, and a line that grants it', () => {
    const block = blockOf(withoutType(TRIED_KEY), 'events', 0);
    expect(block?.message).toBe('User app may not read locks: it may not run TYPE.');
    expect(block?.hint).toBe('To allow it: ACL SETUSER app +type');
    const rights = withoutType(TRIED_KEY, 'orders:1');
    rights.heard(['PTTL', 'users:1'], -2);
    expect(blockOf(rights, 'events', 0)).toBeUndefined();
    expect(unseenOf(rights, 'events').map(({ message }) => message)).toEqual([
      'Locks whose keys user app may not read with TYPE, such as orders:*. To leave them out, use --match. To allow it: ACL SETUSER app +type',
    ]);
  });

  test('gets the pattern of the keys that no command may read as well', () => {
    const rights = withoutType(TRIED_KEY);
    for (const command of ['TYPE', 'HLEN', 'PTTL']) rights.heard([command, 'payments:1'], refusal);
    rights.heard(['PTTL', 'users:1'], -2);
    expect(unseenOf(rights, 'events')).toMatchObject([
      { values: { names: ['payments:*'], grant: 'ACL SETUSER app ~*' } },
      { values: { names: [], commands: ['TYPE'], grant: 'ACL SETUSER app +type' } },
    ]);
    expect(blockOf(withoutType('redisson_lock_queue:{a}'), 'events', 0)?.values.grant).toBe('ACL SETUSER app ~*');
  });

  test('is judged by the newest replies', () => {
    const rights = withoutType(TRIED_KEY);
    rights.heard(['PTTL', TRIED_KEY], refusal);
    expect(blockOf(rights, 'events', 0)?.values).toMatchObject({ commands: [], grant: 'ACL SETUSER app ~*' });
    rights.heard(['PTTL', TRIED_KEY], -2);
    expect(blockOf(rights, 'events', 0)?.values.commands).toEqual(['TYPE']);
  });
});

test('a refused database hides its locks; if it is the watched one, nothing can be watched', () => {
  const rights = lacking();
  rights.heard(['SELECT', '3'], new RedisError('NOPERM No permissions to access database'));
  expect(unseenOf(rights, 'events')).toMatchObject([
    { code: 'unseen-databases', values: { databases: ['3'], grant: 'ACL SETUSER app alldbs' } },
  ]);
  expect(blockOf(rights, 'events', 0)).toBeUndefined();
  expect(blockOf(rights, 'events', 3)).toMatchObject({ values: { isDatabase: true, grant: 'ACL SETUSER app alldbs' } });
});

test('a user with all rights has no missing right', () => {
  for (const level of OBSERVE_LEVELS) {
    expect(blockOf(lacking(), level, 0)).toBeUndefined();
    expect(unseenOf(lacking(), level)).toEqual([]);
  }
  expect(mayHideLocks(lacking())).toBe(false);
});
