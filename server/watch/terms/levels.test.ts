import { describe, expect, test } from 'vitest';
import { OBSERVE_LEVELS } from '../../../shared/base/observe-level.ts';
import type { Capabilities } from '../../redis/connection/capabilities.ts';
import { blindnessOf, patternsFor } from './levels.ts';

test('while the settings of a server may not be read, it is not known whether it sends key events', () => {
  const texts = (level: 'monitor' | 'events', keyEvents: 'off' | 'tracking') =>
    blindnessOf(level, keyEvents, { areSettingsKnown: false }).map(({ message }) => message);
  expect(texts('monitor', 'off').join()).toContain('it is not known whether Redis sends key events for them.');
  expect(texts('events', 'tracking').join()).toContain('it is not known whether Redis sends key events');
  expect(texts('events', 'off').join()).toContain('if Redis sends no key events, which is not known');
  for (const each of [texts('monitor', 'off'), texts('events', 'tracking')])
    expect(each.join()).not.toContain('sends no');
});

test('nothing is reported about the key events of a server that has not answered', () => {
  const codes = (...of: Parameters<typeof blindnessOf>) => blindnessOf(...of).map(({ code }) => code);
  expect(codes('monitor', 'off')).toEqual(['unseen-expiries']);
  expect(codes('monitor', undefined)).toEqual([]);
  const ofEvents = ['unseen-attempts', 'unseen-senders', 'unseen-double-changes', 'unseen-other-forms'];
  expect(codes('events', 'off')).toEqual([...ofEvents, 'unseen-changes']);
  expect(codes('events', undefined)).toEqual(ofEvents);
  for (const level of OBSERVE_LEVELS)
    expect(blindnessOf(level, undefined).every(({ message }) => !message.includes('key events'))).toBe(true);
});

describe('field notifications are subscribed to', () => {
  const server: Capabilities = {
    ...{
      server: 'redis',
      version: '8.8.0',
      role: 'master',
      isCluster: false,
      isSharded: false,
      notifications: 'EghxecT',
    },
    ...{ canMonitor: true, canTrack: true, canListClients: true, canCountListeners: true, outputLimitBytes: 0 },
    user: 'default',
  };
  const fieldsOf = (of: Partial<Capabilities>, globs: readonly string[] = [], level: 'events' | 'monitor' = 'events') =>
    patternsFor(level, { ...server, ...of }, globs).filter((pattern) => pattern.startsWith('__subkey'));
  const BY_EVENT = ['hset', 'hincrby', 'hdel'].map((event) => `__subkeyevent@*__:${event}`);

  test('by event (T), or by key (S), which is narrower with --match', () => {
    expect(fieldsOf({})).toEqual(BY_EVENT);
    expect(fieldsOf({ notifications: 'KEAT' })).toEqual(BY_EVENT);
    expect(fieldsOf({ notifications: 'KghxS' })).toEqual(['__subkeyspace@*__:*']);
    expect(fieldsOf({ notifications: 'EghxST' })).toEqual(BY_EVENT);
    expect(fieldsOf({ notifications: 'EghxST' }, ['orders:*'])).toEqual(['__subkeyspace@*__:orders:*']);
    expect(fieldsOf({ notifications: 'EghxT' }, ['orders:*'])).toEqual(BY_EVENT);
  });

  test('if the setting may not be read, because nothing arrives if they are off', () => {
    expect(fieldsOf({ notifications: null })).toEqual(BY_EVENT);
  });

  test('in none of these cases: other flags, Redis 8.6, Valkey, a replica, a cluster, level monitor', () => {
    const others: readonly Partial<Capabilities>[] = [
      ...['Eghxec', 'ghxeT', 'ExT', 'EghxIV', ''].map((notifications) => ({ notifications })),
      ...[{ version: '8.6.3' }, { server: 'valkey', version: '9.1.2' }, { version: '8.6.3', notifications: null }],
      ...[{ role: 'replica' as const }, { isCluster: true, isSharded: true }],
    ];
    for (const of of others) expect(fieldsOf(of)).toEqual([]);
    expect(fieldsOf({}, [], 'monitor')).toEqual([]);
  });
});
