import { expect, test } from 'vitest';
import { redisTime } from '../../../shared/base/time.ts';
import { merged } from '../../../testing/goldens/report-from-events.ts';
import { seconds, story } from '../../../testing/stories/story.ts';
import { inSlices } from '../slices/in-slices.ts';
import { EventStore } from '../store/event-store.ts';
import { waitCostsOf } from './wait-costs-of.ts';

/** Two threads take turns, each waits for the other, `turns` times in 60 s. */
function turnsOf(turns: number): string {
  const step = 60 / turns;
  const lines = ['x lease 30s', '0.000000 A attempts acquired'];
  for (let n = 0; n < turns; n++) {
    const [holder, waiter] = n % 2 === 0 ? ['A', 'B'] : ['B', 'A'];
    const at = (part: number) => ((n + part) * step).toFixed(6);
    lines.push(
      `${at(0.2)} ${waiter} attempts refused`,
      `${at(0.3)} ${waiter} subscribes`,
      `${at(0.4)} ${waiter} attempts refused`,
    );
    lines.push(`${at(0.9)} ${holder} releases`, `${at(1)} ${waiter} attempts acquired`);
  }
  return lines.join('\n');
}

function memoryOf(...texts: string[]) {
  const store = new EventStore(() => seconds(100));
  store.add(merged(...texts.map((text) => story(text))));
  return store.history.remembered();
}

test('if a range has too many waits, only its newest part is ranked, with every wait of that part', async () => {
  const memory = memoryOf(turnsOf(300));
  const { from, isCut, ranking } = await inSlices(waitCostsOf(memory, { from: seconds(0), to: seconds(60) }, 200));
  expect(isCut).toBe(true);
  expect(from).toBeGreaterThan(seconds(1));
  const again = await inSlices(waitCostsOf(memory, { from, to: seconds(60) }, 200));
  expect(again.isCut).toBe(false);
  expect(again.ranking.total).toMatchObject({ waits: ranking.total.waits, waited: ranking.total.waited });
});

test('a hold that began before the range is part of the cost of waits in it', async () => {
  const memory = memoryOf(
    'x lease 90s\n0.000 C attempts acquired\n30.000 D attempts refused\n30.001 D subscribes\n30.002 D attempts refused',
    turnsOf(300).replace('x lease', 'y lease'),
  );
  const { ranking } = await inSlices(waitCostsOf(memory, { from: redisTime(seconds(40)), to: seconds(50) }));
  expect(ranking.locks.get('story/0/x')?.parts.parts(5)).toMatchObject([{ cause: 'hold', micros: 10_000_000 }]);
});

test('holds after the range do not displace those in it', async () => {
  const memory = memoryOf(turnsOf(300));
  const first = { from: seconds(0), to: seconds(6) };
  const { isCut, ranking } = await inSlices(waitCostsOf(memory, first, 100));
  expect(isCut).toBe(false);
  const whole = await inSlices(waitCostsOf(memory, first));
  expect(ranking.total.waits).toBe(30);
  expect(ranking.total).toMatchObject({ waits: whole.ranking.total.waits, waited: whole.ranking.total.waited });
  expect(ranking.total.parts.parts(5)).toEqual(whole.ranking.total.parts.parts(5));
});
