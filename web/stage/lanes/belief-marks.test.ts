import { expect, test } from 'vitest';
import type { HoldMark } from '../../timeline/model/marks.ts';
import { EN } from '../../words/en.ts';
import { captionText } from '../captions/caption.ts';
import { actorOf } from '../script/run.ts';
import type { ScenarioId } from '../script/scenario-table.ts';
import { recordedStoryboard } from '../testing/recorded-storyboards.ts';
import { tracksOf } from './lanes-scene.ts';

const OF = ['frozen-holder', 'no-watchdog', 'fenced', 'failover'] as const;

function holdsOf(id: ScenarioId) {
  const storyboard = recordedStoryboard(id);
  const lanes = tracksOf(storyboard).flatMap((track) => track.lanes);
  const holds = lanes.flatMap(({ spans }) => spans).filter((span): span is HoldMark => span.kind === 'hold');
  return { storyboard, holds };
}

test.each([...OF, 'expirable-semaphore'] as const)(
  '%s: a belief is drawn from the end of the hold to the refused unlock',
  (id) => {
    const { storyboard, holds } = holdsOf(id);
    const [belief, ...more] = holds.filter((hold) => hold.belief);
    expect(more).toEqual([]);
    const refused = storyboard.run.events.findLast(({ type }) => type === 'unlock.refused');
    const before = holds.find((hold) => !hold.belief && hold.holder === belief?.holder && hold.to === belief.from);
    expect(before?.to).toBe(belief?.from);
    expect(belief?.to).toBe(refused?.at);
  },
);

test.each(OF)('%s: both bars are hatched while both threads work, and a caption explains that', (id) => {
  const { storyboard, holds } = holdsOf(id);
  const belief = holds.find((hold) => hold.belief);
  const [range, ...more] = belief?.together ?? [];
  expect(more).toEqual([]);
  const other = holds.find(
    ({ holder, from, to }) => holder !== belief?.holder && from < range!.to! && to! > range!.to!,
  );
  expect(other?.together).toEqual([range]);
  const beat = storyboard.beats.find(({ at, caption }) => at === range?.from && caption !== null);
  const text = captionText(beat!.caption!, EN);
  expect(text).toMatch(/both work now|Two work at once|The newest is/);
  expect(text).toContain(actorOf(storyboard.run, belief!.holder).letter);
});

test('a frozen process does not work: the bars are hatched only after it has resumed', () => {
  const { storyboard, holds } = holdsOf('frozen-holder');
  const [range] = holds.find((hold) => hold.belief)?.together ?? [];
  expect(range?.from).toBe(storyboard.run.faults.find(({ name }) => name === 'thawed')?.at);
});
