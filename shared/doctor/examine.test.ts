import { describe, expect, test } from 'vitest';
import { samplesOfShape } from '../../testing/stories/problem-samples.ts';
import { clockBounds } from './checks/clock.ts';
import { ENGLISH, textOf } from './english.ts';
import { findingsFrom } from './examine.ts';
import type { Finding } from './finding.ts';
import { FINDING_STATES } from './finding.ts';
import { FINDING_VALUES, type FindingCode, type Matter } from './finding-values.ts';
import type { Readings, Refused, Setting } from './readings.ts';

const INFO = {
  maxmemory: '0',
  maxmemory_policy: 'noeviction',
  used_memory: '50',
  evicted_keys: '0',
  aof_enabled: '0',
  aof_last_write_status: 'ok',
  rdb_last_bgsave_status: 'ok',
  connected_slaves: '0',
  connected_clients: '10',
  maxclients: '100',
};
const CONFIG: Partial<Record<Setting, string>> = {
  'notify-keyspace-events': 'Eghxe',
  'client-output-buffer-limit': 'normal 0 0 0 slave 268435456 67108864 60 pubsub 33554432 8388608 60',
  save: '3600 1',
  appendonly: 'no',
  appendfsync: 'everysec',
  'min-replicas-to-write': '0',
  timeout: '0',
  'tcp-keepalive': '300',
  'busy-reply-threshold': '5000',
};
const MB = 1024 * 1024;

type Change = {
  readonly info?: Record<string, string>;
  readonly config?: Partial<Record<Setting, string>>;
  readonly limit?: number | null;
  readonly with?: Partial<Readings>;
};

function readingsOf({ info = {}, config = {}, with: more = {} }: Change): Readings {
  return {
    ...{ server: 'redis', version: '7.4.1', role: 'master', user: 'watcher', canTrack: true },
    info: { value: new Map(Object.entries({ ...INFO, ...info })) },
    config: { value: new Map(Object.entries({ ...CONFIG, ...config }) as [Setting, string][]) },
    clock: { value: { lowMs: -0.5, highMs: 0.5 } },
    clients: { value: { connections: 9, named: 2, libraries: [{ library: 'redis-py 5.0.1', connections: 3 }] } },
    monitor: { value: true },
    mayWrite: { value: false },
    ...more,
  };
}

function findings(change: Change = {}): Finding[] {
  return findingsFrom(readingsOf(change), change.limit === undefined ? 32 * MB : change.limit);
}

function about(id: Matter, change: Change = {}): Finding | undefined {
  return findings(change).find((each) => each.id === id);
}

const refused = (why: Refused['why'], command: string): { refused: Refused } => ({
  refused: { why, command, quote: `no ${command}` },
});

const SLAVE = 'ip=10.0.0.2,port=6379,state=online,offset=5,lag=';
const FULL = { maxmemory: '50', maxmemory_policy: 'noeviction' };

