import { describe, expect, test } from 'vitest';
import { RedisError, type Reply } from '../connection/reply.ts';
import { RefusedRights } from './refused-rights.ts';

type Words = readonly string[];

/** What servers answer, by version. */
const COMMAND = [
  ["NOPERM this user has no permissions to run the 'hlen' command or its subcommand", '6.0'],
  ["NOPERM this user has no permissions to run the 'hlen' command", '7.0'],
  ["NOPERM User keys has no permissions to run the 'hlen' command", '8.0, Valkey 9.1'],
] as const;
const KEY = [
  ['NOPERM this user has no permissions to access one of the keys used as arguments', '7.0'],
  ['NOPERM No permissions to access a key', '8.0, Valkey 9.1'],
] as const;
const NO_KEY = new RedisError(KEY[1][0]);
const NO_DATABASE = new RedisError('NOPERM No permissions to access database');

/** The rights of a user after these refusals. */
function refused(...replies: readonly (readonly [Words, string])[]): RefusedRights {
  const rights = new RefusedRights();
  for (const [words, message] of replies) rights.heard(words, new RedisError(message));
  return rights;
}

/** Asks a server that refuses a command with the error that `refusalOf` returns. Returns the replies, and every command that was sent. */
async function asked(
  rights: RefusedRights,
  commands: readonly Words[],
  refusalOf: (words: Words) => Reply | undefined,
) {
  const sent: Words[] = [];
  const replies = await rights.ask(commands, async (some) =>
    some.map((words) => {
      const reply = refusalOf(words) ?? 'OK';
      sent.push(words);
      rights.heard(words, reply);
      return reply;
    }),
  );
  return { replies, sent: sent.map((words) => words.join(' ')) };
}

describe('a refusal', () => {
  test.each(COMMAND)('of a command is recognised: %s (%s)', (message) => {
    const rights = refused([['HLEN', 'a'], message]);
    expect([...rights.commands]).toEqual([['hlen', 'no-permission']]);
    expect(rights.keys.isLimited).toBe(false);
  });

  test.each(KEY)('of a key is recognised: %s (%s)', (message) => {
    const rights = refused([['HLEN', 'a'], message]);
    expect(rights.commands.size).toBe(0);
    expect(rights.mayRead('a')).toBe(false);
  });

  test('of EXEC is recognised, although Redis reports it as an aborted transaction', () => {
    const message =
      "EXECABORT Transaction discarded because of: NOPERM User app has no permissions to run the 'exec' command";
    expect([...refused([['EXEC'], message]).commands.keys()]).toEqual(['exec']);
  });

  test('of a database is recognised in the reply of Valkey 9', () => {
    const rights = refused([['SELECT', '3'], NO_DATABASE.message]);
    expect(rights.databases).toEqual(['3']);
    expect(rights.mayRun('select')).toBe(true);
  });

  test('is noted for a command that the server does not have', () => {
    expect([...refused([['SCAN', '0'], "ERR unknown command 'SCAN'"]).commands]).toEqual([['scan', 'no-command']]);
  });

  test.each([
    [['HLEN', 'a'], 'WRONGTYPE Operation against a key holding the wrong kind of value'],
    [['HLEN', 'a'], 'MOVED 1234 127.0.0.1:7001'],
    [['EXEC'], 'ERR EXEC without MULTI'],
    [['EXEC'], 'EXECABORT Transaction discarded because of previous errors.'],
    [['SCAN', '0'], 'BUSY Redis is busy running a script.'],
  ])('is not noted for %j with the reply "%s"', (words, message) => {
    const rights = new RefusedRights();
    expect(rights.heard(words, new RedisError(message))).toBe(false);
    expect(rights.count).toBe(0);
  });

  test.each(['OK', 'QUEUED', new RedisError('WRONGTYPE'), new RedisError('MOVED 1 h:1')])(
    'of a command ends with the reply %s',
    (reply) => {
      const rights = refused([['HLEN', 'a'], COMMAND[1][0]]);
      rights.heard(['HLEN', 'b'], reply);
      expect(rights.count).toBe(0);
    },
  );

  test('of a key is noted only if the command is allowed', () => {
    const rights = refused([['HLEN', 'a'], COMMAND[1][0]], [['HLEN', 'a'], KEY[0][0]]);
    expect(rights.commands.size).toBe(0);
  });
});

describe('what was refused is not sent again', () => {
  test('if it is a command: its error is returned again', async () => {
    const rights = refused([['SCAN', '0'], COMMAND[1][0]]);
    const { replies, sent } = await asked(
      rights,
      [
        ['SELECT', '0'],
        ['SCAN', '7'],
      ],
      () => undefined,
    );
    expect(replies).toEqual(['OK', new RedisError(COMMAND[1][0])]);
    expect(sent).toEqual(['SELECT 0']);
  });

  test('if it follows a refused SELECT: it would run in another database', async () => {
    const rights = new RefusedRights();
    const commands = [
      ['SELECT', '3'],
      ['HLEN', 'a'],
      ['SELECT', '0'],
      ['HLEN', 'b'],
    ];
    const refusalOf = ([name, db]: Words) => (name === 'SELECT' && db === '3' ? NO_DATABASE : undefined);
    const first = await asked(rights, commands, refusalOf);
    expect(first.replies).toEqual([NO_DATABASE, NO_DATABASE, 'OK', 'OK']);
    const second = await asked(rights, commands, refusalOf);
    expect(second.replies).toEqual(first.replies);
    expect(second.sent).toEqual(['SELECT 0', 'HLEN b']);
  });

  test('if it is one of many keys of a kind: only a few are tried, and the others get the same answer', async () => {
    const rights = refused([['HLEN', 'payments:0'], KEY[0][0]]);
    const names = Array.from({ length: 50 }, (_, n) => [`payments:${n}`, `orders:${n}`]).flat();
    const refusalOf = ([, key = '']: Words) => (key.startsWith('payments:') ? NO_KEY : undefined);
    const { replies, sent } = await asked(
      rights,
      names.map((name) => ['HLEN', name]),
      refusalOf,
    );
    expect(replies.filter((reply) => reply === 'OK')).toHaveLength(50);
    expect(sent.filter((text) => text.includes('payments:')).length).toBeLessThanOrEqual(3);
  });

  test('if many keys are sent before the first refusal: a few of them are tried', async () => {
    const rights = new RefusedRights();
    const names = Array.from({ length: 200 }, (_, n) => `payments:${n}`);
    const { replies, sent } = await asked(
      rights,
      names.map((name) => ['HLEN', name]),
      ([, key]) => (key ? NO_KEY : undefined),
    );
    expect(sent.length).toBeLessThanOrEqual(4);
    expect(replies.every((reply) => reply instanceof RedisError)).toBe(true);
  });
});

test('with selectors, a key that only some commands may read stays refused, and no other refusal is forgotten', () => {
  const rights = refused([['PTTL', 'stock:1'], KEY[0][0]], [['HGETALL', 'cart:1'], KEY[0][0]]);
  rights.heard(['PTTL', 'cart:1'], 60_000);
  expect(rights.keys.samples).toEqual(['stock:1', 'cart:1']);
  expect(rights.triesOfSamples).toEqual([
    ['PTTL', 'stock:1'],
    ['HGETALL', 'cart:1'],
  ]);
  rights.heard(['HGETALL', 'cart:1'], []);
  expect(rights.keys.isLimited).toBe(false);
});
