import { describe, expect, test } from 'vitest';
import { textFromBinary } from '../base/bytes-text.ts';
import { redisTime } from '../base/time.ts';
import { fieldEventFromPush } from './field-message.ts';
import type { PushSignal } from './signal.ts';

const HOLDER = '9a92fa0b-27b4-4395-a14c-85668696be8b:1';

/** A push with these bytes, one character per byte, as it arrives from Redis. */
function push(channel: string, message: string): PushSignal {
  return { kind: 'push', at: redisTime(1), channel: textFromBinary(channel), message: textFromBinary(message) };
}

/** The message of `__subkeyevent@0__:…`, in the form that the documentation describes. */
function written(key: string, ...fields: readonly string[]): string {
  return `${key.length}:${key}|${fields.map((field) => `${field.length}:${field}`).join(',')}`;
}

test('a message by event and a message by key both name the key, the event and the fields', () => {
  const expected = { db: 3, key: 'orders:42', event: 'hincrby', fields: [HOLDER] };
  expect(fieldEventFromPush(push('__subkeyevent@3__:hincrby', `9:orders:42|38:${HOLDER}`))).toEqual(expected);
  expect(fieldEventFromPush(push('__subkeyspace@3__:orders:42', `hincrby|38:${HOLDER}`))).toEqual(expected);
});

test('the example in the Redis documentation is read once its lengths are right: 6 bytes instead of 7 and 5', () => {
  const expected = { db: 0, key: 'myhash', event: 'hset', fields: ['field1', 'field2'] };
  const fields = '6:field1,6:field2';
  expect(fieldEventFromPush(push('__subkeyevent@0__:hset', `6:myhash|${fields}`))).toEqual(expected);
  expect(fieldEventFromPush(push('__subkeyspace@0__:myhash', `hset|${fields}`))).toEqual(expected);
});

test.each([
  '__keyevent@0__:hset',
  '__subkeyspaceitem@0__:k\nf',
  '__subkeyspaceevent@0__:hset|k',
  '__subkeyevent@x__:hset',
  'redisson_lock__channel:{k}',
])('a message on %j is not about fields', (channel) => {
  expect(fieldEventFromPush(push(channel, '1:k|1:f'))).toBeUndefined();
});

describe('names of any bytes', () => {
  const NAMES = [
    ...['', '|', ',', ':', '1:k|1:f', '0:', 'a\nb\r\n', '\u0000', '\\x41', '\\', '\\\\', ' '],
    ...['\u00ff\u00fe|\u0080', '\u00c3\u00a9', '\u00c3\u00a9\\xff', '\u00f0\u009f\u0094\u0092:1,', '5:a|bc,3:def'],
  ];
  const LONG = 'n:|,'.repeat(262_144); // a megabyte

  test.each([...NAMES, LONG].map((name) => [name.slice(0, 12), name]))(
    'the name %j is read unchanged as key and as field',
    (_, name) => {
      for (const other of name === LONG ? [HOLDER] : [HOLDER, ...NAMES]) {
        const text = { key: textFromBinary(name), fields: [textFromBinary(other), textFromBinary(name)] };
        const expected = { db: 0, event: 'hset', ...text };
        expect(fieldEventFromPush(push('__subkeyevent@0__:hset', written(name, other, name)))).toEqual(expected);
        const parts = written('', other, name).slice(3);
        expect(fieldEventFromPush(push(`__subkeyspace@0__:${name}`, `hset|${parts}`))).toEqual(expected);
      }
    },
  );
});

describe('a message in any other form is malformed', () => {
  test.each([
    ...['', '|', '1:k', '1:k|', '1:k|1', '1:k|1:', '1:k|2:f', '1:k|1:ff', '1:k|1:f,', '1:k|,1:f', '1:k|1:f 1:g'],
    ...['k|1:f', '01:k|1:f', '+1:k|1:f', '-1:k|1:f', ' 1:k|1:f', '1 :k|1:f', '1.0:k|1:f', '1e0:k|1:f', '0x1:k|1:f'],
    ...['2:k|1:f', '0:k|1:f', '1:k,1:f', '1:k||1:f', '1:k|1:f\n', '99999999999999999999:k|1:f', '1:k|-1:f', 'k', 'f|k'],
  ])('a message by event is malformed: %j', (message) => {
    expect(fieldEventFromPush(push('__subkeyevent@0__:hset', message))).toBe('malformed');
  });

  test.each([
    '',
    'hset',
    'hset|',
    '|1:f',
    'hset|1',
    'hset|2:f',
    'hset|1:f,',
    'hset 1:f',
    '1:f',
    'h|set|1:f',
    'HSET|1:f',
  ])('a message by key is malformed: %j', (message) => {
    expect(fieldEventFromPush(push('__subkeyspace@0__:k', message))).toBe('malformed');
  });

  test('a message is malformed if it has an event that no command sends', () => {
    for (const event of ['', 'h set', 'hset|', 'HSET', 'a'.repeat(33)])
      expect(fieldEventFromPush(push(`__subkeyevent@0__:${event}`, '1:k|1:f'))).toBe('malformed');
  });

  test('a length in a message counts bytes, not characters', () => {
    const key = '\u00c3\u00a9'; // é
    expect(fieldEventFromPush(push('__subkeyevent@0__:hset', `1:${key}|1:f`))).toBe('malformed');
    expect(fieldEventFromPush(push('__subkeyevent@0__:hset', `2:${key}|1:f`))).toMatchObject({ key: 'é' });
  });
});

test('if Lockscope does not need a key, the fields in a message about the key are not read, even if they are malformed', () => {
  const wanted = (_: number, key: string) => key === 'k';
  const broken = push('__subkeyevent@0__:hset', '5:other|9:f');
  expect(fieldEventFromPush(broken, wanted)).toEqual({ db: 0, key: 'other', event: 'hset', fields: [] });
  expect(fieldEventFromPush(push('__subkeyevent@0__:hset', '1:k|9:f'), wanted)).toBe('malformed');
});
