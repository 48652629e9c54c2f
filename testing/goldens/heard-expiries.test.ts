import { expect, test } from 'vitest';
import { goldens } from '../traces/read-trace.ts';
import { eventsFromTrace } from '../traces/trace-file.ts';

test('[L3] in every trace whose key events were on, each expiry is observed: Redis reported it', () => {
  const ofTraces = goldens().filter(({ name }) => !name.startsWith('events-off'));
  const expiries = ofTraces.flatMap(({ trace, isPushFirst }) =>
    eventsFromTrace(trace(), isPushFirst).filter(({ type }) => type === 'lease.expired'),
  );
  expect(expiries.length).toBeGreaterThan(100);
  expect(expiries.filter(({ certainty }) => certainty === 'inferred')).toEqual([]);
});
