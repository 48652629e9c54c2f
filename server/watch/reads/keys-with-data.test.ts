import { expect, test } from 'vitest';
import { KeysWithData } from './keys-with-data.ts';

test('each key is counted once, for two minutes, up to 1,000 keys', () => {
  const keys = new KeysWithData();
  expect(keys.at(0)).toBeUndefined();
  keys.add({ db: 0, name: 'order:submit:1' }, 0);
  keys.add({ db: 0, name: 'order:submit:2' }, 1);
  keys.add({ db: 0, name: 'order:submit:1' }, 2);
  expect(keys.at(3)).toEqual({ count: 2, newest: 'order:submit:1' });
  expect(keys.at(120_001)).toEqual({ count: 1, newest: 'order:submit:1' });
  expect(keys.at(120_002)).toBeUndefined();
  for (let n = 0; n < 1500; n++) keys.add({ db: 0, name: `page:${n}` }, 130_000);
  expect(keys.at(130_000)?.count).toBe(1000);
});
