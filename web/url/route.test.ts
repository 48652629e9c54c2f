import { expect, test } from 'vitest';
import { redisTime } from '../../shared/base/time.ts';
import { isPointerTo, pointerFromName } from './lock-link.ts';
import { LIVE } from './moment.ts';
import { EVENTS, lockRoute, OVERVIEW, type Route } from './route.ts';
import { hrefFromRoute, parseRoute } from './route-link.ts';

function roundTrip(route: Route): Route {
  const url = new URL(hrefFromRoute(route), 'http://page');
  return parseRoute(url.pathname, url.search);
}

test('the plain overview has the shortest URL', () => {
  expect(hrefFromRoute(OVERVIEW)).toBe('/');
  expect(parseRoute('/', '')).toEqual(OVERVIEW);
});

test('routes written to a URL and read back are the same', () => {
  const routes: Route[] = [
    { ...OVERVIEW, q: 'orders & co', show: 'waited', sort: 'lease', isReversed: true },
    { ...EVENTS, lock: 'orders:42', type: 'lock.refused', holder: '8f3a:62', selected: 1042 },
    { ...OVERVIEW, q: 'pay', at: redisTime(1_700_000_000_000_001), selected: 7 },
    { ...EVENTS, lockPart: 'pay & ment', holderPart: 'worker:4' },
    { page: 'demo' },
    { page: 'doctor', source: null },
    { page: 'doctor', source: 'redis-2' },
    lockRoute({ name: 'orders:42', source: 's1', db: 3 }),
    { ...lockRoute({ name: 'a', source: 's1', db: 0 }), selected: 7 },
    { ...lockRoute({ name: 'a', source: 's1', db: 0 }), at: redisTime(1_700_000_000_000_001) },
    { ...EVENTS, at: redisTime(12_048_520_000), selected: 3 },
    { ...EVENTS, range: 60 },
    { ...OVERVIEW, range: { from: redisTime(12_048_520_000), to: redisTime(12_049_520_001) } },
    { page: 'waits', range: 15, compared: 'before', at: redisTime(12_048_520_000), selected: null },
    { page: 'clients', client: null, source: null, at: null, selected: null },
    { page: 'clients', client: '8f3a-62', source: 's1', at: redisTime(12_048_520_000), selected: null },
    {
      page: 'waits',
      range: { from: redisTime(12_048_520_000), to: redisTime(12_049_520_001) },
      compared: { from: redisTime(12_040_000_000), to: redisTime(12_041_500_000) },
      at: null,
      selected: null,
    },
    { page: 'waits', compared: 60, at: null, selected: null },
    {
      page: 'waits',
      range: 1,
      compared: { from: redisTime(12_040_000_000), to: redisTime(12_041_500_000) },
      at: null,
      selected: null,
    },
  ];
  for (const route of routes) expect(roundTrip(route)).toEqual(route);
});

test('hostile lock names written to a URL and read back are the same', () => {
  for (const name of [
    'a/b',
    '../../etc',
    '?x=1#y',
    '%',
    '100%25',
    '"><img src=x>',
    'مفتاح',
    'a\nb\u0000',
    '{tag}',
    ' ',
    '~',
  ]) {
    const back = roundTrip(lockRoute({ name, source: 's', db: 0 }));
    expect(back.page === 'lock' && isPointerTo(back.pointer, name), JSON.stringify(name)).toBe(true);
  }
});

test('names that no URL can contain are linked by a digest that distinguishes them', () => {
  for (const name of ['', '.', '..', 'half \ud800 character', 'x'.repeat(1_000_000)]) {
    const pointer = pointerFromName(name);
    expect('digest' in pointer, name.slice(0, 20)).toBe(true);
    const back = roundTrip(lockRoute({ name, source: 's', db: 0 }));
    expect(back.page === 'lock' && isPointerTo(back.pointer, name)).toBe(true);
    expect(isPointerTo(pointer, `${name}y`)).toBe(false);
  }
});

