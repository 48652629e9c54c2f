import { describe, expect, test } from 'vitest';
import { eventsAt, eventsFromScripts, type Sent, script } from '../../testing/stories/script-story.ts';
import { holderOf, reported, seconds, story } from '../../testing/stories/story.ts';

describe('lease', () => {
  test('[L1] [L2] a refused attempt has the TTL of its reply', () => {
    const events = story(`
      orders:42 lease 6s
      0.000  A attempts acquired
      2.000  A renews
      2.500  B attempts refused
    `);
    expect(reported(events)).toEqual(['lock.acquired A ×1', 'lease.renewed A', 'lock.refused B ttl 5500']);
    expect(events[1]).toMatchObject({ leaseMs: 6000, expiresAt: seconds(8) + 2 });
  });

  test('[L8] a plain command that shortens a lease names the client of its connection, if that sent a lock script', () => {
    const shortenedBy = (who: string) =>
      story(`
        orders:42 lease 60s
        0.000  A attempts acquired
        1.000  ${who} command EXPIRE orders:42 5
      `)[1];
    const shortened = { type: 'lease.shortened', cause: 'command' };
    expect(shortenedBy('A-commands')).toMatchObject({ ...shortened, client: holderOf('A').split(':')[0] });
    expect(shortenedBy('operator')).toMatchObject(shortened);
    expect(shortenedBy('operator')).not.toHaveProperty('client');
  });

  test('[L3] without a key event, a lease expires at its computed end, before the next acquisition', () => {
    const events = story(`
      orders:42 lease 6s
      0.000  A attempts acquired
      6.500  B attempts acquired
    `);
    expect(reported(events)).toEqual(['lock.acquired A ×1', 'lease.expired A (inferred)', 'lock.acquired B ×1']);
    expect(events[1]?.at).toBe(seconds(6) + 3);
  });

  test('[L3] with a key event, the expiry is observed, and the next acquisition does not repeat it', () => {
    expect(
      reported(
        story(`
      orders:42 lease 6s
      0.000  A attempts acquired
      6.050  - hears expired
      6.500  B attempts acquired
      6.600  - hears expired
    `),
      ).slice(0, 3),
    ).toEqual(['lock.acquired A ×1', 'lease.expired A', 'lock.acquired B ×1']);
  });

  test('[L3] a lease that ended over a second ago is reported as expired once a later command is seen', () => {
    expect(
      reported(
        story(`
      orders:42 lease 6s
      0.000  A attempts acquired
      8.000  ops command PING
    `),
      ),
    ).toEqual(['lock.acquired A ×1', 'lease.expired A (inferred)']);
  });

  test('[L9] a clock that jumps forward ends no lease: the lock is read first', () => {
    const events = story(`
      orders:42 lease 600s
         0.000  A attempts acquired
         1.000  ops command PING
      3600.000  ops command PING
      3600.100  - snapshot A×1 599000
      3601.000  ops command PING
    `);
    expect(reported(events)).toEqual(['lock.acquired A ×1', 'lock.found']);
    expect(events[1]).toMatchObject({ expiresAt: seconds(4199.1) });
  });

  test('[L9] a lease that has really expired ends at the second check after a jump of the clock', () => {
    const events = story(`
      orders:42 lease 6s
         0.000  A attempts acquired
         1.000  ops command PING
      3600.000  ops command PING
      3600.300  ops command PING
    `);
    expect(reported(events)).toEqual(['lock.acquired A ×1', 'lease.expired A (inferred)']);
  });

  test('[L4] [L5] a frozen holder’s renewal and unlock are refused, with the reason', () => {
    expect(
      reported(
        story(`
      orders:42 lease 2s
      0.000  A attempts acquired
      2.500  B attempts acquired
      3.000  A renewal refused
      3.100  A unlock refused
      3.200  C unlock refused
    `),
      ).slice(3),
    ).toEqual(['renewal.refused A expired', 'unlock.refused A expired', 'unlock.refused C not-owner']);
  });

  test('[L3] an expiry that Redis reports late, with the next attempt, is observed', () => {
    const events = story(`
      orders:42 lease 6s
      0.000  A attempts acquired
      8.000  - hears expired
      8.000  B attempts acquired
    `);
    expect(reported(events)).toEqual(['lock.acquired A ×1', 'lease.expired A', 'lock.acquired B ×1']);
    expect(events[1]).toMatchObject({ certainty: 'observed' });
    const alone = story('orders:42 lease 6s\n0.000 A attempts acquired\n8.000 - hears expired');
    expect(reported(alone).at(-1)).toBe('lease.expired A');
  });

  test('[L5] if a holder is refused although it holds the lock, its script met an error, and it keeps its hold', () => {
    expect(
      reported(
        story(`
      orders:42 lease 6s
      0.000  A attempts acquired
      1.000  A unlock refused
      2.000  - snapshot A×1 4000
      3.000  A releases
    `),
      ).slice(1),
    ).toEqual(['unlock.refused A error (inferred)', 'lock.released A ×0', 'wakeup.published']);
  });

  test('[L6] an old version reports success for an unlock of a missing lock', () => {
    const events = story(`
      orders:42 lease 2s
      0.000  A attempts acquired
      2.500  A releases silently
    `);
    expect(reported(events).slice(1)).toEqual([
      'lease.expired A (inferred)',
      'unlock.refused A expired',
      'wakeup.published',
    ]);
    expect(events[2]).toMatchObject({ callerSawSuccess: true });
  });

  test.each([
    ['PEXPIRE orders:42 9000', 10],
    ['EXPIRE orders:42 9', 10],
    ['EXPIRE orders:42 9 GT', 10],
    ['EXPIRE orders:42 1 GT', undefined],
    ['EXPIRE orders:42 9 NX', undefined],
    ['EXPIRE orders:42 9 LT', undefined],
  ])('[L7] %s by another client changes the lease if its condition is met', (command, end) => {
    const events = story(`
      orders:42 lease 6s
      0.000  A attempts acquired
      1.000  ops command ${command}
    `);
    expect(events[1]?.type).toBe(end === undefined ? undefined : 'lease.renewed');
    if (end !== undefined) expect(events[1]).toMatchObject({ cause: 'command', expiresAt: seconds(end) });
  });

  test('[L4] a batch with an empty holder for one lock renews the others (3.44.0 to 3.45.1)', () => {
    const holder = holderOf('A');
    const events = eventsFromScripts([
      script('a:1', 'orders', `2400 ${holder}`, 'exists orders', `hincrby orders ${holder} 1`, 'pexpire orders 2400'),
      {
        by: 'a:1',
        words: ['EVAL', 'return 1', '2', 'catalog', 'orders', '2400', '', holder],
        ran: ['hexists catalog ', `hexists orders ${holder}`, 'pexpire orders 2400'],
      },
    ]);
    expect(events.slice(1)).toMatchObject([
      { type: 'lease.renewed', lock: 'orders', holder, cause: 'watchdog', batch: 2 },
    ]);
  });

  test('[L10] a renewal without a holder is reported with its client, if client and lock are known', () => {
    const holder = holderOf('A');
    const client = holder.split(':')[0];
    const taken = script('a:1', 'orders', `2400 ${holder}`, 'exists orders', `hincrby orders ${holder} 1`);
    const empty = (by: string, lock: string) => ({
      by,
      words: ['EVAL', 'return 1', '1', lock, '2400', ''],
      ran: [`hexists ${lock} `],
    });
    const events = eventsFromScripts([taken, empty('a:1', 'orders'), empty('b:1', 'orders'), empty('a:1', 'catalog')]);
    expect(events.slice(1)).toMatchObject([
      { type: 'renewal.without-holder', lock: 'orders', client, leaseMs: 2400, certainty: 'observed' },
    ]);
  });

  test('[L11] a renewal that Redis received twice and did not run is reported once', () => {
    const [a, b] = [holderOf('A'), holderOf('B')];
    const taken = script('a:1', 'orders', `2400 ${a}`, 'exists orders', `hincrby orders ${a} 1`, 'pexpire orders 2400');
    const unloaded = (holder: string, sha = '6a3d31570dc6f4b0bd32bcdc8e75667747c6f635', command = 'EVALSHA') => ({
      by: 'a:1',
      words: [command, sha, '2', 'orders', 'catalog', '2400', holder, holder],
    });
    const twice = (first: Sent, second: Sent, pauseMs: number) =>
      eventsAt([
        { sent: taken, atMs: 0 },
        { sent: first, atMs: 800 },
        { sent: second, atMs: 800 + pauseMs },
      ]).slice(1);
    expect(twice(unloaded(a), unloaded(a), 50)).toMatchObject([
      { type: 'renewal.not-run', lock: 'orders', holder: a, by: 'a:1', certainty: 'observed' },
    ]);
    expect(twice(unloaded(a), unloaded(a), 51)).toEqual([]);
    expect(twice(unloaded(a), unloaded(b), 1)).toEqual([]);
    expect(twice(unloaded(a), unloaded(a, '0'.repeat(40)), 1)).toEqual([]);
    expect(twice(unloaded(a), unloaded(a, undefined, 'EVAL'), 1)).toEqual([]);
  });

  test('[L11] a renewal of a writer that Redis did not run is reported with the mode of the writer', () => {
    const holder = holderOf('A');
    const field = `${holder}:write`;
    const taken = script(
      'a:1',
      'orders',
      `2400 ${field}`,
      'hget orders mode',
      'hset orders mode write',
      `hset orders ${field} 1`,
      'pexpire orders 2400',
    );
    const sha = '6a3d31570dc6f4b0bd32bcdc8e75667747c6f635';
    const unloaded = { by: 'a:1', words: ['EVALSHA', sha, '1', 'orders', '2400', field] };
    const events = eventsFromScripts([taken, unloaded, unloaded], 10);
    expect(events.slice(1)).toMatchObject([{ type: 'renewal.not-run', holder, mode: 'write' }]);
  });
});
