import { expect, test } from 'vitest';
import { clientsFromList } from '../../redis/reads/client-list.ts';
import { ownOutput } from './own-buffer.ts';

test('our own output is found by our client ids; another client named lockscope is ignored', () => {
  const clients = clientsFromList(
    [
      'id=7 addr=127.0.0.1:5001 name=lockscope age=5 idle=0 omem=1000 cmd=monitor',
      'id=8 addr=127.0.0.1:5002 name=lockscope age=5 idle=0 omem=20 cmd=echo',
      'id=9 addr=127.0.0.1:5003 name=lockscope age=5 idle=5 omem=90000000 cmd=monitor',
    ].join('\n'),
  );
  expect(ownOutput([7, 8], clients)).toBe(1000);
  expect(ownOutput([1], clients)).toBe(0);
});