test('an unknown filter or order is dropped, and other unreadable parameters are dropped and listed', () => {
  expect(parseRoute('/', '?show=everything&sort=-colour')).toEqual(OVERVIEW);
  expect(parseRoute('/events', '?type=lock.eaten&sel=1042&at=noon&v=7')).toEqual({
    ...EVENTS,
    broken: ['at', 'sel', 'v', 'type'],
  });
  expect(parseRoute('/locks/a', '?db=one')).toEqual({
    page: 'lock',
    pointer: { name: 'a' },
    source: null,
    db: null,
    at: null,
    selected: null,
    broken: ['db'],
  });
});

test('a selected mark in a link selects the first event of the mark', () => {
  expect(parseRoute('/events', '?sel=w7')).toEqual({ ...EVENTS, selected: 7 });
});

test('moments in a recording are measured from its start, and a link into another recording names it', () => {
  const night = { src: 'night.lockscope', at: redisTime(1_700_000_000_000_000) };
  const route = { ...EVENTS, at: redisTime(night.at + 1_500_000), selected: 3 };
  const href = hrefFromRoute(route, undefined, night);
  expect(href).toBe('/events?v=1&src=night.lockscope&at=1.5s&sel=e3');
  const [path = '', search = ''] = href.split(/(?=\?)/);
  expect(parseRoute(path, search, night)).toEqual(route);
  expect(parseRoute(path, search, LIVE)).toEqual({ ...EVENTS, elsewhere: 'night.lockscope' });
});

test('an unreadable comparison range is ignored, and `compare` is listed as broken', () => {
  const plain = { page: 'waits', compared: null, at: null, selected: null };
  for (const compare of ['2', 'last7', '5s', '5s+0s', 'before', ''])
    expect(parseRoute('/waits', `?compare=${compare}`), compare).toEqual({ ...plain, broken: ['compare'] });
});

test('a comparison range is measured from the start of its recording', () => {
  const night = { src: 'night.lockscope', at: redisTime(1_700_000_000_000_000) };
  const compared = { from: redisTime(night.at + 1_500_000), to: redisTime(night.at + 3_500_000) };
  const route: Route = { page: 'waits', compared, at: null, selected: null };
  const href = hrefFromRoute(route, undefined, night);
  expect(href).toBe('/blocking/cost?v=1&src=night.lockscope&compare=1.5s%2B2s');
  expect(parseRoute('/blocking/cost', href.slice('/blocking/cost'.length), night)).toEqual(route);
  expect(parseRoute('/blocking/cost', href.slice('/blocking/cost'.length), LIVE)).toEqual({
    ...route,
    compared: null,
    elsewhere: 'night.lockscope',
  });
});

test.each([
  ['/graph', '?v=1&at=12048.52s', '/blocking'],
  ['/waits', '?v=1&last=15&compare=before&at=12048.52s', '/blocking/cost'],
  ['/doctor', '?source=redis-2', '/health'],
])('a link to %s, an earlier name of a page, leads to the same page', (old, search, path) => {
  const route = parseRoute(old, search);
  expect(route.page).not.toBe('not-found');
  const href = hrefFromRoute(route);
  expect(href.split('?')[0]).toBe(path);
  expect(parseRoute(path, search)).toEqual(route);
});

test('unknown parameters are kept if requested', () => {
  const keep = new URLSearchParams('?theme=x&q=old&share=x');
  expect(hrefFromRoute({ ...OVERVIEW, q: 'new' }, keep)).toBe('/?q=new&theme=x&share=x');
});

test('unknown paths and invalid escapes lead to the not-found page', () => {
  expect(parseRoute('/nowhere', '')).toEqual({ page: 'not-found', path: '/nowhere' });
  expect(parseRoute('/locks/', '').page).toBe('not-found');
  expect(parseRoute('/locks/%E0%A4%A', '').page).toBe('not-found');
  expect(parseRoute('/clients/a%2Fb', '').page).toBe('not-found');
});
