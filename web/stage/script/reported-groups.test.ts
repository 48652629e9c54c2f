import { expect, test } from 'vitest';
import { regroupIn } from '../../../shared/events/groups/regrouped.ts';
import type { DemoGroupOperation } from '../../../shared/wire/demo.ts';
import { seconds } from '../../../testing/stories/story.ts';
import { EN } from '../../words/en.ts';
import { beatsFromEvents } from '../beats/beats-from-events.ts';
import { captionText } from '../captions/caption.ts';
import { positionOf } from '../playback/position.ts';
import { stageAt } from '../playback/stage-at.ts';
import { runWith, together } from '../testing/several.ts';
import { isReportedGroup, withReportedGroups } from './reported-groups.ts';

const LOCKS = ['orders:42', 'stock:7', 'invoice:9'].map((name) => ({ name, source: null }));

/** Events of a multi lock that is rolled back once and then acquired, with `stepMs` between its steps. */
function multiLock(stepMs: number) {
  const at = (second: number, step: number) => (second + (step * stepMs) / 1000).toFixed(3);
  const events = together(
    {
      text: `orders:42 lease 6s
        ${at(1, 0)} A attempts acquired
        ${at(1, 2)} A releases
        ${at(3, 0)} A attempts acquired
        ${at(5, 0)} A releases`,
    },
    {
      text: `stock:7 lease 6s
        0.000 B attempts acquired
        ${at(1, 1)} A attempts refused
        2.000 B releases
        ${at(3, 1)} A attempts acquired
        ${at(5, 1)} A releases`,
    },
    { text: `invoice:9 lease 6s\n${at(3, 2)} A attempts acquired\n${at(5, 2)} A releases` },
  );
  for (const event of [...events]) regroupIn(events, event);
  return events;
}

const operation = (does: DemoGroupOperation['does'], from: number, until: number | null): DemoGroupOperation => ({
  ...{ client: 'A', thread: 1, does, from: seconds(from) },
  until: until === null ? null : seconds(until),
});
const CALLS = [operation('lock', 1, 1.4), operation('lock', 3, 3.4), operation('unlock', 5, 5.4)];

function storyboardFrom(stepMs: number, groupOperations: readonly DemoGroupOperation[]) {
  const run = runWith(LOCKS, [], { groupOperations });
  return beatsFromEvents({ ...run, events: withReportedGroups(run, multiLock(stepMs)) });
}
const texts = ({ beats }: ReturnType<typeof storyboardFrom>) =>
  beats.flatMap(({ caption }) => (caption ? [captionText(caption, EN)] : []));

test('a multi lock has the same captions on busy and idle machines', () => {
  const busy = storyboardFrom(100, CALLS);
  expect(texts(busy)).toEqual(texts(storyboardFrom(1, CALLS)));
  expect(texts(busy)).toContain('A acquires invoice:9 as well: it has all 3.');
  const rolled = busy.beats.find(({ caption }) => caption && captionText(caption, EN).includes('all or nothing'));
  const group = rolled && stageAt(busy, positionOf(rolled)).group;
  expect([group?.who, group?.end, group && isReportedGroup(group.id)]).toEqual(['A', 'rolled-back', true]);
});

test('a group that the events show completely stays inferred, even if a client reports the operation', () => {
  const events = multiLock(1);
  expect(withReportedGroups(runWith(LOCKS, [], { groupOperations: CALLS }), events)).toEqual(events);
});

test('locks of other threads or other times do not belong to the operation', () => {
  const events = multiLock(100);
  const groupOf = (operations: readonly DemoGroupOperation[]) =>
    withReportedGroups(runWith(LOCKS, [], { groupOperations: operations }), events).map(({ group }) => group);
  const reported = groupOf(CALLS.slice(0, 1));
  const members = events.filter(({ group }, n) => reported[n] !== group);
  expect(members.map(({ type, lock }) => `${type} ${lock}`)).toEqual([
    'lock.acquired orders:42',
    'lock.refused stock:7',
    'lock.released orders:42',
  ]);
  expect(groupOf([])).toEqual(events.map(({ group }) => group));
  expect(groupOf(CALLS.map((call) => ({ ...call, thread: 2 })))).toEqual(events.map(({ group }) => group));
});
