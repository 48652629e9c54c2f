import { expect, test } from 'vitest';
import { LineFilter } from './line-filter.ts';

const HEAD = '1795218454.496776 [0 127.0.0.1:49168] ';

function interestOf(line: string, filter = new LineFilter()) {
  const buffer = Buffer.from(`${HEAD}${line}\r\n`, 'latin1');
  return filter.interestOf(buffer, 0, buffer.length - 2);
}

test.each([
  ['"SET" "orders:42" "8b6ead8ee54611f18a0402fc00000001" "NX" "PX" "3000"', 'client'],
  ['"set" "orders:42" "s95+FvEGojzpwTDPu46F/A==" "ex" "3" "nx"', 'client'],
  ['"SET" "job-lock:default:x" "ADDED:2026-11-21T01:03:56.654Z@vm:f6b234a4" "PX" "3999" "NX"', 'client'],
  ['"SET" "orders:42" "worker-7" "NX" "PXAT" "1795218457496"', 'client'],
  ['"set" "orders:42" "worker-7" "exat" "1795218457" "nx"', 'client'],
  ['"SET" "orders:42" "worker-7" "NX" "GET" "PX" "3000"', 'client'],
  ['"SET" "orders:42" "worker-7" "EX" "3" "get" "nx"', 'client'],
  ['"HSETNX" "locks:orders" "owner" "worker-7"', 'client'],
  ['"HSETNX" "orders:42" "owner" "worker-7"', 'other'],
  ['"HSETEX" "orders" "FNX" "PX" "5000" "FIELDS" "1" "lock:42" "worker-7"', 'client'],
  ['"hsetex" "orders" "fnx" "EX" "5" "FIELDS" "1" "lock:42" "worker-7"', 'client'],
  ['"HSETEX" "orders" "EX" "5" "FIELDS" "1" "42" "worker-7"', 'other'],
  ['"SET" "orders:42" "worker-7" "NX" "PXAX" "1795218457496"', 'other'],
  ['"SET" "page:7" "a long value \\" NX"', 'other'],
  ['"SET" "page:7" "value" "EX" "60"', 'other'],
  ['"SET" "page:7" "value" "NX"', 'other'],
  ['"SET" "page:7" "NX"', 'other'],
  ['"SET" "NX" "PX"', 'other'],
  ['"GET" "NX" "PX" "3000"', 'other'],
] as const)('[T1] for the line %s the interest is %s', (line, interest) => {
  expect(interestOf(line)).toBe(interest);
});

test('[T5] a plain DEL right after a SET is kept if the value is that of a library that releases with DEL', () => {
  const filter = new LineFilter();
  interestOf('"SET" "job-lock:default:x" "ADDED:2026-11-21T01:03:56.654Z@vm:f6b234a4" "PX" "3999" "NX"', filter);
  interestOf('"SET" "orders:42" "8b6ead8ee54611f18a0402fc00000001" "NX" "PX" "3000"', filter);
  expect(interestOf('"DEL" "job-lock:default:x"', filter)).toBe('client');
  expect(interestOf('"DEL" "orders:42"', filter)).toBe('other');
});

test('[T5] a plain DEL right after a script that set a token is kept', () => {
  const filter = new LineFilter();
  const line = Buffer.from(
    '1795218454.496776 [0 lua] "set" "orders:42" "d14d167a847171a0e60d1e858687fe25" "PX" "3000"',
  );
  filter.interestOf(line, 0, line.length);
  expect(interestOf('"DEL" "orders:42"', filter)).toBe('client');
});
