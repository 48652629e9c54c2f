import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { LockEvent } from '../../shared/events/event.ts';
import { unwatchedFrom } from '../data/queries/unwatched.ts';
import { makeEvent } from '../testing/make.ts';
import { secondsText } from '../ui/time-text.ts';
import { NoActivityIn } from './NoActivity.tsx';

const NOON = 1_760_000_000_000_000;
const at = (second: number) => NOON + second * 1_000_000;
const edge = (isDropped: boolean) => ({ at: at(0), isDropped, events: 9 });

function spot(from: number, to: number): LockEvent {
  return makeEvent(to, { type: 'blind-spot.ended', source: 'redis', reason: 'socket', from: at(from), at: at(to) });
}

/** The text of the empty page, one line per paragraph. */
function textOf(ends: readonly LockEvent[], isDropped = false, isWhole = true): string[] {
  const unwatched = unwatchedFrom(ends, edge(isDropped));
  const html = renderToStaticMarkup(createElement(NoActivityIn, { unwatched, isWhole }));
  return [...html.matchAll(/<p[^>]*>(.*?)<\/p>/g)].map(([, text = '']) => text);
}

test('if everything was watched, the page reports that there is no lock activity yet', () => {
  expect(textOf([])).toEqual(['Watching. No lock activity seen yet.']);
  expect(textOf([], false, false)).toEqual(['No lock activity seen yet where Lockscope is watching.']);
});

test('after an unwatched time, the page names that time and since when there was no activity', () => {
  expect(textOf([spot(10, 20), spot(30, 90)])).toEqual([
    `Watching. No lock activity seen since ${secondsText(at(90))}.`,
    `Not watched: redis, ${secondsText(at(30))} to ${secondsText(at(90))}.`,
    `Not watched: redis, ${secondsText(at(10))} to ${secondsText(at(20))}.`,
  ]);
});

test('if events were dropped, the page shows how far memory goes back', () => {
  expect(textOf([], true)).toEqual([
    `Watching. No lock activity seen since ${secondsText(at(0))}.`,
    `Memory goes back to ${secondsText(at(0))}: earlier events have been dropped.`,
  ]);
});

test('of more than three unwatched times, the earliest are only counted', () => {
  const texts = textOf([1, 2, 3, 4, 5].map((n) => spot(n * 10, n * 10 + 1)));
  expect(texts).toHaveLength(5);
  expect(texts.at(-1)).toBe('2 earlier times were not watched.');
});

test('before the unwatched times are known, the page does not report that there was no activity', () => {
  const html = renderToStaticMarkup(createElement(NoActivityIn, { unwatched: undefined, isWhole: true }));
  expect(html).not.toContain('No lock activity');
});
