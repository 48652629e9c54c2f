import fc from 'fast-check';
import { expect, test } from 'vitest';
import { binaryFromText, textFromBinary } from '../../../shared/base/bytes-text.ts';
import { COMMANDS } from '../../../shared/events/recognise/commands/commands.ts';
import { recogniseCommand } from '../../../shared/events/recognise/plain-command.ts';
import { decodeWords, parseMonitorLine } from '../../../shared/signals/monitor-line.ts';
import { isScriptHead } from '../../../shared/signals/step.ts';
import { type Interest, LineFilter, printedForm } from './line-filter.ts';

const LOCKS = [
  'orders:42',
  'q"\\\' x',
  '汉字',
  'a\n\x07\x00',
  'bytes \\xff',
  '',
  'x] ',
  'lua] "del" "orders:42',
  'redisson_lock_queue:{a}',
];
const CHANNEL = 'redisson_lock__channel:{orders:42}';

function filterOf(...names: string[]): LineFilter {
  const filter = new LineFilter();
  for (const name of names) filter.addKey(name);
  return filter;
}

function interestOf(filter: LineFilter, line: string, padding = ''): Interest {
  const buffer = Buffer.from(`${padding}${line}\r\n${padding}`, 'latin1');
  return filter.interestOf(buffer, padding.length, padding.length + line.length);
}

/** A line as MONITOR prints it. */
function printed(client: string, words: readonly string[], db = 0): string {
  const quoted = words.map((word) => `"${printedForm(binaryFromText(word))}"`);
  return `1795218454.496776 [${db} ${client}] ${quoted.join(' ')}`;
}

/** The same decision, made slowly: parses the whole line and checks whether its command can touch a known lock. */
function mattersTo(line: string, locks: readonly string[]): boolean {
  const parsed = parseMonitorLine(line);
  if (!parsed.ok) throw new Error(parsed.error.reason);
  if (parsed.value.client === null || isScriptHead(parsed.value)) return true;
  return recogniseCommand(parsed.value).some((action) => {
    switch (action.do) {
      case 'delete':
      case 'set-expiry':
      case 'set-field-expiry':
      case 'may-change':
        return locks.includes(action.key);
      case 'arrive':
        return action.here === undefined || locks.includes(action.key);
      case 'remove-members':
        return locks.includes(action.lock);
      case 'queue-edit':
        return locks.includes(parsed.value.words[1] ?? '');
      case 'token-try':
        return locks.includes(action.lock) || (action.ifKeyIs === 'free' && action.lease !== null);
      case 'token-sleep':
        return action.lock !== undefined;
      case 'date-client':
        return action.client !== undefined;
      case 'publish':
        return action.channel.startsWith('redisson_lock__channel:');
      default:
        return true;
    }
  });
}

test('the DEL of an unlock latch is kept: it shows that the client got its answer', () => {
  const uuid = '9f3c1a20-0000-4000-8000-000000000001';
  const latch = (id: string) => printed('127.0.0.1:1', ['DEL', `redisson_unlock_latch:{orders:42}:${id}`]);
  expect(interestOf(filterOf(), latch(uuid))).toBe('client');
  expect(interestOf(filterOf(), latch('d716aac96b5f4d89436369c3e702d774'))).toBe('client');
  expect(interestOf(filterOf(), printed('127.0.0.1:1', ['DEL', `session:${uuid}`]))).toBe('other');
});

test('a SET NX without a lease is kept if its value is a token', () => {
  const set = (value: string, ...options: string[]) => printed('127.0.0.1:1', ['SET', 'foo', value, ...options]);
  expect(interestOf(filterOf(), set('8b6ead8ee54611f18a0402fc00000001', 'NX'))).toBe('client');
  expect(interestOf(filterOf(), set('1', 'NX'))).toBe('other');
  expect(interestOf(filterOf(), set('8b6ead8ee54611f18a0402fc00000001', 'XX'))).toBe('other');
});

/** Every command of the table, and some names that are not in it. */
const NAMES = [...COMMANDS.keys(), 'GET', 'EVAL', 'FCALL_RO', 'EVA', 'DELX', ''];
const clients = fc.constantFrom(
  'lua',
  '127.0.0.1:49168',
  '10.0.0.12:1',
  '[::1]:6379',
  'unix:/run/redis.sock',
  'unix:/a" b',
);
const command = fc.constantFrom(...NAMES).chain((name) => fc.constantFrom(name, name.toLowerCase()));
const bytes = fc.uint8Array({ maxLength: 12 }).map((codes) => textFromBinary(String.fromCharCode(...codes)));
const argument = fc.oneof(fc.constantFrom(...LOCKS, CHANNEL, '1', '-1'), bytes);
const someLine = fc
  .tuple(clients, command, fc.array(argument, { maxLength: 4 }), fc.nat(15))
  .map(([client, name, args, db]) => printed(client, [name, ...args], db));