const CASES: readonly [Matter, FindingCode, Finding['state'], Change, string?][] = [
  ['eviction', 'evicts-nothing', 'good', { info: { maxmemory_policy: 'allkeys-lru' } }],
  ['eviction', 'evicts-nothing', 'good', { info: { maxmemory: '100' } }],
  [
    'eviction',
    'evicts',
    'danger',
    { info: { maxmemory: '100', maxmemory_policy: 'allkeys-lfu' } },
    'CONFIG SET maxmemory-policy noeviction',
  ],
  ['eviction', 'evicts', 'danger', { info: { maxmemory: '100', maxmemory_policy: 'volatile-ttl' } }],
  ['eviction', 'evicts', 'danger', { info: { maxmemory: '100', maxmemory_policy: 'allkeys-lrm' } }],
  ['eviction', 'evicts', 'danger', { info: { maxmemory: '100', maxmemory_policy: 'volatile-lrm' } }],
  ['eviction', 'unread', 'unknown', { info: { maxmemory: '100', maxmemory_policy: 'new-policy' } }],
  ['memory', 'memory-left', 'good', { info: { maxmemory: '100' } }],
  ['memory', 'memory-nearly-full', 'warning', { info: { ...FULL, maxmemory: '55' } }],
  ['memory', 'memory-nearly-full', 'danger', { info: FULL }],
  ['persistence', 'nothing-saved', 'danger', { config: { save: '' } }, 'CONFIG SET appendonly yes'],
  ['persistence', 'snapshots-only', 'warning', {}, 'CONFIG SET appendonly yes'],
  ['persistence', 'aof-always', 'good', { info: { aof_enabled: '1' }, config: { appendfsync: 'always' } }],
  ['persistence', 'aof-every-second', 'info', { info: { aof_enabled: '1' } }, 'CONFIG SET appendfsync always'],
  ['persistence', 'aof-by-system', 'warning', { info: { aof_enabled: '1' }, config: { appendfsync: 'no' } }],
  [
    'persistence',
    'aof-unknown-sync',
    'unknown',
    { info: { aof_enabled: '1' }, with: { config: refused('no-permission', 'CONFIG GET') } },
    'ACL SETUSER watcher +config|get',
  ],
  ['persistence', 'unread', 'unknown', { with: { config: refused('no-command', 'CONFIG GET') } }],
  ['saving', 'saves-work', 'good', {}],
  ['saving', 'save-failed', 'danger', { info: { rdb_last_bgsave_status: 'err' } }],
  ['saving', 'save-failed', 'danger', { info: { aof_enabled: '1', aof_last_write_status: 'err' } }],
  ['role', 'is-master', 'good', {}],
  ['role', 'is-replica', 'warning', { with: { role: 'replica' } }],
  ['replication', 'no-replica', 'info', {}],
  [
    'replication',
    'replicas-unconfirmed',
    'warning',
    { info: { connected_slaves: '1', slave0: `${SLAVE}0` } },
    'CONFIG SET min-replicas-to-write 1',
  ],
  ['replication', 'replica-late', 'warning', { info: { connected_slaves: '1', slave0: `${SLAVE}11` } }],
  [
    'replication',
    'replica-late',
    'warning',
    { info: { connected_slaves: '1', slave0: `${SLAVE}0`.replace('online', 'wait_bgsave') } },
  ],
  [
    'replication',
    'replicas-required',
    'info',
    { info: { connected_slaves: '2', min_slaves_good_slaves: '2' }, config: { 'min-replicas-to-write': '1' } },
  ],
  [
    'replication',
    'replicas-missing',
    'danger',
    { info: { min_slaves_good_slaves: '0' }, config: { 'min-replicas-to-write': '1' } },
    'CONFIG SET min-replicas-to-write 0',
  ],
  ['replication', 'replica-connected', 'info', { with: { role: 'replica' }, info: { master_link_status: 'up' } }],
  ['replication', 'replica-cut-off', 'danger', { with: { role: 'replica' }, info: { master_link_status: 'down' } }],
  ['clock', 'clock-close', 'good', {}],
  ['clock', 'clock-apart', 'warning', { with: { clock: { value: { lowMs: 1200, highMs: 1201 } } } }],
  ['clock', 'clock-apart', 'warning', { with: { clock: { value: { lowMs: -5001, highMs: -5000 } } } }],
  ['clock', 'clock-unclear', 'unknown', { with: { clock: { value: { lowMs: -100, highMs: 1100 } } } }],
  ['clock', 'unread', 'unknown', { with: { clock: refused('no-permission', 'TIME') } }, 'ACL SETUSER watcher +time'],
  ['output-limit', 'output-limited', 'good', {}],
  [
    'output-limit',
    'output-unlimited',
    'warning',
    { limit: 0 },
    'CONFIG SET client-output-buffer-limit "pubsub 32mb 8mb 60"',
  ],
  ['output-limit', 'output-limit-small', 'warning', { limit: 10_000 }],
  [
    'output-limit',
    'unread',
    'unknown',
    { limit: null, with: { config: refused('no-permission', 'CONFIG GET') } },
    'ACL SETUSER watcher +config|get',
  ],
  ['idle-connections', 'idle-kept', 'good', {}],
  ['idle-connections', 'idle-closed', 'warning', { config: { timeout: '30' } }, 'CONFIG SET timeout 0'],
  ['idle-connections', 'idle-closed', 'info', { config: { timeout: '31' } }],
  ['idle-connections', 'no-keepalive', 'warning', { config: { 'tcp-keepalive': '0' } }, 'CONFIG SET tcp-keepalive 300'],
  ['max-clients', 'connections-left', 'good', {}],
  [
    'max-clients',
    'connections-nearly-full',
    'warning',
    { info: { connected_clients: '90' } },
    'CONFIG SET maxclients 200',
  ],
  ['scripts', 'script-limit', 'good', {}],
  [
    'scripts',
    'no-script-limit',
    'warning',
    { config: { 'busy-reply-threshold': '0' } },
    'CONFIG SET busy-reply-threshold 5000',
  ],
  ['key-events', 'key-events', 'good', {}],
  ['key-events', 'key-events', 'good', { config: { 'notify-keyspace-events': 'ghxeEoc' } }],
  ['key-events', 'key-events-tracked', 'info', { config: { 'notify-keyspace-events': 'ghxeSTIV' } }],
  [
    'key-events',
    'key-events-tracked',
    'info',
    { config: { 'notify-keyspace-events': '' }, with: { version: '8.2.0' } },
    'CONFIG SET notify-keyspace-events Eghxec',
  ],
  [
    'key-events',
    'key-events-tracked',
    'info',
    { config: { 'notify-keyspace-events': '' }, with: { server: 'valkey', version: '9.1.2' } },
    'CONFIG SET notify-keyspace-events Eghxe',
  ],
  [
    'key-events',
    'key-events-without-fields',
    'info',
    { config: { 'notify-keyspace-events': 'Eghxec' }, with: { version: '8.8.0' } },
    'CONFIG SET notify-keyspace-events EghxecT',
  ],
  [
    'key-events',
    'key-events-with-fields',
    'good',
    { config: { 'notify-keyspace-events': 'AES' }, with: { version: '8.8.0' } },
  ],
  [
    'key-events',
    'key-events-twice',
    'info',
    { config: { 'notify-keyspace-events': 'KEAT' }, with: { version: '8.8.0' } },
    'CONFIG SET notify-keyspace-events EghxecT',
  ],
  ['key-events', 'key-events', 'good', { with: { version: '8.8.0' }, info: { redis_mode: 'cluster' } }],
  ['key-events', 'key-events', 'good', { with: { version: '8.8.0', role: 'replica' } }],
  ['key-events', 'key-events', 'good', { with: { version: '8.6.3' } }],
  ['key-events', 'key-events', 'good', { with: { server: 'valkey', version: '9.1.2' } }],
  [
    'key-events',
    'key-events-twice',
    'info',
    { config: { 'notify-keyspace-events': 'AKE' } },
    'CONFIG SET notify-keyspace-events Eghxe',
  ],
  [
    'key-events',
    'key-events-tracked',
    'info',
    { config: { 'notify-keyspace-events': '' } },
    'CONFIG SET notify-keyspace-events Eghxe',
  ],
  [
    'key-events',
    'key-events-missing',
    'warning',
    { config: { 'notify-keyspace-events': 'Ex' }, with: { canTrack: false } },
  ],
  ['key-events', 'unread', 'unknown', { with: { config: refused('other', 'CONFIG GET') } }],
  ['monitor', 'monitor-allowed', 'good', {}],
  ['monitor', 'monitor-on-replica', 'info', { with: { role: 'replica', monitor: refused('other', 'MONITOR') } }],
  [
    'monitor',
    'monitor-missing',
    'info',
    { with: { monitor: refused('no-permission', 'MONITOR') } },
    'ACL SETUSER watcher +monitor',
  ],
  ['rights', 'reads-only', 'good', {}],
  [
    'rights',
    'may-write',
    'info',
    { with: { mayWrite: { value: true } } },
    'ACL SETUSER lockscope &* +psubscribe +subscribe +config|get',
  ],
  ['rights', 'unread', 'unknown', { with: { mayWrite: refused('no-command', 'ACL DRYRUN') } }],
  ['clients', 'clients-seen', 'info', {}],
  ['clients', 'clients-too-many', 'unknown', { with: { clients: { value: { tooMany: 3000, most: 2000 } } } }],
  [
    'clients',
    'unread',
    'unknown',
    { with: { clients: refused('no-permission', 'CLIENT LIST') } },
    'ACL SETUSER watcher +client|list',
  ],
  ['version', 'version', 'good', {}],
];

