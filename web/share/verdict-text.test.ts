import { expect, test } from 'vitest';
import type { WireInsight } from '../../shared/wire/insights/insight.ts';
import { EN } from '../words/en.ts';
import { ZH_CN } from '../words/zh-CN.ts';
import { verdictSentences } from './verdict-text.ts';

const AT = 1_763_726_671_000_000;
const S = 1_000_000;

const insight = (part: Partial<WireInsight> = {}): WireInsight => ({
  ...{
    id: 'x',
    incident: 'abba-deadlock',
    effect: 'stuck',
    severity: 'critical',
    confidence: 'likely',
    source: 'redis',
    db: 0,
  },
  ...{
    lock: 'orders:42',
    holders: ['a:1', 'b:2'],
    from: AT - 9 * S,
    to: null,
    selfHealsAt: null,
    events: [3],
    values: {},
  },
  ...{ title: 'Deadlock', explanation: 'a:1 waits for *b*.', advice: 'Release one.', later: 'Sort them.' },
  ...part,
});
const textOf = (of: WireInsight) => verdictSentences(of, of, AT, EN).join(' ');

test('the text has the title, place, times, threads, explanation and advice of a verdict', () => {
  expect(textOf(insight())).toBe(
    '**Deadlock** (critical, likely). Seen at 2025-11-21 12:04:31.000 UTC at the lock `orders:42` (redis, database 0). ' +
      'It began at 2025-11-21 12:04:22.000 UTC. No end is known. Threads: `a:1`, `b:2`. ' +
      'a:1 waits for \\*b\\*. Now: Release one. Later: Sort them.',
  );
});

test('the text has the end of the incident if it is known', () => {
  expect(textOf(insight({ selfHealsAt: AT + 9 * S }))).toContain('It ends by itself at 2025-11-21 12:04:40.000 UTC.');
  const past = textOf(insight({ to: AT - 8 * S }));
  expect(past).toContain('It began at 2025-11-21 12:04:22.000 UTC and ended at 2025-11-21 12:04:23.000 UTC.');
  expect(past).not.toContain('by itself');
  expect(textOf(insight({ to: AT - 9 * S }))).toContain('It happened at 2025-11-21 12:04:22.000 UTC.');
});

test('the text of a verdict about a whole server has no threads', () => {
  const { lock: _, db: __, ...of } = insight({ holders: [] });
  expect(textOf(of)).toContain('at the server redis.');
  expect(textOf(of)).not.toContain('Threads');
});

test('if there are many threads, five are named', () => {
  const holders = Array.from({ length: 8 }, (_, n) => `t:${n}`);
  expect(textOf(insight({ holders }))).toContain('Threads: `t:0`, `t:1`, `t:2`, `t:3`, `t:4` and 3 more.');
});

test('a lock name cannot add Markdown', () => {
  const body = textOf(insight({ lock: 'a`b](http://evil)\n# x' }));
  expect(body).not.toContain('\n');
  expect(body).toContain('``a`b](http://evil)\\n# x``');
});

test('in Chinese, the text has the Chinese words for severity and confidence', () => {
  expect(verdictSentences(insight(), insight(), AT, ZH_CN).join('')).toContain('（严重，很可能）。');
});
