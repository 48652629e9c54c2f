import { expect, test } from 'vitest';
import { laterInstants } from './later-instants.ts';

test.each([
  ['PEXPIREAT k 5000', 'PEXPIREAT k 65000'],
  ['expireat k 5 XX', 'PEXPIREAT k 65000 XX'],
  ['SET k EXAT NX PXAT 5000', 'SET k EXAT NX PXAT 65000'],
  ['GETEX k EXAT 5', 'GETEX k PXAT 65000'],
  ['HPEXPIREAT k 5000 FIELDS 1 f', 'HPEXPIREAT k 65000 FIELDS 1 f'],
  ['hexpireat k 5 FIELDS 1 f', 'HPEXPIREAT k 65000 FIELDS 1 f'],
  ['HSETEX k FNX EXAT 5 FIELDS 1 f v', 'HSETEX k FNX PXAT 65000 FIELDS 1 f v'],
  ['HSETEX k FIELDS 1 PXAT 5000 PXAT 6000', 'HSETEX k FIELDS 1 PXAT 5000 PXAT 66000'],
  ['HSETEX k PX 5000 FIELDS 1 PXAT 5000', 'HSETEX k PX 5000 FIELDS 1 PXAT 5000'],
  ['HGETEX k PXAT 5000 FIELDS 1 f', 'HGETEX k PXAT 65000 FIELDS 1 f'],
  ['HGETEX k PERSIST FIELDS 2 PXAT 5000', 'HGETEX k PERSIST FIELDS 2 PXAT 5000'],
  ['MSETEX 1 k v PXAT 5000 NX', 'MSETEX 1 k v PXAT 65000 NX'],
  ['MSETEX 1 PXAT 5000 EXAT 5', 'MSETEX 1 PXAT 5000 PXAT 65000'],
  ['PEXPIREAT k soon', 'PEXPIREAT k soon'],
  ['SET PXAT 5000', 'SET PXAT 5000'],
  ['PEXPIRE k 5000', 'PEXPIRE k 5000'],
  ['SET k v PX 5000', 'SET k v PX 5000'],
])('%s, moved a minute later, is %s', (command, later) => {
  expect(laterInstants(command.split(' '), 60_000).join(' ')).toBe(later);
  expect(laterInstants(command.split(' '), 0).join(' ')).toBe(command);
});
