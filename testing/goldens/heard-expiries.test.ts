import { expect, test } from 'vitest';
import { goldens } from '../traces/read-trace.ts';
import { eventsFromTrace } from '../traces/trace-file.ts';

test('[L3] in every trace with key events, each expiry is observed, because Redis reported it', () => {
  const ofTraces = goldens().filter(({ name }) => !name.startsWith('events-off'));
  const expiries = ofTraces.flatMap(({ trace, isPushFirst }) =>
    eventsFromTrace(trace(), isPushFirst).filter(({ type }) => type === 'lease.expired'),
  );
  expect(expiries.length).toBeGreaterThan(100);
  expect(expiries.filter(({ certainty }) => certainty === 'inferred')).toEqual([]);
});
