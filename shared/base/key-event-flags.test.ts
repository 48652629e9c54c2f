import { expect, test } from 'vitest';
import { advisedKeyEvents, withKeyEvents } from './key-event-flags.ts';

const redis = (version: string) => ({ server: 'redis', version });
const VALKEY = { server: 'valkey', version: '9.1.2' };

test('the flag for keys whose type changes is advised only for Redis 8.2 and newer', () => {
  expect([undefined, redis('7.0.15'), redis('8.0.2'), VALKEY].map((of) => advisedKeyEvents(of))).toEqual(
    Array(4).fill('Eghxe'),
  );
  expect([redis('8.2.0'), redis('8.12.0'), redis('9.0.0')].map((of) => advisedKeyEvents(of))).toEqual(
    Array(3).fill('Eghxec'),
  );
});

test('key event flags that are already set are kept, and the flag A covers only the classes of older versions', () => {
  expect(withKeyEvents('', redis('7.0.15'))).toBe('Eghxe');
  expect(withKeyEvents('KA', redis('7.0.15'))).toBe('KAE');
  expect(withKeyEvents('AKE', redis('8.6.3'))).toBe('AKEc');
  expect(withKeyEvents('K$', redis('8.6.3'))).toBe('K$Eghxec');
});
