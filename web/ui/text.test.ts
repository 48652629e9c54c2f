import { expect, test } from 'vitest';
import { EN } from '../words/en.ts';
import { ZH_CN } from '../words/zh-CN.ts';
import {
  ageText,
  agoText,
  clockText,
  countdownText,
  durationText,
  endTexts,
  instantText,
  millisText,
  secondsText,
  stepText,
} from './time-text.ts';
import { cutInMiddle, splitParts, visibleParts, visibleText } from './visible-text.ts';

test('a duration is shown in the units that suit its length', () => {
  const texts = [0.041, 0.282, 3.2, 41, 460, 999.7, 5500, 6000, 29_480, 125_000, 11_520_000, 200_000_000].map((ms) =>
    durationText(ms, EN.time),
  );
  expect(texts).toEqual([
    '41 µs',
    '282 µs',
    '3.2 ms',
    '41 ms',
    '460 ms',
    '1 s',
    '5.5 s',
    '6 s',
    '29.5 s',
    '2 min 5 s',
    '3 h 12 min',
    '2 d 7 h',
  ]);
});

test('a countdown is not negative, and has one decimal below a minute', () => {
  expect([5123, 6000, 40, -300, 61_300].map((ms) => countdownText(ms, EN.time))).toEqual([
    '5.1 s',
    '6.0 s',
    '0.0 s',
    '0.0 s',
    '61 s',
  ]);
});

test('the time between two events has a sign', () => {
  expect([0.041, 1200, -3].map((ms) => stepText(ms, EN.time))).toEqual(['+41 µs', '+1.2 s', '−3 ms']);
});

test('ages are in whole seconds', () => {
  expect([200, 4900, 125_000].map((ms) => ageText(ms, EN.time))).toEqual(['now', '4 s', '2 min 5 s']);
  expect([200, 4900].map((ms) => agoText(ms, EN.time))).toEqual(['now', '4 s ago']);
});

test('durations, countdowns and ages have a Chinese format', () => {
  const texts = [0.041, 3.2, 5500, 125_000, 11_520_000, 200_000_000].map((ms) => durationText(ms, ZH_CN.time));
  expect(texts).toEqual(['41 µs', '3.2 ms', '5.5 秒', '2 分 5 秒', '3 小时 12 分', '2 天 7 小时']);
  expect(countdownText(40, ZH_CN.time)).toBe('0.0 秒');
  expect([200, 4900].map((ms) => agoText(ms, ZH_CN.time))).toEqual(['刚刚', '4 秒前']);
});

test('times have six digits after the decimal point', () => {
  const today = new Date(1_700_000_000_000);
  expect(clockText(1_700_000_000_000_282, today)).toMatch(/^\d\d:\d\d:\d\d\.000\u2009282$/);
  expect(instantText(1_700_000_000_000_282)).toBe('2023-11-14T22:13:20.000282Z');
});

test('a time of another day has a date, and a time of another year also has the year', () => {
  const at = new Date(2026, 10, 21, 23, 59, 31, 5).getTime() * 1000;
  expect(secondsText(at, new Date(2026, 10, 21, 0, 0))).toBe('23:59:31');
  expect(secondsText(at, new Date(2026, 10, 22, 0, 0))).toBe('Nov 21 23:59:31');
  expect(secondsText(at, new Date(2026, 10, 20, 23, 59))).toBe('Nov 21 23:59:31');
  expect(millisText(at, new Date(2026, 10, 22))).toBe('Nov 21 23:59:31.005');
  expect(clockText(at, new Date(2027, 0, 1))).toBe('Nov 21, 2026 23:59:31.005\u2009000');
});

test('the end of a range has its date if it is on another day than the beginning, even if that day is today', () => {
  const textOf = (at: number, now = new Date(2026, 10, 28, 13)) => secondsText(at, now);
  const [october, today] = [new Date(2026, 9, 29, 12), new Date(2026, 10, 28, 9)].map((date) => date.getTime() * 1000);
  expect(endTexts(october ?? 0, today ?? 0, textOf)).toEqual(['Oct 29 12:00:00', 'Nov 28 09:00:00']);
  expect(endTexts(october ?? 0, (october ?? 0) + 60_000_000, textOf)).toEqual(['Oct 29 12:00:00', '12:01:00']);
  expect(endTexts(today ?? 0, (today ?? 0) + 60_000_000, textOf)).toEqual(['09:00:00', '09:01:00']);
});

test('invisible characters are written out', () => {
  expect(visibleText('a\nb\u0000c\u001b[31m')).toBe('a\\nb\\x00c\\x1b[31m');
  expect(visibleText('safe\u202egnp.exe')).toBe('safeU+202Egnp.exe');
  expect(visibleText('zero\u200bwidth\ufeff')).toBe('zeroU+200BwidthU+FEFF');
  expect(visibleText('  two  ends '.replace('two  ends', 'a  b'))).toBe('␣␣a  b␣');
  expect(visibleText('half \ud800')).toBe('half U+D800');
  expect(visibleText('<b>مفتاح</b> 🔒')).toBe('<b>مفتاح</b> 🔒');
});

test('a long text is cut in the middle, never within a character', () => {
  expect(cutInMiddle('orders:42', 20)).toBe('orders:42');
  expect(cutInMiddle('abcdefghijklmnopqrstuvwxyz', 11)).toBe('abcdef…wxyz');
  for (let most = 5; most < 20; most++) {
    const cut = cutInMiddle('🔒'.repeat(50), most);
    expect(cut.length).toBeLessThanOrEqual(most);
    expect(cut).toMatch(/^(🔒)*…(🔒)*$/u);
  }
});

test('a name split in two keeps every character, and a space at the split is not marked', () => {
  const textOf = (parts: readonly { text: string }[]) => parts.map((part) => part.text).join('');
  for (const name of ['orders for customer 42', 'a\u0000b\u0000c\u0000d', '🔒🔒🔒🔒🔒🔒', 'ab', '']) {
    for (let length = 1; length < 9; length++) {
      const [head, tail] = splitParts(visibleParts(name), length);
      expect(textOf(head) + textOf(tail)).toBe(visibleText(name));
      expect(textOf(head) + textOf(tail)).not.toContain('␣');
      expect(/^[\udc00-\udfff]/.test(textOf(tail))).toBe(false);
    }
  }
});
