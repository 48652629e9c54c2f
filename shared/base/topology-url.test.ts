import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nodeOf, parseWatchUrl, serverLike, type WatchUrl } from './topology-url.ts';

function parsed(text: string): WatchUrl {
  const result = parseWatchUrl(text);
  if (!result.ok) throw new Error(result.error);
  return result.value;
}

function refusal(text: string): string {
  const result = parseWatchUrl(text);
  if (result.ok) throw new Error(`read as ${result.value.displayUrl}`);
  return result.error;
}

describe('parseWatchUrl', () => {
  test('reads the URL of one server', () => {
    expect(parsed('redis://cache:7000/2')).toMatchObject({
      kind: 'single',
      displayUrl: 'redis://cache:7000/2',
      server: { host: 'cache', port: 7000, db: 2 },
    });
  });

  test('in a URL of Sentinels, hosts have a default port, the master has a name, and all share one login', () => {
    const url = parsed('redis+sentinel://ann:s%40cr@s1,s2:5000,[::1]/my%20master/3');
    expect(url).toMatchObject({ kind: 'sentinel', master: 'my master', db: 3 });
    const seeds = url.kind === 'sentinel' ? url.seeds : [];
    expect(seeds.map(nodeOf)).toEqual(['s1:26379', 's2:5000', '[::1]:26379']);
    expect(seeds.every(({ username, password }) => username === 'ann' && password === 's@cr')).toBe(true);
    expect(url.displayUrl).toBe('redis+sentinel://s1:26379,s2:5000,[::1]:26379/my%20master/3');
    expect(parsed('redis+sentinel://s1/m?db=2')).toMatchObject({ db: 2 });
  });

  test('a URL of a cluster names some of its servers as seeds, with one login and TLS for all', () => {
    const url = parsed('REDISS+CLUSTER://:pw@a,b:7001');
    expect(url.displayUrl).toBe('rediss+cluster://a:6379,b:7001');
    expect(url.kind === 'cluster' && url.seeds.map(({ tls, password }) => [tls, password])).toEqual([
      [true, 'pw'],
      [true, 'pw'],
    ]);
  });

  test('servers that Sentinels or cluster nodes report are reached with the login and TLS of the URL', () => {
    const url = parsed('rediss+cluster://ann:pw@a');
    const seed = url.kind === 'cluster' ? url.seeds[0] : undefined;
    if (!seed) throw new Error('no seed');
    expect(serverLike(seed, '10.0.0.2', 7002)).toMatchObject({
      host: '10.0.0.2',
      port: 7002,
      tls: true,
      password: 'pw',
      displayUrl: 'rediss://10.0.0.2:7002',
    });
    expect(nodeOf(serverLike(seed, 'fe80::1', 7002))).toBe('[fe80::1]:7002');
  });

  test.each([
    ['redis+sentinel://a,b', 'names no master'],
    ['redis+sentinel://a,b/', 'names no master'],
    ['redis+sentinel://a,b/m/x', 'database number'],
    ['redis+sentinel://a,b/m/1/2', 'database number'],
    ['redis+sentinel:///m', 'host'],
    ['redis+sentinel://a,,b/m', 'host'],
    ['redis+cluster://', 'host'],
    ['redis+cluster://a:70000', 'host'],
    ['redis+cluster://a b', 'host'],
    ['redis+cluster://a/1', 'only one database'],
    ['redis+cluster://a?db=1', 'only one database'],
  ])('refuses %j, and the error gives the reason', (text, why) => {
    expect(refusal(text)).toContain(why);
    expect(refusal(text)).not.toContain('\n');
  });

  test('neither the shown URL nor an error contains the password', () => {
    fc.assert(
      fc.property(fc.constantFrom('a,b/m', 'a/m', '', 'a b', ',', 'a:0', 'a/m/x/y'), (rest) => {
        for (const kind of ['sentinel', 'cluster']) {
          const result = parseWatchUrl(`redis+${kind}://u:hunter2@${rest}`);
          expect(result.ok ? result.value.displayUrl : result.error).not.toContain('hunter2');
        }
      }),
    );
  });
});
