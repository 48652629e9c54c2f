import { expect, test } from 'vitest';
import { beatsFromEvents } from '../beats/beats-from-events.ts';
import { runOfTrace } from '../testing/run-of-trace.ts';
import { positionOf } from './position.ts';
import { stageAt } from './stage-at.ts';

test('a writer that reads as well shows both of its holds, on its card and in Redis', () => {
  const storyboard = beatsFromEvents(runOfTrace('read-write', 'catalog'));
  const pictures = storyboard.beats.map((beat) => stageAt(storyboard, positionOf(beat)));
  const both = pictures.filter(({ locks }) => new Set(locks[0]?.holders.map(({ mode }) => mode)).size === 2);
  expect(both.length).toBeGreaterThan(0);
  for (const { actors, locks } of both) {
    const writer = locks[0]?.holders.find(({ mode }) => mode === 'write')?.letter;
    const thread = actors.flatMap(({ threads }) => threads).find(({ letter }) => letter === writer);
    expect(thread).toMatchObject({ doing: 'works', mode: 'write', count: 1, alsoReads: 1 });
  }
  const writing = pictures.find(({ locks }) => locks[0]?.holders.every(({ mode }) => mode === 'write'));
  const alone = writing?.actors.flatMap(({ threads }) => threads).find(({ mode }) => mode === 'write');
  expect(alone?.alsoReads).toBeNull();
});
