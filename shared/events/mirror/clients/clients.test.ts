import { describe, expect, test } from 'vitest';
import { redisTime } from '../../../base/time.ts';
import { Clients } from './clients.ts';

test('with too many clients, the newest and the connected ones are kept', () => {
  const clients = new Clients();
  const uuid = (n: number) => `${String(n).padStart(8, '0')}-5c12-4b4c-9d1a-2b1a5e1e7f11`;
  clients.learn('10.0.0.1:1', uuid(0), redisTime(1));
  for (let n = 1; n < 60_000; n++) clients.learn('10.0.0.2:2', uuid(n), redisTime(n)); // the same port again and again
  const known = clients.all().map((client) => client.uuid);
  expect(known.length).toBeLessThanOrEqual(50_000);
  expect([known.includes(uuid(0)), known.includes(uuid(1)), known.includes(uuid(59_999))]).toEqual([true, false, true]);
  expect(clients.uuidAt('10.0.0.1:1')).toBe(uuid(0));
});

test('a list that was made just before a connection gave itself a name does not erase the name', () => {
  const clients = new Clients();
  const rows = [{ address: '10.0.0.1:1', name: '', library: '', ageSeconds: 0, idleSeconds: 0 }];
  clients.connections.name('10.0.0.1:1', 'billing', redisTime(5_000_000), redisTime(5_000_000));
  clients.gone(rows, redisTime(5_100_000));
  expect(clients.connections.nameAt('10.0.0.1:1')).toBe('billing');
  clients.gone(rows, redisTime(9_000_000));
  expect(clients.connections.nameAt('10.0.0.1:1')).toBeUndefined();
});

test('[T5] connections of one host may belong to one pool if one of them has no known name', () => {
  const clients = new Clients();
  const row = (address: string, name: string) => ({ address, name, library: '', ageSeconds: 9, idleSeconds: 0 });
  clients.connections.name('10.0.0.1:1', 'billing', redisTime(1));
  expect(clients.connections.mayBeOfOnePool('10.0.0.1:1', '10.0.0.1:2')).toBe(true);
  expect(clients.connections.mayBeOfOnePool('10.0.0.1:1', '10.0.0.2:2')).toBe(false);
  clients.gone(
    [row('10.0.0.1:1', 'billing'), row('10.0.0.1:2', ''), row('10.0.0.1:3', 'billing')],
    redisTime(5_000_000),
  );
  expect(clients.connections.mayBeOfOnePool('10.0.0.1:1', '10.0.0.1:2')).toBe(false);
  expect(clients.connections.mayBeOfOnePool('10.0.0.1:1', '10.0.0.1:3')).toBe(true);
});

describe('a connection used by several clients', () => {
  const [a, b] = ['a', 'b'].map((letter) => `${letter.repeat(8)}-5c12-4b4c-9d1a-2b1a5e1e7f11`) as [string, string];

  test('[O4] a connection used by several clients in turn belongs to a proxy, so no client is reported as gone', () => {
    const clients = new Clients();
    for (const [n, uuid] of [a, b, a].entries()) clients.learn('10.0.0.1:1', uuid, redisTime(n));
    expect(clients.uuidAt('10.0.0.1:1')).toBeUndefined();
    clients.gone([], redisTime(60_000_000));
    expect([clients.isGone(a), clients.isGone(b)]).toEqual([false, false]);
  });

  test('[O4] a client that once used the connection of a proxy is not gone when its other connections end', () => {
    const clients = new Clients();
    const learn = (n: number, port: number, uuid: string) => clients.learn(`10.0.0.1:${port}`, uuid, redisTime(n));
    for (const [n, uuid] of [a, b, a].entries()) learn(n, 1, uuid);
    learn(4, 2, a);
    learn(5, 3, b);
    clients.gone([], redisTime(60_000_000));
    expect([clients.isGone(a), clients.isGone(b)]).toEqual([false, false]);
  });

  test('[O5] a client that was gone is alive once it uses the connection of a proxy again', () => {
    const clients = new Clients();
    const back: string[] = [];
    clients.onBack = ({ uuid }) => void back.push(uuid);
    for (const [n, uuid] of [a, b, a].entries()) clients.learn('10.0.0.1:1', uuid, redisTime(n));
    const reported = { presence: 'gone', since: redisTime(3), name: null, seq: 1 } as const;
    for (const client of clients.known()) client.reported = reported;
    clients.learn('10.0.0.1:1', b, redisTime(5));
    expect(back).toEqual([b]);
  });

  test('[O4] a connection on a port that may be reused belongs to the new client; neither is gone when it ends', () => {
    const clients = new Clients();
    clients.learn('10.0.0.1:1', a, redisTime(1));
    clients.learn('10.0.0.1:1', b, redisTime(2));
    expect([clients.uuidAt('10.0.0.1:1'), clients.isGone(a)]).toEqual([b, false]);
    clients.gone([], redisTime(60_000_000));
    expect([clients.isGone(a), clients.isGone(b)]).toEqual([false, false]);
  });

  const s = (seconds: number) => redisTime(seconds * 1_000_000);
  const row = (port: number, ageSeconds: number) => {
    return { address: `10.0.0.1:${port}`, name: '', library: '', ageSeconds, idleSeconds: 0 };
  };
  /** Each client changes to the other's connection: p1 carries A, then B, and p2 carries B, then A. */
  const withSwappedConnections = () => {
    const clients = new Clients();
    clients.learn('10.0.0.1:1', a, s(100));
    clients.learn('10.0.0.1:2', b, s(110));
    clients.learn('10.0.0.1:1', b, s(120));
    clients.learn('10.0.0.1:2', a, s(130));
    return clients;
  };

  test('[O4] two clients that swap connections are not gone when the connections end, whether or not a list showed their ages', () => {
    for (const shown of [true, false]) {
      const clients = withSwappedConnections();
      if (shown) clients.gone([row(1, 90), row(2, 90)], s(135));
      clients.gone([row(2, 95)], s(140)); // p1 ends
      expect([clients.isGone(a), clients.isGone(b)]).toEqual([false, false]);
      clients.gone([], s(145));
      expect([clients.isGone(a), clients.isGone(b)]).toEqual([false, false]);
    }
  });

  test('[O3] [O4] a client on a port that is shown to be reused is gone when its own connections end', () => {
    const clients = new Clients();
    clients.learn('10.0.0.1:1', a, s(100));
    clients.learn('10.0.0.1:2', a, s(100));
    clients.learn('10.0.0.1:1', b, s(120));
    clients.gone([row(1, 0), row(2, 60)], s(120.5)); // B was heard 0.5 s before: the list may be older
    expect(clients.uuidAt('10.0.0.1:1')).toBe(b);
    clients.gone([row(1, 10)], s(125)); // began at 115
    expect([clients.isGone(a), clients.isGone(b)]).toEqual([true, false]);
    clients.gone([], s(130));
    expect(clients.isGone(b)).toBe(true);
  });

  test('[O4] a connection may be that of a proxy if its age, in whole seconds, may reach back to its first client', () => {
    const clients = new Clients();
    clients.learn('10.0.0.1:1', a, s(100));
    clients.learn('10.0.0.1:1', b, s(120));
    clients.gone([row(1, 20)], s(122)); // p1 began between 100 and 102
    expect(clients.uuidAt('10.0.0.1:1')).toBeUndefined();
    clients.gone([], s(130));
    expect([clients.isGone(a), clients.isGone(b)]).toEqual([false, false]);
  });
});
