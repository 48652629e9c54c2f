import { expect, test } from 'vitest';
import { laterInstants } from './later-instants.ts';

test.each([
  ['PEXPIREAT k 5000', 'PEXPIREAT k 65000'],
  ['expireat k 5 XX', 'PEXPIREAT k 65000 XX'],
  ['SET k EXAT NX PXAT 5000', 'SET k EXAT NX PXAT 65000'],
  ['GETEX k EXAT 5', 'GETEX k PXAT 65000'],
  ['PEXPIREAT k soon', 'PEXPIREAT k soon'],
  ['SET PXAT 5000', 'SET PXAT 5000'],
  ['PEXPIRE k 5000', 'PEXPIRE k 5000'],
  ['SET k v PX 5000', 'SET k v PX 5000'],
])('%s, moved a minute later, is %s', (command, later) => {
  expect(laterInstants(command.split(' '), 60_000).join(' ')).toBe(later);
  expect(laterInstants(command.split(' '), 0).join(' ')).toBe(command);
});
