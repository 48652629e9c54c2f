import { describe, expect, test } from 'vitest';
import { verdictAt, type Watching } from '../../../../testing/goldens/report-from-events.ts';
import { readWriteStory } from '../../../../testing/stories/read-write-story.ts';
import { holderOf, seconds } from '../../../../testing/stories/story.ts';
import type { LockEvent } from '../../../events/event.ts';

const WRITER: readonly [number, string][] = [
  [1.01, 'W writes'],
  [1.02, 'W subscribes'],
  [1.03, 'W writes'],
  [6.95, 'W writes'],
];

/**
 * A new reader comes every 0.4 s from second 0 to 12 and reads for 0.5 s, so that readers overlap unless there is a
 * gap. A writer waits from 1 s on.
 */
function verdict(
  at: number,
  watching: Watching = {},
  gap?: number,
  writer = WRITER,
  change = (events: readonly LockEvent[]) => events,
) {
  const lines = [...writer];
  for (let n = 0; n < 30; n++) {
    const who = `A${n + 1}`;
    const begin = n * 0.4;
    const isGap = gap !== undefined && begin <= gap && begin + 0.5 > gap;
    lines.push([begin, `${who} reads`], [begin + (isGap ? 0.3 : 0.5), `${who} unlocks read`]);
  }
  const story = lines.sort(([a], [b]) => a - b).map(([time, what]) => `${time.toFixed(3)} ${what}`);
  return verdictAt('writer-starvation', change(readWriteStory(story.join('\n'))), seconds(at), watching);
}

describe('writer-starvation', () => {
  test('[W16] fires when a writer has waited for 5 s while readers were admitted and the lock was never free', () => {
    expect(verdict(4)).toEqual([]);
    expect(verdict(8)).toMatchObject([
      {
        ...{ severity: 'hint', confidence: 'certain', holders: [holderOf('W')], to: null, selfHealsAt: null },
        values: { holder: holderOf('W'), writers: 1, reads: expect.any(Number) },
      },
    ]);
  });

  test('reports the beginning as a lower limit if the wait of the writer began before it was seen', () => {
    const writer: [number, string][] = [
      [1.01, 'W writes'],
      [1.02, 'W subscribes'],
      [2.5, 'W writes'],
    ];
    const older = (events: readonly LockEvent[]) =>
      events.map((event) =>
        event.type === 'lock.refused' && event.attempt === 1 ? { ...event, isOlder: true as const } : event,
      );
    const found = verdict(8, {}, undefined, writer, older);
    expect(found).toMatchObject([{ isAtLeast: true, values: { isAtLeast: true } }]);
    expect(verdict(8)).not.toMatchObject([{ isAtLeast: true }]);
  });

  test('is a warning after 10 s', () => {
    expect(verdict(11.5)).toMatchObject([{ severity: 'warning', confidence: 'certain' }]);
  });

  test('has the same id 4 s later', () => {
    const idAt = (at: number) => (verdict(at) as readonly { id: string }[])[0]?.id;
    expect(idAt(7)).toBeDefined();
    expect(idAt(11)).toBe(idAt(7));
  });

  test('[W16] does not fire if the lock was free in between: the count begins again', () => {
    expect(verdict(7, {}, 5.3)).toEqual([]);
  });

  test('does not fire for a writer that only subscribed: its thread may no longer wait', () => {
    expect(verdict(8, {}, undefined, WRITER.slice(0, 2))).toEqual([]);
  });

  test('ends once no further reader comes', () => {
    expect(verdict(19)).toEqual([]);
  });

  test('cannot know at level events', () => {
    expect(verdict(8, { level: 'events' })).toBe('cannot know: level');
  });
});
