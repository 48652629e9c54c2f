import { expect, test } from 'vitest';
import { OBSERVE_LEVELS } from '../../../shared/base/observe-level.ts';
import { blindnessOf } from './levels.ts';

test('while the settings of a server may not be read, it is not known whether it sends key events', () => {
  const texts = (level: 'monitor' | 'events', keyEvents: 'off' | 'tracking') =>
    blindnessOf(level, keyEvents, { areSettingsKnown: false }).map(({ message }) => message);
  expect(texts('monitor', 'off').join()).toContain('it is not known whether Redis sends key events for them.');
  expect(texts('events', 'tracking').join()).toContain('it is not known whether Redis sends key events');
  for (const each of [texts('monitor', 'off'), texts('events', 'tracking')])
    expect(each.join()).not.toContain('sends no');
});

test('nothing is claimed of the key events of a server that has not answered', () => {
  const codes = (...of: Parameters<typeof blindnessOf>) => blindnessOf(...of).map(({ code }) => code);
  expect(codes('monitor', 'off')).toEqual(['unseen-expiries']);
  expect(codes('monitor', undefined)).toEqual([]);
  const ofEvents = ['unseen-attempts', 'unseen-senders', 'unseen-double-changes', 'unseen-other-forms'];
  expect(codes('events', 'off')).toEqual([...ofEvents, 'unseen-changes']);
  expect(codes('events', undefined)).toEqual(ofEvents);
  for (const level of OBSERVE_LEVELS)
    expect(blindnessOf(level, undefined).every(({ message }) => !message.includes('key events'))).toBe(true);
});
