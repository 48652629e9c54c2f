import { expect, test } from 'vitest';
import { plusMillis } from '../../../shared/base/time.ts';
import type { EventOf } from '../../../shared/events/event.ts';
import { EN } from '../../words/en.ts';
import { beatsFromEvents } from '../beats/beats-from-events.ts';
import { runOfTrace } from '../testing/run-of-trace.ts';
import { runOf } from '../testing/runs.ts';
import { captionText } from './caption.ts';

function lastTextOf(run: Parameters<typeof beatsFromEvents>[0]): string | undefined {
  const captions = beatsFromEvents(run).beats.flatMap(({ caption }) => caption ?? []);
  const last = captions.at(-1);
  return last && captionText(last, EN);
}

test('the caption of an unlock that is refused after the lease expired names the lease', () => {
  const run = runOf('orders:42 lease 6s\n 0.000 A attempts acquired\n 6.000 A hears expired\n 7.000 A unlock refused');
  expect(lastTextOf(run)).toBe('A’s unlock is refused: its lease has expired.');
});

test('the caption of an unlock that is refused after a force-unlock does not name the lease', () => {
  const earlier = '0.000 A attempts acquired\n 6.000 A hears expired\n 7.000 A attempts acquired';
  const run = runOf(`orders:42 lease 6s\n ${earlier}\n 8.000 B force-unlocks\n 9.000 A unlock refused`);
  expect(lastTextOf(run)).toBe('A’s unlock is refused: no client holds the lock.');
});

test.each([
  ['semaphore', 'gate'],
  ['expirable-semaphore', 'slots'],
])(
  'the caption of a client that is killed while it may hold a permit of a %s does not claim that it held nothing',
  (trace, lock) => {
    const run = runOfTrace(trace, lock);
    const taken = run.events.findIndex(({ type }) => type === 'permits.acquired');
    const events = run.events.slice(0, taken + 1);
    const { at, holder } = events[taken] as EventOf<'permits.acquired'>; // found by its type
    const name = holder ?? '';
    const cast = [{ id: 'A', name, uuids: ['uuid of A'] }];
    const fault = { at: plusMillis(at, 1000), client: name, uuid: 'uuid of A', name: 'killed' } as const;
    expect(lastTextOf({ ...run, cast, events, faults: [fault] })).toBe('A is killed while it may hold a permit.');
    const earlier = run.events.slice(0, taken);
    expect(lastTextOf({ ...run, cast, events: earlier, faults: [fault] })).toBe('A is killed. It held nothing.');
  },
);
