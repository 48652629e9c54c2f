import { expect, test } from 'vitest';
import { parseConfig } from '../config.ts';

const configOf = (args: string, env: NodeJS.ProcessEnv = {}) => parseConfig(args.split(' '), env);

/** Why a command line is refused; empty: it is not. */
function refusalOf(args: string): string {
  const config = configOf(args);
  return config.ok ? '' : config.error.message;
}

test.each([
  ['observe redis://h', '"lockscope observe" needs a bus: --bus redis://HOST, or LOCKSCOPE_BUS.'],
  ['view', '"lockscope view" needs a bus: --bus redis://HOST, or LOCKSCOPE_BUS.'],
  ['store --store a.store', '"lockscope store" needs a bus: --bus redis://HOST, or LOCKSCOPE_BUS.'],
  [
    'store --bus redis://b',
    '"lockscope store" needs a store: --store FILE or --store postgres://HOST/DATABASE, or LOCKSCOPE_STORE.',
  ],
  ['observe redis://h redis://i --bus redis://b', 'Start one observer for each server.'],
  ['observe redis://h --bus redis://b --port 1', 'Leave out --port.'],
  ['observe redis://h --bus redis://b --as a/b', '--as takes 1 to 100 letters'],
  ['view redis://h --bus redis://b', 'Name the bus with --bus.'],
  ['view --bus redis://b --allow-release', '"lockscope view" cannot release locks.'],
  ['view --bus redis://b --match a*', '"lockscope view" does not watch. Leave out --match.'],
  ['store --bus redis://b --store a --record b', '"lockscope store" cannot record. Leave out --record.'],
  ['open a.lockscope --match a*', '"lockscope open" does not watch. Leave out --match.'],
  ['open a.lockscope --allow-release', '"lockscope open" cannot release locks. Leave out --allow-release.'],
  ['doctor --observe monitor', '"lockscope doctor" does not watch. Leave out --observe.'],
  ['check --allow-release', '"lockscope check" cannot release locks.'],
  ['redis://h --bus redis://b', '--bus works only with "lockscope observe", "view" and "store".'],
  ['demo --fleet redis://h', 'For servers of your own: "lockscope observe URL --bus BUS".'],
  ['demo --fleet --record a.lockscope', 'is a viewer of private servers. Leave out --record, or leave out --fleet.'],
  ['demo --fleet --redis redis://h', 'Leave out --redis, or leave out --fleet.'],
  ['demo --fleet --observe events', 'Leave out --observe, or leave out --fleet.'],
  ['demo --fleet --webhook http://h', 'Leave out --webhook, or leave out --fleet.'],
  ['demo --fleet --store a.store', '--store works only with "lockscope REDIS_URL", "view" and "store".'],
  ['demo --fleet --bus redis://b', '--bus works only with "lockscope observe", "view" and "store".'],
  ['demo --fleet --host 0.0.0.0', 'it needs a token.'],
  ['view --fleet --bus redis://b', '--fleet works only with "lockscope demo".'],
])('"lockscope %s" is refused', (args, why) => {
  expect(refusalOf(args)).toContain(why);
});

test('a refusal does not contain the password of the bus', () => {
  expect(refusalOf('observe redis://h --bus redis://:hunter2@b:0')).not.toContain('hunter2');
  expect(refusalOf('observe redis://h --bus redis+cluster://:hunter2@b')).not.toContain('hunter2');
});

test('the environment can name the bus too, and a source is named after its server unless --as names it', () => {
  const env = { LOCKSCOPE_BUS: 'redis://bus' };
  expect(configOf('observe redis://h:7000', env)).toMatchObject({ value: { name: 'h-7000', bus: { host: 'bus' } } });
  expect(configOf('observe redis://h --as shop', env)).toMatchObject({ value: { name: 'shop' } });
  expect(configOf('view --store a.store', env)).toMatchObject({
    value: { command: 'view', store: { path: 'a.store' } },
  });
});

test('the demo of a fleet is a viewer that starts its own bus, and ignores a bus in the environment', () => {
  const env = { LOCKSCOPE_BUS: 'redis://bus', LOCKSCOPE_STORE: 'a.store', REDIS_URL: 'redis://production' };
  const config = configOf('demo --fleet --port 0 --host 127.0.0.2 --no-open --json --token t0k', env);
  const page = { host: '127.0.0.2', port: 0, token: 't0k', open: false, json: true };
  expect(config).toMatchObject({ value: { command: 'view', isFleetDemo: true, redisUrls: [], ...page } });
  expect(config).not.toHaveProperty('value.bus');
  expect(config).not.toHaveProperty('value.store');
});
