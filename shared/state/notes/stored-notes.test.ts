import { expect, test } from 'vitest';
import { lockAt } from '../../../testing/stories/lock-at.ts';
import { seconds, story } from '../../../testing/stories/story.ts';
import type { LockState } from '../lock-state.ts';
import { withStoredNotes } from './stored-notes.ts';

test('a stored state keeps its notes, so a problem that lasts over a restart does not seem to begin with the restart', () => {
  const waits = [...'BCDEFGHIJKLM'].map(
    (who, n) =>
      `${n + 1} ${who} attempts refused\n${n + 1}.001 ${who} subscribes\n${n + 1}.002 ${who} attempts refused`,
  );
  const text = `orders:42 lease 30s\n0 A attempts acquired\n0.5 A releases\n0.6 A attempts acquired\n${waits.join('\n')}`;
  const { notes, ...facts } = lockAt(story(text), seconds(20));
  expect(notes).toMatchObject({ crowdedSince: { at: expect.any(Number) }, recentHolds: [expect.any(Number)] });
  const stored = JSON.parse(JSON.stringify({ ...facts, ...notes })) as LockState;
  expect(withStoredNotes(stored).notes).toEqual(notes);
  const without = JSON.parse(JSON.stringify(facts)) as LockState;
  expect(withStoredNotes(without)).toBe(without);
});
