import { expect, test } from 'vitest';
import { PackedJson } from './packed-json.ts';

test.each([[[]], ['plain'], [['é – \u2028 锁 😀 \ud83d']], [{ deep: [null, { 'ключ "x"\\u00e9': 1 }] }]])(
  'a packed value is unpacked unchanged: %j',
  (value) => {
    expect(new PackedJson<unknown>(value).value()).toEqual(value);
  },
);

test('a long list takes less than a fifth of its text', () => {
  const list = Array.from({ length: 10_000 }, (_, n) => ({ n, version: '4.3.1–4.7.0', lock: `lock:${n % 7}` }));
  const packed = new PackedJson(list);
  expect(packed.value()).toEqual(list);
  expect(packed.bytes).toBeLessThan(JSON.stringify(list).length / 5);
});
