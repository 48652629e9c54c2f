import { expect, test } from 'vitest';
import { EN } from '../../words/en.ts';
import { captionText } from '../captions/caption.ts';
import { RELEASE, runOf, SHOW } from '../testing/runs.ts';
import { beatsFromEvents } from './beats-from-events.ts';

const spoken = (run: ReturnType<typeof runOf>) =>
  beatsFromEvents(run).beats.flatMap(({ caption }) => (caption ? [captionText(caption, EN)] : []));

test('the captions of the show follow its events, with the measured numbers', () => {
  expect(spoken(SHOW())).toEqual([
    'A acquires the lock. Redis grants a 6-second lease.',
    'Every 2 seconds A’s watchdog renews the lease.',
    'B asks: busy, lease left 5.5 s.',
    'B subscribes, checks once more, then sleeps. No polling.',
    'A deletes the key and publishes one message.',
    'B wakes, asks again, gets it: 0.3 ms later.',
    'Released. No thread is waiting, so none wakes.',
    'A acquires it again.',
    'A crashes. Nothing renews the lease now.',
    'B asks: lease left 5.0 s.',
    'B subscribes, checks once more, then sleeps. No polling.',
    'The renewal is overdue.',
    'The lease expired: Redis deletes A’s key.',
    'No message came: B’s own timer woke it. It gets the lock.',
    'Released. No thread is waiting, so none wakes.',
  ]);
});

test('the caption of the first renewal after a re-entry names the re-entry, which set the lease again', () => {
  const run = runOf(`
    orders:42 lease 6s
    0.000  A attempts acquired
    1.200  A attempts reentered
    2.000  A renews
  `);
  expect(spoken(run)).toContain('A’s watchdog renews the lease, 0.8 seconds after the re-entry set it.');
});

test('a caption writes one second in the singular', () => {
  const run = runOf(`
    orders:42 lease 6s
    0.000  A attempts acquired
    1.000  A attempts reentered
    2.000  A renews
  `);
  expect(spoken(run)).toContain('A’s watchdog renews the lease, 1 second after the re-entry set it.');
});

test('beats stay the same while a run continues', () => {
  const whole = SHOW();
  const all = beatsFromEvents(whole).beats;
  for (let count = 0; count <= whole.events.length; count++) {
    const known = whole.events.slice(0, count);
    const until = whole.events[count]?.at ?? Number.POSITIVE_INFINITY;
    const faults = whole.faults.filter(({ at }) => at < until);
    const beats = beatsFromEvents({ ...whole, events: known, faults }).beats.filter(({ at }) => at < until);
    expect(beats).toEqual(all.slice(0, beats.length));
  }
});

test('no caption of the show or of an expired lease is longer than twelve words', () => {
  const accident = runOf(`
    orders:42 lease 3s
    0.000 A attempts acquired
    0.800 B attempts refused
    0.801 B subscribes
    0.802 B attempts refused
    3.000 A hears expired
    3.0001 B attempts acquired
    5.000 A unlock refused
    6.000 B releases
  `);
  const captions = [...spoken(SHOW()), ...spoken(accident)];
  expect(captions).toContain('B gets it; A still works. Two work at once.');
  expect(captions).toContain('A acquires the lock for 3 seconds, without a watchdog.');
  expect(captions).toContain('A’s unlock is refused: its lease has expired.');
  for (const caption of captions) expect(caption.split(' ').length, caption).toBeLessThanOrEqual(12);
});

test('the caption of an irregular first renewal has the measured delay', () => {
  const run = runOf(`
    orders:42 lease 6s
    0.000 A attempts acquired
    0.700 A renews
  `);
  expect(spoken(run).at(-1)).toBe('A’s watchdog renews the lease, 0.7 seconds after it was set.');
});

test('a renewal is not overdue if its client is thawed before it is due', () => {
  const text = `
    orders:42 lease 6s
    0.000 A attempts acquired
    2.000 A renews
    5.000 A renews
  `;
  const frozen = { at: 3, client: 'A', name: 'frozen' as const };
  const overdue = (run: ReturnType<typeof runOf>) =>
    beatsFromEvents(run).beats.flatMap((beat) => (beat.emphasis === 'overdue' ? [beat.at - run.events[0]!.at] : []));
  expect(overdue(runOf(text))).toEqual([]);
  expect(overdue(runOf(text, [frozen]))).toEqual([4_000_000, 7_000_000]);
  expect(overdue(runOf(text, [frozen, { at: 3.5, client: 'A', name: 'thawed' }]))).toEqual([]);
});

test('the lens opens between the message and the acquisition it caused, and nowhere else', () => {
  const { beats, run } = beatsFromEvents(SHOW());
  const typeOf = (seq: number | null | undefined) => run.events.find((event) => event.seq === seq)?.type;
  expect(
    beats.flatMap(({ lens }) => (lens ? [[typeOf(lens.release), typeOf(lens.message), typeOf(lens.granted)]] : [])),
  ).toEqual([['lock.released', 'wakeup.published', 'lock.acquired']]);
  expect(beatsFromEvents(runOf(RELEASE)).beats.filter(({ lens }) => lens)).toHaveLength(1);
});
