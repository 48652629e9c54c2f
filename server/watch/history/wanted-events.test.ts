import { expect, test } from 'vitest';
import type { LockEvent } from '../../../shared/events/event.ts';
import { DETECTORS } from '../../../shared/insights/detectors/all.ts';
import { wantedEvents } from '../../../shared/insights/run.ts';
import { lockIdOf } from '../../../shared/state/lock-state.ts';
import { reportAt } from '../../../testing/goldens/report-from-events.ts';
import { holderOf, seconds, story } from '../../../testing/stories/story.ts';
import { LookChanges } from './look-changes.ts';
import { WantedEvents } from './wanted-events.ts';

/** Each turn has two events: together they are more than are kept beside wanted events. */
const TURNS = 12_000;

function turns(first: number, many: number): string[] {
  return Array.from({ length: many }, (_, n) => {
    const at = first + n * 0.01;
    return ` ${at.toFixed(3)} B attempts acquired\n ${(at + 0.005).toFixed(3)} B releases`;
  });
}

test('if the list is full, a refused renewal is kept together with the release of its thread, and the gap is marked', () => {
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
  expect(ofA.map(({ type }) => type)).toEqual(['lock.acquired', 'lock.released', 'renewal.refused']);
  expect(wanted.now(end)).toEqual(kept);
  expect(wanted.dropped?.since).toBeGreaterThan(seconds(6));
  expect(wanted.dropped?.since).toBeLessThan(seconds(6 + TURNS / 100));
  expect(wanted.dropped?.to).toBeLessThan(end);
});

test('if the list is full, the next acquisition and the refusal of the former holder are kept with a loss', () => {
  const loss = [
    'orders:42 lease 30s',
    '0.000 A attempts acquired',
    ' 1.000 operator command DEL orders:42',
    ' 2.000 B attempts acquired',
    ' 3.000 A unlock refused',
    ' 4.000 B releases',
  ];
  const events = story([...loss, ...turns(6, TURNS)].join('\n'));
  const wanted = new WantedEvents(wantedEvents(DETECTORS), new LookChanges());
  for (const event of events) wanted.take(event);
  const end = seconds(7 + TURNS / 100);
  const watching = { detectors: DETECTORS };
  const isOfLoss = ({ incident }: { incident: string }) => incident === 'operator-delete-or-flush';
  const before = reportAt(story(loss.join('\n')), seconds(5), watching).insights.filter(isOfLoss);
  expect(before).toMatchObject([{ values: { takenBy: holderOf('B') }, to: seconds(3.000_001) }]);
  const lockId = before[0]?.lockId ?? '';
  expect(wanted.of(lockId, end).length).toBeLessThan(TURNS * 2);
  expect(reportAt(wanted.of(lockId, end), end, watching).insights.filter(isOfLoss)).toEqual(before);
});

test('12,000 releases of permits in time displace no rare event, and a late release is kept as a rare event', () => {
  const events = story('orders:42 lease 30s\n 0.000 A attempts acquired\n 1.000 A unlock refused');
  const [first] = events;
  const released = (n: number, more: object) =>
    ({
      ...{ ...first, seq: 10 + n, at: seconds(2 + n / 100), lock: 'gate', kind: 'expirable-semaphore' },
      ...{ type: 'permits.released', permits: 1, ...more },
    }) as LockEvent; // with the fields of such an event
  const wanted = new WantedEvents(wantedEvents(DETECTORS), new LookChanges());
  for (const event of events) wanted.take(event);
  for (let n = 0; n < TURNS; n++) wanted.take(released(n, {}));
  expect(wanted.dropped).toBeUndefined();
  const end = seconds(3 + TURNS / 100);
  expect(wanted.now(end).map(({ type }) => type)).toEqual(['lock.acquired', 'unlock.refused']);
  const late = released(TURNS, { isLate: true });
  wanted.take(late);
  expect(wanted.now(end).at(-1)).toEqual(late);
});
