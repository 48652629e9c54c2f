import { expect, test } from 'vitest';
import { DETECTORS } from '../../../shared/insights/detectors/all.ts';
import { wantedEvents } from '../../../shared/insights/run.ts';
import { lockIdOf } from '../../../shared/state/lock-state.ts';
import { holderOf, seconds, story } from '../../../testing/stories/story.ts';
import { LookChanges } from './look-changes.ts';
import { WantedEvents } from './wanted-events.ts';

/** More events than are kept beside wanted ones. */
const TURNS = 12_000;

function turns(first: number, many: number): string[] {
  return Array.from({ length: many }, (_, n) => {
    const at = first + n * 0.01;
    return ` ${at.toFixed(3)} B attempts acquired\n ${(at + 0.005).toFixed(3)} B releases`;
  });
}

test('when the list is full, a refused renewal keeps the release of its thread beside it, and what is missing is known', () => {
  const events = story(
    [
      'orders:42 lease 30s',
      '0.000 A attempts acquired',
      ' 1.000 A releases',
      ' 5.000 A renewal refused',
      ...turns(6, TURNS),
      ` ${6 + TURNS / 100}.000 C renewal refused`,
    ].join('\n'),
  );
  const wanted = new WantedEvents(wantedEvents(DETECTORS), new LookChanges());
  for (const event of events) wanted.take(event);
  const end = seconds(7 + TURNS / 100);
  const [refused] = events.filter(({ type }) => type === 'renewal.refused');
  const kept = refused ? wanted.of(lockIdOf(refused), end) : [];
  expect(kept.length).toBeLessThan(TURNS * 2);
  const ofA = kept.filter((event) => 'holder' in event && event.holder === holderOf('A'));
  expect(ofA.map(({ type }) => type)).toEqual(['lock.released', 'renewal.refused']);
  expect(wanted.now(end)).toEqual(kept);
  expect(wanted.dropped?.since).toBeGreaterThan(seconds(6));
  expect(wanted.dropped?.since).toBeLessThan(seconds(6 + TURNS / 100));
  expect(wanted.dropped?.to).toBeLessThan(end);
});
