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
  ['redis://h --bus redis://b', '--bus works only with "lockscope observe", "view" and "store".'],
])('"lockscope %s" is refused', (args, why) => {
  expect(refusalOf(args)).toContain(why);
});

test('a refusal never has the password of the bus', () => {
  expect(refusalOf('observe redis://h --bus redis://:hunter2@b:0')).not.toContain('hunter2');
  expect(refusalOf('observe redis://h --bus redis+cluster://:hunter2@b')).not.toContain('hunter2');
});

test('the environment names a bus too, and a source is named by its server unless --as names it', () => {
  const env = { LOCKSCOPE_BUS: 'redis://bus' };
  expect(configOf('observe redis://h:7000', env)).toMatchObject({ value: { name: 'h-7000', bus: { host: 'bus' } } });
  expect(configOf('observe redis://h --as shop', env)).toMatchObject({ value: { name: 'shop' } });
  expect(configOf('view --store a.store', env)).toMatchObject({
    value: { command: 'view', store: { path: 'a.store' } },
  });
});
