import { expect, test } from 'vitest';
import { merged } from '../../../testing/goldens/report-from-events.ts';
import { holderOf, seconds, story } from '../../../testing/stories/story.ts';
import { inSlices } from '../slices/in-slices.ts';
import { EventStore } from '../store/event-store.ts';
import { rhythmOf } from './rhythm-of.ts';

const client = holderOf('A').split(':')[0] ?? '';

function memoryOf(...texts: string[]) {
  const store = new EventStore(() => seconds(3000));
  store.add(merged(...texts.map((text) => story(text))));
  return store.history.remembered();
}

/** Client A renews a lease of 30 s every ten seconds. */
function renewing(lock: string, from: number, to: number): string {
  const lines = [`${lock} lease 30s`, `${from} A attempts acquired`];
  for (let at = from + 10; at <= to; at += 10) lines.push(`${at} A renews`);
  return lines.join('\n');
}

test('renewals are counted in the ten minutes before an instant', async () => {
  const memory = memoryOf(renewing('x', 0, 2000));
  const rhythm = await inSlices(rhythmOf(memory, { source: 'story', client, to: seconds(1500) }));
  expect(rhythm).toMatchObject({ from: seconds(900), renewals: 60, late: 0, expired: 0, pauses: [] });
});

test('renewals are counted from the first event in memory on, and only those of the given source', async () => {
  const memory = memoryOf(renewing('x', 100, 200));
  const rhythm = (source: string) => inSlices(rhythmOf(memory, { source, client, to: seconds(300) }));
  expect(await rhythm('story')).toMatchObject({ from: memory.oldestAt, renewals: 10 });
  expect(await rhythm('other')).toMatchObject({ renewals: 0, longestMs: null });
});

test('if events are missing, renewals are counted only from the instant at which memory continues', async () => {
  const store = new EventStore(() => seconds(3000));
  const [before, after] = [story(renewing('x', 0, 100)), story(renewing('x', 300, 500))];
  store.add(before);
  store.history.continueAt(before.length + 1, true, seconds(250));
  store.add(after.map((event, n) => ({ ...event, seq: before.length + 1 + n })));
  const memory = store.history.remembered();
  const rhythm = (to: number) => inSlices(rhythmOf(memory, { source: 'story', client, to: seconds(to) }));
  expect(await rhythm(510)).toMatchObject({ from: seconds(250), renewals: 20 });
  expect(await rhythm(110)).toMatchObject({ from: memory.oldestAt, renewals: 10 });
});
