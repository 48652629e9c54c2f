import { expect, test } from 'vitest';
import { denseRunsFromEvents } from '../../../shared/spans/dense-runs.ts';
import { recordedScore } from '../testing/recorded-scores.ts';
import { type KindMemory, NO_MEMORY, rememberedAfter } from './kind-memory.ts';

test('behind a dead head, a card counts the same attempts as the lane', () => {
  const { events } = recordedScore('fair-dead-head').run;
  const [run] = denseRunsFromEvents(events);
  let memory: KindMemory = NO_MEMORY;
  for (const event of events.filter(({ seq }) => seq <= (run?.toSeq ?? 0))) {
    memory = rememberedAfter(memory, event, undefined);
  }
  expect(run?.attempts).toBeGreaterThan(10);
  expect(memory.polls.get(run?.holder ?? '')?.attempts).toBe(run?.attempts);
});