test('a line that can touch a known lock is never dropped', () => {
  fc.assert(
    fc.property(someLine, fc.subarray(LOCKS), fc.constantFrom('', '+OK\r\n'), (line, locks, padding) => {
      const interest = interestOf(filterOf(...locks), line, padding);
      if (mattersTo(line, locks)) expect(interest).not.toBe('other');
    }),
    { numRuns: 3000 },
  );
});

test('exactly the lines of scripts are recognised as lines of scripts', () => {
  fc.assert(
    fc.property(someLine, (line) => {
      const parsed = parseMonitorLine(line);
      const isScript = parsed.ok && parsed.value.client === null;
      expect(interestOf(filterOf(), line) === 'script').toBe(isScript);
    }),
  );
});

test.each(['GET', 'SET', 'HSET', 'ZADD', 'DEL', 'UNLINK', 'EXPIRE', 'INCR', 'PUBLISH', 'MGET', 'PING'])(
  '%s on keys that are not locks is dropped',
  (name) => {
    expect(interestOf(filterOf('orders:42'), printed('127.0.0.1:1', [name, 'session:7', '1']))).toBe('other');
  },
);

test('a line about a key is kept from the moment the key is known', () => {
  const filter = filterOf();
  const line = printed('127.0.0.1:1', ['del', 'a', 'orders:42']);
  expect(interestOf(filter, line)).toBe('other');
  filter.addKey('orders:42');
  expect(interestOf(filter, line)).toBe('client');
});

test('a line that is cut short or has no words does not throw', () => {
  const filter = filterOf('orders:42');
  const line = printed('127.0.0.1:1', ['DEL', 'a\\', 'b']);
  for (let length = 0; length < line.length; length++) {
    expect(interestOf(filter, line.slice(0, length))).toBe('other');
  }
});

test('the result of printedForm is read back as the same bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (codes) => {
      const binary = String.fromCharCode(...codes);
      expect(decodeWords(`"${printedForm(binary)}"`, 0)).toEqual([textFromBinary(binary)]);
    }),
  );
});

test('printedForm writes what Redis writes', () => {
  expect(printedForm('a"b\\c\n\r\t\x07\b\x00\x7f\xff é'.replace('é', '\xe9'))).toBe(
    String.raw`a\"b\\c\n\r\t\a\b\x00\x7f\xff \xe9`,
  );
});

test('a line about a key is kept as soon as a script writes the field of a holder', () => {
  const holder = '9a92fa0b-27b4-4395-a14c-85668696be8b:62';
  const filter = new LineFilter();
  const del = printed('127.0.0.1:5', ['DEL', 'orders:42']);
  interestOf(filter, printed('lua', ['hincrby', 'orders:42', 'visits', '1']));
  expect(interestOf(filter, del)).toBe('other');
  interestOf(filter, printed('lua', ['hincrby', 'orders:42', holder, '1']));
  expect(interestOf(filter, del)).toBe('client');
  expect(interestOf(filter, printed('127.0.0.1:5', ['RENAME', 'other', 'orders:42']))).toBe('client');
  // A plain command that writes the field of a holder shows that the hash is not Redisson's.
  expect(interestOf(filter, printed('127.0.0.1:5', ['HSET', 'active', holder, '1']))).toBe('client');
  expect(interestOf(filter, printed('127.0.0.1:5', ['DEL', 'active']))).toBe('client');
});

test('a SET NX without a lease is kept if its key has the name of a lock', () => {
  const filter = new LineFilter();
  const interestIn = (...words: string[]) => interestOf(filter, printed('127.0.0.1:5', words));
  expect(interestIn('DEL', 'report:lock')).toBe('other');
  expect(interestIn('SETNX', 'report:lock', 'web-1')).toBe('client');
  expect(interestIn('DEL', 'report:lock')).toBe('client');
  expect(interestIn('SET', 'nightly-MUTEX', '1', 'NX')).toBe('client');
  expect([interestIn('SETNX', 'visits', 'lock'), interestIn('SET', 'visits', 'lock', 'NX')]).toEqual([
    'other',
    'other',
  ]);
});

test('BLPOP is kept for the list by which a lock wakes its waiters, and for the list of the permits of a semaphore', () => {
  const interestIn = (key: string) => interestOf(new LineFilter(), printed('127.0.0.1:5', ['BLPOP', key, '0']));
  expect([interestIn('lock-signal:orders'), interestIn('lock.event:orders'), interestIn('worker:AVAILABLE')]).toEqual(
    Array(3).fill('client'),
  );
  expect([interestIn('mails'), interestIn('AVAILABLE:mails'), interestIn(':AVAILABLE')]).toEqual(
    Array(3).fill('other'),
  );
  expect(interestIn('mutex:report')).toBe('client'); // its name shows that it is a lock
});
