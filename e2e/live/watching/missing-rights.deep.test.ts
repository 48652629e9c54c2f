import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Lockscope, launchLockscope } from '../../support/lockscope/lockscope.ts';
import { LockscopeCommand } from '../../support/lockscope/lockscope-command.ts';
import {
  ALL,
  aclLog,
  HELD,
  LEASE_MS,
  rulesThatRestore,
  type Server,
  setUser,
  startServer,
} from '../../support/rights/limited-users.ts';
import {
  everything,
  isNoticed,
  PATIENCE_MS,
  table,
  untilTable,
  wantedSight,
  wantedTable,
} from '../../support/rights/rights-table.ts';
import { waitFor } from '../../support/wait-for.ts';

/*
 * One Lockscope watches one server as several users. Each user lacks a single right, all rights, or rights to some
 * keys, channels or databases. The rights are missing at the start, or revoked while Lockscope watches, and are granted
 * again. `server/watch/source/missing-rights.live.test.ts` has the rows that matter most. REDIS_SERVER chooses another
 * server.
 */

/** A refused right is tried again every 5 s. */
const RETRY_S = 5;

describe.each(['snapshot', 'events', 'monitor', 'replication'] as const)('at level %s', (level) => {
  let server: Server;
  let lockscope: Lockscope;
  let startedAt = 0;
  beforeAll(async () => {
    server = await startServer(level);
    // Different spellings of one address, because the same address is watched only once.
    const hostOf = (index: number) => `127.0.0.${'0'.repeat(index)}1`;
    const [first = '', ...others] = server.rows.map(
      ({ user }, index) => `redis://${user}:pw@${hostOf(index)}:${server.redis.port}`,
    );
    startedAt = Date.now();
    lockscope = await launchLockscope(first, [...others, '--observe', level, '--memory', '1500mb']);
  });
  afterAll(async () => {
    await lockscope?.stop();
    await server?.stop();
  });

  test('at the start, each missing right is named with the line that grants it, and no lock is claimed to be free', async () => {
    await untilTable(lockscope, server.rows, level, wantedTable(server.rows, level));
    const { status } = await lockscope.health();
    expect(status).toBe('degraded');
  });

  test('once all rights are granted, each source shows every lock', async () => {
    for (const { user } of server.rows)
      await setUser(server.app, user, [...ALL, 'allchannels', ...rulesThatRestore(server)]);
    await untilTable(lockscope, server.rows, level, everything(server.rows, level, HELD));
  });

  test('if rights are revoked while Lockscope watches, each source shows what its user may still see', async () => {
    for (const { user, rules } of server.rows) await setUser(server.app, user, rules);
    // Lockscope reads each key that changes, and the read is refused.
    for (const name of HELD.slice(0, 2)) await server.app.command('PEXPIRE', name, String(LEASE_MS));
    await server.app.acquire('orders:new', { leaseMs: LEASE_MS });
    await waitFor(
      'the sights',
      async (missing) => {
        const now = await table(lockscope, server.rows, level);
        const locks = await lockscope.locks();
        const { sources } = await lockscope.health();
        const wrong = server.rows.filter((row, index) => {
          if (!isNoticed(row, level)) return false;
          const own = locks.filter(({ source }) => source === sources[index]?.id);
          const isBlind = own.every(({ unwatchedSince }) => unwatchedSince !== undefined);
          const isShown = own.some(({ name }) => name === 'orders:new');
          const isRight = wantedSight(row, level) === 'blocked' ? isBlind : isShown || row.unfound !== undefined;
          return now[index]?.sight !== wantedSight(row, level) || !isRight;
        });
        return wrong.length === 0 || missing(JSON.stringify(wrong));
      },
      PATIENCE_MS,
    );
  });

  test('once the rights are granted again, every lock is shown, and each blind spot has its reason and its end', async () => {
    for (const { user } of server.rows)
      await setUser(server.app, user, [...ALL, 'allchannels', ...rulesThatRestore(server)]);
    await untilTable(lockscope, server.rows, level, everything(server.rows, level, [...HELD, 'orders:new']));
    const { sources } = await lockscope.health();
    const spots = await lockscope.eventsAfter(0, { type: 'blind-spot.began' });
    const ends = await lockscope.eventsAfter(0, { type: 'blind-spot.ended' });
    expect(ends).toHaveLength(spots.length);
    for (const [index, row] of server.rows.entries()) {
      const reasons = spots.flatMap((spot) =>
        'reason' in spot && spot.source === sources[index]?.id ? [spot.reason] : [],
      );
      if (isNoticed(row, level) && wantedSight(row, level) === 'blocked')
        expect(reasons, row.rules.join(' ')).toContain('no-rights');
    }
    expect(sources.map(({ drift }) => drift)).toEqual(sources.map(() => 0));
  });

  test('refused commands are few: at most 25 in each try', async () => {
    const entries = await aclLog(server.app);
    const seconds = (Date.now() - startedAt) / 1000;
    for (const { user, rules } of server.rows) {
      const own = entries.filter((entry) => entry.user === user && !entry.object.startsWith('acl'));
      const times = own.reduce((sum, { count }) => sum + count, 0);
      const objects = new Set(own.map(({ object }) => object)).size;
      // Each try has at most 25 commands.
      expect(times, rules.join(' ')).toBeLessThan(100 + (25 * seconds) / RETRY_S);
      expect(objects, rules.join(' ')).toBeLessThan(60);
    }
  });
});

describe('commands for scripts', () => {
  let server: Server;
  beforeAll(async () => {
    server = await startServer('events');
  });
  afterAll(() => server?.stop());

  test.each(['check', 'doctor'])('%s succeeds only if every lock can be seen', async (name) => {
    const codes: [string, number | null][] = [];
    const wanted: typeof codes = [];
    for (const row of server.rows) {
      const command = new LockscopeCommand([name, `redis://${row.user}:pw@127.0.0.1:${server.redis.port}`]);
      const rules = row.rules.join(' ') || 'all rights';
      codes.push([rules, await command.ended()]);
      wanted.push([rules, wantedSight(row, 'events') === 'seen' ? 0 : 1]);
      const text = command.out + command.err;
      for (const rule of row.grants ?? []) expect(text, rules).toContain(` ${rule}`);
      expect(text).not.toMatch(/proxy|to protect Redis/);
    }
    expect(codes).toEqual(wanted);
  });

  test('run succeeds only if every lock can be seen', async () => {
    for (const [rules, code] of [
      ['', 0],
      ['-hgetall', 1],
      ['-scan', 1],
    ] as const) {
      const row = server.rows.find((each) => each.rules.join(' ') === rules);
      const url = `redis://${row?.user}:pw@127.0.0.1:${server.redis.port}`;
      const run = new LockscopeCommand(['run', url, '--', process.execPath, '--eval', '0']);
      expect(await run.ended(), `${rules} ${run.err}`).toBe(code);
    }
  });

  test('with --match, a user whose keys are limited to the matching names sees all locks with these names', async () => {
    await setUser(server.app, 'matching', [...ALL, 'allchannels', 'resetkeys', '~orders:*', '~redisson_lock_*']);
    const url = `redis://matching:pw@127.0.0.1:${server.redis.port}`;
    const check = new LockscopeCommand(['check', url, '--match', 'orders:*']);
    expect(await check.ended(), check.out).toBe(0);
    expect(check.out).toContain('Locks held or waited for: 1.');
  });
});
