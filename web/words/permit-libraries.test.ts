import { expect, test } from 'vitest';
import { WITH_LIMIT } from '../../shared/events/recognise/set-of-holders.ts';
import { server as english } from './en/help/server.ts';
import { server as chinese } from './zh-CN/help/server.ts';

test('the help of permits-beyond-limit names each library whose locks can have it', () => {
  for (const help of [english, chinese]) {
    const { versions } = help['permits-beyond-limit'] ?? {};
    for (const library of ['Redisson', ...WITH_LIMIT]) expect(versions).toContain(library);
  }
});