test.each(CASES)('the check "%s" reports the finding "%s" as %s', (id, code, state, change, line) => {
  const found = about(id, change);
  expect(found).toMatchObject({ code, state });
  if (line !== undefined) expect(found?.fix).toContain(line);
});

test.each([
  ['redis', '8.12.0', true],
  ['redis', '9.0.0', true],
  ['redis', '8.10.2', false],
  ['valkey', '9.1.2', false],
])('on %s %s, the advice to protect a key from eviction is given: %s', (server, version, isAdvised) => {
  const change = { info: { maxmemory: '100', maxmemory_policy: 'allkeys-lru' }, with: { server, version } };
  const found = about('eviction', change);
  expect(found && textOf(found, ENGLISH).advice.includes('BLESS SET')).toBe(isAdvised);
});

test('every finding code is covered by a case of this file', () => {
  const reached = new Set(CASES.map(([, code]) => code));
  expect(Object.keys(FINDING_VALUES).filter((code) => !reached.has(code as FindingCode))).toEqual([]);
});

test('the worst findings come first', () => {
  const states = findings({
    info: { ...FULL, maxmemory_policy: 'allkeys-lru' },
    with: { clock: refused('other', 'TIME') },
  }).map(({ state }) => FINDING_STATES.indexOf(state));
  expect(states).toEqual([...states].sort((a, b) => a - b));
  expect(states[0]).toBe(0);
});

