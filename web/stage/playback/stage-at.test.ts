import { expect, test } from 'vitest';
import { plusMillis } from '../../../shared/base/time.ts';
import { holderOf } from '../../../testing/stories/story.ts';
import { beatsFromEvents, type Emphasis } from '../beats/beats-from-events.ts';
import { comparisonFrom } from '../beats/comparison-from-run.ts';
import { runOf, SHOW } from '../testing/runs.ts';
import { lensFromLines } from '../view/lens-from-lines.ts';
import { positionOf, startOf } from './position.ts';
import { stageAt } from './stage-at.ts';

const STORYBOARD = beatsFromEvents(SHOW());

const beatOf = (emphasis: Emphasis, n = 0) => STORYBOARD.beats.filter((beat) => beat.emphasis === emphasis)[n]!;
const after = (emphasis: Emphasis, n = 0) => stageAt(STORYBOARD, positionOf(beatOf(emphasis, n)));
const thread = (picture: ReturnType<typeof stageAt>, client: string) =>
  picture.actors.find((actor) => actor.client === client)!.threads[0]!;

test('before the first beat, A is idle and the lock is free', () => {
  const picture = stageAt(STORYBOARD, startOf(STORYBOARD));
  expect(picture).toMatchObject({ beat: null, caption: null, envelope: null, locks: [{ holders: [], leftMs: null }] });
  expect(thread(picture, 'A').doing).toBe('idle');
});

test('an envelope leaves before its event happens, and returns with the remaining lease', () => {
  const beat = beatOf('refused');
  const early = stageAt(STORYBOARD, {
    at: plusMillis(beat.at, -200),
    beat: STORYBOARD.beats[STORYBOARD.beats.indexOf(beat) - 1]!.id,
    heldMs: 0,
  });
  expect(early.envelope).toMatchObject({ client: 'B', way: 'to-redis', label: { is: 'eval' } });
  expect(thread(early, 'B').doing).toBe('idle');
  const later = stageAt(STORYBOARD, { at: beat.at, beat: beat.id, heldMs: beat.animation.landMs + 100 });
  expect(later.envelope).toMatchObject({ client: 'B', way: 'from-redis', label: { is: 'busy', leftMs: 5500 } });
  expect(thread(later, 'B').doing).toBe('asks');
});

test('the TTL falls with Redis’s clock and rises when the renewal arrives', () => {
  const beat = beatOf('renewed');
  const before = stageAt(STORYBOARD, { at: plusMillis(beat.at, -1), beat: STORYBOARD.beats[0]!.id, heldMs: 9999 });
  expect(before.locks[0]?.leftMs).toBeCloseTo(4001, 0);
  expect(after('renewed').locks[0]?.leftMs).toBeCloseTo(6000, 0);
  expect(thread(before, 'A')).toMatchObject({ watchdog: 'on', renewalEveryMs: 2000 });
});

test('B has its own timer while it sleeps, and works after the message woke it', () => {
  expect(thread(after('asleep'), 'B')).toMatchObject({ doing: 'asleep' });
  expect(thread(after('asleep'), 'B').wakesInMs).toBeCloseTo(5498, 0);
  expect(thread(after('woken'), 'B')).toMatchObject({ doing: 'works', count: 1 });
  expect(after('released').locks[0]?.holders).toEqual([]);
});

test('after A is killed, its missing renewal is shown, and no longer once B has the lock', () => {
  const dark = after('dark');
  expect(dark.actors[0]).toMatchObject({ client: 'A', state: 'dead' });
  expect(dark.locks[0]?.isUnrenewed).toBe(true);
  expect(dark.overdue).toBeNull();
  const overdue = after('overdue');
  const due = plusMillis(STORYBOARD.run.events.filter(({ type }) => type === 'lease.renewed').at(-2)!.at, 2000);
  expect(overdue.at).toBe(due);
  expect(overdue.overdue).toEqual({ letter: 'A', dueAt: due });
  const over = after('own-timer');
  expect(over.overdue).toBeNull();
  expect(over.locks[0]?.holders).toMatchObject([{ letter: 'B', count: 1 }]);
  expect(thread(over, 'A').doing).toBe('idle');
});

