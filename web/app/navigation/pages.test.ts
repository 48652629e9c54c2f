import { expect, test } from 'vitest';
import { hrefFromRoute, parseRoute } from '../../url/route-link.ts';
import { EN } from '../../words/en.ts';
import { LINKED_PAGES, PAGE_KEYS, pageRow } from './pages.tsx';

test('each page has a key of its own', () => {
  const keys = PAGE_KEYS.flatMap(({ keys }) => keys);
  expect(new Set(keys).size).toBe(keys.length);
});

test.each(LINKED_PAGES)('the link and the key of the page %s lead to it, and it has a name', (page) => {
  const route = pageRow(page).open?.(null);
  if (!route) throw new Error('no route');
  const [path = '', search = ''] = hrefFromRoute(route).split('?');
  expect(parseRoute(path, search).page).toBe(page);
  expect(PAGE_KEYS.map(({ id }) => id)).toContain(page);
  expect(EN.frame.page[page]).not.toBe('');
});
