import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, test, vi } from 'vitest';
import type { Source } from '../../shared/wire/source.ts';
import { UnreadMark } from '../parts/UnreadMark.tsx';
import { secondsText } from '../ui/time-text.ts';
import { loadLanguage } from '../words/language.ts';
import { UnreadKeys, UnreadList } from './UnreadKeys.tsx';

const SINCE = 1_760_000_000_000_000;
const key = { db: 0, since: SINCE, size: 5001, isKnownLock: false } as const;
const unread: NonNullable<Source['unread']> = {
  count: 14,
  first: [
    { ...key, name: 'orders:42', reason: 'fields', isKnownLock: true },
    { ...key, name: 'fair', reason: 'beside', size: 0, isKnownLock: true },
    { ...key, name: 'poison', reason: 'bytes', size: 17_000_000 },
    { ...key, name: '<img src=x>', reason: 'reply', size: 0 },
  ],
};

/** The visible text of a component. */
function textOf(element: ReactElement): string {
  return renderToStaticMarkup(element)
    .replace(/<[^>]*>/g, '|')
    .replace(/\|+/g, '|');
}

async function speak(language: string): Promise<void> {
  vi.stubGlobal('navigator', { languages: [language] });
  vi.stubGlobal('document', { documentElement: { lang: '' } });
  await loadLanguage();
}

afterEach(async () => {
  await speak('en');
  vi.unstubAllGlobals();
});

test('the chip is not shown while every key can be read', () => {
  expect(renderToStaticMarkup(createElement(UnreadKeys, { unread: undefined }))).toBe('');
});

test('the chip shows how many keys are too large', () => {
  expect(textOf(createElement(UnreadKeys, { unread }))).toContain('14 keys too large');
});

test('each key has its reason, a known lock also the time of its last read, and the remaining keys are counted', () => {
  const text = textOf(createElement(UnreadList, { unread }));
  expect(text).toContain(`orders:42| · 5,001 fields · a known lock, not read since ${secondsText(SINCE)}: `);
  expect(text).toContain(
    `fair| · its list of waiters or permits is too large · not read since ${secondsText(SINCE)}; `,
  );
  expect(text).toContain('poison| · 17,000,000 bytes · it may be a lock');
  expect(text).toContain('&lt;img src=x&gt;| · its reply was too long · it may be a lock');
  expect(text).toContain('10 more keys');
});

test('the chip and its list are translated into Chinese', async () => {
  await speak('zh-CN');
  expect(textOf(createElement(UnreadKeys, { unread }))).toContain('14 个键过大');
  const text = textOf(createElement(UnreadList, { unread }));
  expect(text).toContain(`已知的锁，自 ${secondsText(SINCE)} 起未再读取`);
  expect(text).toContain('等待者或许可列表过大');
  expect(text).toContain('另有 10 个键');
});

test.each([
  ['en', 'fields', 'not read since CLOCK: its hash is too large'],
  ['en', 'bytes', 'not read since CLOCK: its hash is too large'],
  ['en', 'reply', 'not read since CLOCK: the reply was too long'],
  ['en', 'beside', 'waiters or permits not read since CLOCK: their list is too large'],
  ['zh-CN', 'fields', '自 CLOCK 起未读取：其哈希过大'],
  ['zh-CN', 'beside', '自 CLOCK 起未读取等待者或许可：其列表过大'],
] as const)('%s: the row of an unread lock (%s) shows: %s', async (language, reason, words) => {
  await speak(language);
  expect(textOf(createElement(UnreadMark, { unread: { since: SINCE, reason } }))).toContain(
    words.replace('CLOCK', secondsText(SINCE)),
  );
});
