import { expect, test } from 'vitest';
import { dumpStory } from '../../testing/stories/dump-story.ts';
import { lockAt } from '../../testing/stories/lock-at.ts';
import { holderOf, seconds, story, waitsAt } from '../../testing/stories/story.ts';
import { clientOf } from '../events/names/names.ts';
import { Drawing } from './graph-drawing.ts';
import { addJvmEdges } from './jvm-edges.ts';

test('grouped threads that block each other inside a JVM give no edge from their client to itself', () => {
  const locks = [lockAt(story(`x lease 60s\n 0.000 A attempts acquired\n${waitsAt('B', 1)}`), seconds(20))];
  const threads = { 1: 'blocked by 2', 2: 'blocked by 3 with monitor', 3: 'blocked by 2 with monitor' };
  const drawing = new Drawing(
    () => false,
    (holder) => holder !== holderOf('A'),
  );
  for (const lock of locks) drawing.add(lock);
  addJvmEdges(drawing, locks, dumpStory({ threads, takenAt: seconds(15) }), seconds(20));
  const blocked = drawing.result().edges.filter(({ kind }) => kind === 'blocked');
  expect(blocked).toMatchObject([
    { from: `thread ${holderOf('A')}`, to: `client ${clientOf(holderOf('A'))}`, threads: 1 },
  ]);
});
