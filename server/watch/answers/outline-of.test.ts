import { expect, test } from 'vitest';
import { redisTime } from '../../../shared/base/time.ts';
import { Ranges } from '../../../shared/trends/ranges.ts';
import type { Span } from '../../../shared/wire/http.ts';
import { randomEvents } from '../../testing/random-events.ts';
import { EventStore } from '../store/event-store.ts';

const COLUMNS = 300;

/** The columns that are touched, as a text with one character for each column. */
function picture(pairs: readonly number[]): string {
  const cells = Array.from({ length: COLUMNS }, () => '.');
  for (let i = 0; i < pairs.length; i += 2) cells.fill('#', pairs[i], (pairs[i] ?? 0) + (pairs[i + 1] ?? 0));
  return cells.join('');
}

function pictureOf(spans: readonly Span[], from: number, to: number): string {
  const pairs = spans.flatMap((span) => {
    const ranges = new Ranges();
    ranges.set(true, span.from);
    ranges.set(false, span.to ?? to);
    return [ranges.columns(from, to, COLUMNS, to)];
  });
  return Array.from({ length: COLUMNS }, (_, n) => (pairs.some((pair) => picture(pair)[n] === '#') ? '#' : '.')).join(
    '',
  );
}

test.each([1, 2, 3])('an outline shows the holds of plain locks as their spans do: random events %i', async (seed) => {
  const events = randomEvents(seed, 30, 600);
  const now = redisTime(Math.max(...events.map(({ at }) => at)));
  const store = new EventStore(() => now);
  store.add(events);
  const from = events[0]?.at ?? 0;
  const { locks, events: count } = await store.answers.outline({ from, to: now, columns: COLUMNS });
  expect(count).toBe(events.length);
  const plain = locks.filter(({ kind }) => kind === 'lock');
  expect(plain.length).toBeGreaterThan(3);
  for (const { source, db, lock, held } of plain) {
    const { spans } = await store.answers.spans({ source, db, lock, from, to: now });
    const holds = spans.filter(({ kind }) => kind === 'hold');
    expect([lock, picture(held)]).toEqual([lock, pictureOf(holds, from, now)]);
  }
});