test('on a replica, eviction, memory, persistence and saving are not examined', () => {
  const change = { config: { save: '' }, info: { maxmemory: '100', maxmemory_policy: 'allkeys-lru' } };
  const ids = findings({ ...change, with: { role: 'replica' } }).map(({ id }) => id);
  expect(ids).toContain('role');
  for (const id of ['eviction', 'memory', 'persistence', 'saving']) expect(ids).not.toContain(id);
});

describe('a value that was not read', () => {
  const nothing: Partial<Readings> = {
    info: refused('no-permission', 'INFO'),
    config: refused('no-permission', 'CONFIG GET'),
    clock: refused('no-permission', 'TIME'),
    clients: refused('no-permission', 'INFO'),
    monitor: refused('no-permission', 'MONITOR'),
    mayWrite: refused('no-permission', 'ACL DRYRUN'),
  };

  test('a value that was not read is never reported as good, and its fix is the ACL line that permits the read', () => {
    const all = findings({ limit: null, with: nothing });
    expect(all.filter(({ state }) => state === 'good').map(({ id }) => id)).toEqual(['role', 'version']);
    const unknown = all.filter(({ state }) => state === 'unknown');
    expect(unknown.length).toBeGreaterThan(8);
    for (const { fix } of unknown) expect(fix.join()).toMatch(/^ACL SETUSER watcher \+[a-z|]+$/);
  });

  test('a value has no ACL line as its fix if the server does not have the command that reads it', () => {
    const missing = { info: refused('no-command', 'INFO'), config: refused('no-command', 'CONFIG GET') };
    const unknown = findings({ limit: null, with: missing }).filter(({ state }) => state === 'unknown');
    expect(unknown.length).toBeGreaterThan(0);
    expect(unknown.flatMap(({ fix }) => fix)).toEqual([]);
  });

  test('a value is read from CONFIG if INFO is refused', () => {
    const config = { maxmemory: '0', 'maxmemory-policy': 'allkeys-lru', appendonly: 'yes', appendfsync: 'always' };
    const change = { config, with: { info: nothing.info! } };
    expect(about('eviction', change)?.code).toBe('evicts-nothing');
    expect(about('persistence', change)?.code).toBe('aof-always');
  });
});

test('if CONFIG is unavailable, the advice has lines for the configuration file', () => {
  const change = {
    info: { maxmemory: '100', maxmemory_policy: 'volatile-lru' },
    with: { config: refused('no-command', 'CONFIG GET') },
  };
  expect(about('eviction', change)?.fix).toEqual(['maxmemory-policy noeviction']);
});

test('the bounds of a clock difference are what two round trips have in common or, if a clock was set, contain both', () => {
  const samples = [
    { sentMs: 1000, answeredMs: 1100, redisMs: 1050 },
    { sentMs: 2000, answeredMs: 2002, redisMs: 2001.5 },
  ];
  expect(clockBounds(samples)).toEqual({ lowMs: -0.5, highMs: 1.5 });
  const jumped = [samples[0]!, { sentMs: 3000, answeredMs: 3001, redisMs: 9000 }];
  expect(clockBounds(jumped)).toEqual({ lowMs: -50, highMs: 6000 });
});

const TEXTS = (Object.keys(FINDING_VALUES) as FindingCode[]).flatMap((code) =>
  samplesOfShape(FINDING_VALUES[code].shape).map((values) => [code, values] as const),
);

test.each(TEXTS)(
  'the title, reason and advice of %s with %j have no missing value and are punctuated as sentences',
  (code, values) => {
    const { title, why, advice } = textOf({ id: 'clock', code, values } as Finding, ENGLISH); // the values are samples from the schema of this code
    for (const text of [title, why, advice]) expect(text).not.toMatch(/undefined|NaN|null|\[object/);
    expect(title).toMatch(/^[A-Z0-9a-z].{5,}[^.]$/);
    expect(why).toMatch(/^[A-Z0-9m].{10,}\.$/); // settings begin with a small letter
    expect(advice).toMatch(/^(?:[A-Z].*[.:])?$/);
  },
);
