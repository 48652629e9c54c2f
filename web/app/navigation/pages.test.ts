import { expect, test } from 'vitest';
import { hrefFromRoute, parseRoute } from '../../url/route-link.ts';
import { EN } from '../../words/en.ts';
import { LINKED_PAGES, PAGE_KEYS, pageRow } from './pages.tsx';

test('no key opens two pages', () => {
  const keys = PAGE_KEYS.flatMap(({ keys }) => keys);
  expect(new Set(keys).size).toBe(keys.length);
});

test('the keys of the pages in the header are 1, 2 and so on, in the order of their links', () => {
  expect(LINKED_PAGES.map((page) => pageRow(page).key)).toEqual(LINKED_PAGES.map((_, n) => String(n + 1)));
});

test.each(LINKED_PAGES)('page %s has a name, a key, and a link that leads to it', (page) => {
  const route = pageRow(page).open?.(null);
  if (!route) throw new Error('no route');
  const [path = '', search = ''] = hrefFromRoute(route).split('?');
  expect(parseRoute(path, search).page).toBe(page);
  expect(PAGE_KEYS.map(({ id }) => id)).toContain(page);
  expect(EN.frame.page[page]).not.toBe('');
});
