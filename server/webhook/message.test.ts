import { expect, test } from 'vitest';
import { slackBody } from './message.ts';

const VALUES = {
  ...{ severity: 'critical', confidence: 'certain', incident: 'abba-deadlock', insight: 'i', title: 'Deadlock' },
  ...{ explanation: '', advice: 'Release it.', lock: 'orders:42', source: 'redis-1', db: '0', holders: 'a:1, b:2' },
  ...{
    since: '2026-11-21T10:41:03.000Z',
    sinceBefore: '',
    endsAt: '',
    page: 'http://127.0.0.1:4680/locks/orders%3A42',
  },
};

const textOf = (values: Partial<typeof VALUES>): string =>
  (JSON.parse(slackBody({ ...VALUES, ...values }).body) as { text: string }).text;

test('names of threads are formatted as code, and the address of the page is a link', () => {
  const lines = textOf({}).split('\n');
  expect(lines).toContain('Who: `a:1, b:2`');
  expect(lines.at(-1)).toBe(VALUES.page);
});

test('a problem whose beginning was not seen is marked as older than the time in its message', () => {
  expect(textOf({})).toContain(`Since ${VALUES.since}.`);
  expect(textOf({ sinceBefore: VALUES.since })).toContain(`Since ${VALUES.since} or earlier.`);
});

test('a name cannot make a mention, link or image, even within a sentence', () => {
  const hostile = '@all ![x](http://evil/x.png) [y](//evil) www.evil.com `<!here>';
  const text = textOf({ explanation: `${hostile} waits.`, lock: hostile, holders: hostile });
  const outside = text.replace(/`[^`]*`/g, '').replace(VALUES.page, '');
  expect(outside).not.toMatch(/@\w|\]\(|:\/\/|www\.|<|`/);
  expect(outside).toContain('waits.');
});