test('a holder without a watchdog thinks it holds the expired lock until its unlock is refused', () => {
  const storyboard = beatsFromEvents(
    runOf(`
    orders:42 lease 3s
    0.000 A attempts acquired
    0.800 B attempts refused
    0.801 B subscribes
    0.802 B attempts refused
    3.000 A hears expired
    3.0001 B attempts acquired
    5.000 A unlock refused
  `),
  );
  const at = (n: number) => stageAt(storyboard, positionOf(storyboard.beats.at(n)!));
  expect(thread(at(0), 'A')).toMatchObject({ doing: 'works', watchdog: 'off' });
  expect(thread(at(-2), 'A').doing).toBe('believes');
  expect(thread(at(-2), 'B').doing).toBe('works');
  expect(thread(at(-1), 'A').doing).toBe('lost');
});

test('when a waiter falls asleep, one envelope moves after the other: SUBSCRIBE, EVAL and the refusal', () => {
  const beat = beatOf('asleep');
  const labels = new Set<string>();
  for (let heldMs = 0; heldMs < beat.animation.endMs; heldMs += 10) {
    labels.add(stageAt(STORYBOARD, { at: beat.at, beat: beat.id, heldMs }).envelope?.label.is ?? 'none');
  }
  expect([...labels]).toEqual(['subscribe', 'eval', 'busy']);
});

test('the comparison of a wake-up by message with a wait for the timer has both measured times, and the fault before it', () => {
  const { messageMs, timerMs, before } = comparisonFrom(STORYBOARD)!;
  const events = STORYBOARD.run.events;
  const acquisitions = events.filter((event) => event.type === 'lock.acquired' && event.holder === holderOf('B'));
  const message = events.find((event) => event.type === 'wakeup.published')!;
  expect(messageMs).toBe((acquisitions[0]!.at - message.at) / 1000);
  expect(timerMs).toBe(acquisitions[1]!.type === 'lock.acquired' ? acquisitions[1]!.waitedMs : Number.NaN);
  expect(before).toBe('killed');
  expect(comparisonFrom({ ...STORYBOARD, run: { ...STORYBOARD.run, faults: [] } })?.before).toBeNull();
});

test('the lens has marks from Redis lines; without lines, it has only the marks that events show', () => {
  const lens = STORYBOARD.beats.find((beat) => beat.lens)!.lens!;
  const lines: Record<number, string[]> = {
    [lens.release ?? 0]: [
      '1795000007.000000 [0 10.0.0.1:1] "EVALSHA" "ab" "1" "orders:42"',
      '1795000007.000040 [0 lua] "del" "orders:42"',
      '1795000007.000053 [0 lua] "PUBLISH" "redisson_lock__channel:{orders:42}" "0"',
    ],
    [lens.granted]: [
      '1795000007.000230 [0 10.0.0.1:2] "EVALSHA" "cd" "1" "orders:42"',
      '1795000007.000322 [0 lua] "hincrby" "orders:42" "x" "1"',
    ],
  };
  const view = lensFromLines(lens, STORYBOARD.run.events, (seq) => lines[seq] ?? []);
  expect(view.marks).toEqual([
    { what: 'del', micros: 0, known: 'line' },
    { what: 'publish', micros: 13, known: 'line' },
    { what: 'eval', micros: 190, known: 'line' },
    { what: 'granted', micros: 282, known: 'line' },
  ]);
  expect(view).toMatchObject({ micros: 282, factor: 5000 });
  const unread = lensFromLines(lens, STORYBOARD.run.events, () => []);
  expect(unread.marks.map(({ what, known }) => `${what} ${known}`)).toEqual(['publish event', 'granted event']);
});
