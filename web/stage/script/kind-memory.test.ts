import { expect, test } from 'vitest';
import { denseRunsFromEvents } from '../../../shared/spans/dense-runs.ts';
import { recordedStoryboard } from '../testing/recorded-storyboards.ts';
import { type KindMemory, NO_MEMORY, pollsOf, rememberedAfter } from './kind-memory.ts';

test('behind a dead head, a card shows as many attempts as the lane', () => {
  const { events } = recordedStoryboard('fair-dead-head').run;
  const [run] = denseRunsFromEvents(events);
  let memory: KindMemory = NO_MEMORY;
  for (const event of events.filter(({ seq }) => seq <= (run?.toSeq ?? 0))) {
    memory = rememberedAfter(memory, event, undefined);
  }
  expect(run?.attempts).toBeGreaterThan(10);
  expect(pollsOf(memory, run?.holder ?? '')).toBe(run?.attempts);
});

test('a card shows the number of the newest attempt of a spinning waiter, because the page leaves out most attempts', () => {
  const { events } = recordedStoryboard('spin').run;
  const refused = events.filter(({ type }) => type === 'lock.refused');
  const [first, last] = [refused[0], refused.at(-1)];
  const [run] = denseRunsFromEvents(events);
  if (first?.type !== 'lock.refused' || last?.type !== 'lock.refused') throw new Error('no attempts');
  const memory = [first, last].reduce((before, event) => rememberedAfter(before, event, undefined), NO_MEMORY);
  expect(run?.attempts).toBeGreaterThan(10);
  expect(pollsOf(memory, last.holder)).toBe(run?.attempts);
});

test('a waiter that sleeps after its first attempt does not poll', () => {
  const { events } = recordedStoryboard('two-threads').run;
  for (const event of events) {
    const memory = rememberedAfter(NO_MEMORY, event, undefined);
    if (event.type === 'lock.refused') expect(pollsOf(memory, event.holder)).toBeNull();
  }
});

test('a waiter that sleeps again has no timer if Redis replied without a time', () => {
  const { events } = recordedStoryboard('two-threads').run;
  const asleep = events.find((event) => event.type === 'lock.refused' && event.asleep);
  if (asleep?.type !== 'lock.refused') throw new Error('no waiter sleeps');
  const memory = rememberedAfter(NO_MEMORY, asleep, undefined);
  expect(memory.timers.has(asleep.holder)).toBe(true);
  expect(rememberedAfter(memory, { ...asleep, ttlMs: null }, undefined).timers.has(asleep.holder)).toBe(false);
});
