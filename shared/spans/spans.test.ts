import { expect, test } from 'vitest';
import { holderOf, seconds, story } from '../../testing/stories/story.ts';
import type { LockEvent } from '../events/event.ts';
import { holdsFromEvents } from './holds-from-events.ts';
import { waitsFromEvents } from './waits-from-events.ts';

test('[H3] a hold lasts from its acquisition to its last release and has its highest hold count', () => {
  const holds = holdsFromEvents(
    story(`
    orders:42 lease 6s
    0.000  A attempts acquired
    1.000  A attempts reentered
    2.000  A renews
    3.000  A releases partly
    4.000  A releases
  `),
  );
  expect(holds).toMatchObject([
    {
      holder: holderOf('A'),
      from: seconds(0) + 2,
      to: seconds(4) + 2,
      ended: 'released',
      deepest: 2,
      isOpenStart: false,
    },
  ]);
  expect(holds[0]?.renewals).toHaveLength(1);
});

test('[L3] an expired hold ends with its lease', () => {
  const holds = holdsFromEvents(
    story(`
    orders:42 lease 2s
    0.000  A attempts acquired
    5.000  B attempts acquired
  `),
  );
  expect(holds).toMatchObject([
    { holder: holderOf('A'), to: seconds(2) + 3, ended: 'expired' },
    { holder: holderOf('B'), to: null, ended: null },
  ]);
});

test('[S5] a blind spot ends an open hold as unseen', () => {
  const holds = holdsFromEvents(
    story(`
    orders:42 lease 6s
    0.000  A attempts acquired
    1.000  - loses sight
    3.000  - sees again
    3.100  - snapshot A×1 5000
  `),
  );
  expect(holds).toMatchObject([
    { ended: 'unseen', isOpenStart: false },
    { ended: null, isOpenStart: true },
  ]);
});

test('[W1] [W4] a wait lasts from the first refusal to the acquisition and reports what ended it', () => {
  const waits = waitsFromEvents(
    story(`
    orders:42 lease 6s
    0.000  A attempts acquired
    1.000  B attempts refused
    1.001  B subscribes
    1.002  B attempts refused
    1.500  C attempts refused
    3.000  A releases
    3.001  B attempts acquired
  `),
  );
  expect(waits).toMatchObject([
    { holder: holderOf('B'), from: seconds(1) + 3, to: seconds(3.001) + 2, ended: 'message', attempts: 2 },
  ]);
});

test('[X2] a hold lost in a failover ends as lost when the blind spot began', () => {
  const [acquired, began] = story(`
    orders:42 lease 6s
    0.000  A attempts acquired
    1.000  - loses sight
  `);
  if (!acquired || !began) throw new Error('two events');
  const { source, lock } = acquired;
  const lost: LockEvent = {
    ...{ seq: 3, at: seconds(2), source, db: 0, lock, kind: 'lock', certainty: 'inferred' },
    type: 'lock.lost',
    holder: holderOf('A'),
    mode: 'exclusive',
    reason: 'failover',
  };
  expect(holdsFromEvents([acquired, began, lost])).toMatchObject([{ to: began.at, ended: 'lost' }]);
});

test('[W1] a thread refused once that acquires in a later call has not waited', () => {
  const events = story(`
    orders:42 lease 6s
    0.000  A attempts acquired
    1.000  B attempts refused
    2.000  A releases
    4.000  B attempts acquired
  `);
  expect(waitsFromEvents(events)).toEqual([]);
});

test('[W1] a thread that acquires at its second attempt has waited', () => {
  const events = story(`
    orders:42 lease 6s
    0.000  A attempts acquired
    1.000  B attempts refused
    1.001  B subscribes
    1.002  A releases
    1.003  B attempts acquired
  `);
  expect(waitsFromEvents(events)).toMatchObject([{ holder: holderOf('B'), ended: 'acquired' }]);
});

test('a wait whose thread already slept when it was first seen began before that', () => {
  const waits = (...lines: string[]) => waitsFromEvents(story(`orders:42 lease 30s\n${lines.join('\n')}`));
  const older = [
    '0.000 - snapshot A×1 30000 1',
    '5.000 B attempts refused',
    '20.000 A renews',
    '30.002 B attempts refused',
  ];
  const own = [
    '0.000 A attempts acquired',
    '5.000 B attempts refused',
    '5.001 B subscribes',
    '5.002 B attempts refused',
  ];
  expect(waits(...older)).toMatchObject([{ holder: holderOf('B'), isOpenStart: true }]);
  expect(waits(...older.slice(0, 2))).toMatchObject([{ holder: holderOf('B'), isOpenStart: true, ended: null }]);
  expect(waits(...own)).toMatchObject([{ holder: holderOf('B'), isOpenStart: false }]);
});
