import { expect, onTestFinished, test } from 'vitest';
import { plusMillis, type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import type { Source } from '../../../shared/wire/source.ts';
import { holderOf, STORY_START, seconds, story } from '../../../testing/stories/story.ts';
import { makeMemoryObservatory } from '../../testing/memory-observatory.ts';
import { inSlices } from '../../watch/slices/in-slices.ts';
import { EventStore } from '../../watch/store/event-store.ts';
import { DEFAULT_MEMORY, sharesOf } from '../../watch/terms/memory-shares.ts';
import { openCore } from '../open-core.ts';
import { OpenedRanges } from '../opened-ranges.ts';
import type { BlockText, CheckpointText } from '../parts.ts';
import { RangeReplay } from '../range-replay.ts';
import type { StoreCore } from '../store-core.ts';
import type { StoreLink } from '../store-link.ts';
import { StoredAnswers } from '../stored-answers.ts';
import { lineOfSources, linesOfBatch } from '../stream-lines.ts';
import { linkTo } from '../testing/link-here.ts';
import { newFile } from '../testing/stored-trace.ts';
import { withGroups } from './read-back.ts';

const MINUTE = 60;
const LOSS = story(`orders:42 lease 30s
  0 A attempts acquired
  1 operator command DEL orders:42
  2 B attempts acquired
  3 B releases
  5 A unlock refused`);
const [TAKEN, FREED] = story('stock:7 lease 30s\n 6 D attempts acquired\n 6.005 D releases');

/** A loss, and then another lock that is taken every 10 s, for 20 minutes. */
const EVENTS = [
  ...LOSS,
  ...Array.from({ length: 120 }, (_, n) =>
    [TAKEN, FREED].flatMap((event) => (event ? [{ ...event, at: plusMillis(event.at, n * 10_000) }] : [])),
  ).flat(),
].map((event, n): LockEvent => ({ ...event, seq: n + 1 }));

const SOURCES = makeMemoryObservatory()
  .sources()
  .map((source): Source => ({ ...source, id: 'story', level: 'monitor' }));
const isOfLoss = ({ incident }: { incident: string }) => incident === 'operator-delete-or-flush';

type Kept = {
  /** Events of a block; each block is followed by a checkpoint. */
  readonly each?: number;
  /** The number of events. */
  readonly count?: number;
  /** Whether the block with this number is stored. */
  readonly has?: (block: number) => boolean;
  /** Storing had failed until this block: a new run begins with this block, and goes on from the state before it. */
  readonly failed?: number;
};

/** A store of these events in one run, and the memory of the process that watched them. */
async function stored({ each = 20, count = EVENTS.length, has = () => true, failed = 0 }: Kept = {}) {
  let now = redisTime(STORY_START);
  const live = new EventStore(() => now, undefined, Number.POSITIVE_INFINITY);
  live.sourcesChanged(SOURCES);
  const stateNow = async () => lineOfSources(SOURCES, now) + (await inSlices(live.standing().text()));
  const blocks: BlockText[] = [];
  const checkpoints: CheckpointText[] = [];
  let [lines, beganAt] = [0, STORY_START];
  for (let n = 0; n * each < count; n++) {
    const events = EVENTS.slice(n * each, (n + 1) * each);
    const place = { source: 'lockscope', run: 1, nextEvent: (events.at(-1)?.seq ?? 0) + 1 };
    if (n === failed) {
      beganAt = now;
      if (n > 0) checkpoints.push({ ...place, seq: 0, at: now, text: await stateNow() });
    }
    now = redisTime(Math.max(...events.map(({ at }) => at)));
    live.add(events);
    if (n < failed) continue;
    const text = (lines === 0 ? lineOfSources(SOURCES, STORY_START) : '') + linesOfBatch({ events, gone: [] });
    const seqs = { firstSeq: lines + 1, lastSeq: lines + events.length + (lines === 0 ? 1 : 0) };
    lines = seqs.lastSeq;
    if (!has(n)) continue;
    blocks.push({ ...place, ...seqs, fromAt: events[0]?.at ?? now, toAt: now, text });
    checkpoints.push({ ...place, seq: lines, at: now, text: await stateNow() });
  }
  const core = await openCore(newFile(), { retainMs: 1e12, mostBytes: 1e12 });
  if (!core.ok) throw new Error(core.error);
  const gap = failed > 0 ? 'not-stored' : 'not-running';
  await core.value.write({ runs: [{ source: 'lockscope', run: 1, beganAt, gap }], blocks, checkpoints });
  onTestFinished(() => core.value.close());
  const asked: string[] = [];
  const link: StoreLink = noting(linkTo(core.value), asked);
  const rangeOf = async (ranges: OpenedRanges, from: RedisTime, to = from) => {
    const range = await ranges.open(from, to);
    if (!range) throw new Error('nothing is stored of that');
    return range.answers;
  };
  const ranges = new OpenedRanges(link, DEFAULT_MEMORY);
  return {
    ...{ live, core: core.value, asked, ranges },
    /** The answers from an open range, or from a new range. */
    answersAt: (from: RedisTime, to?: RedisTime) => rangeOf(ranges, from, to),
    /** The answers from a range that begins as late as it can. */
    latestAnswers: (at: RedisTime) => rangeOf(new OpenedRanges(link, DEFAULT_MEMORY), at),
  };
}

/** What is stored from the checkpoint before an instant up to that instant. */
async function replayAt(core: StoreCore, at: RedisTime) {
  const range = await core.read({ source: 'lockscope', from: at, to: at, most: 1000 });
  if (!range) throw new Error('nothing is stored of that');
  const replay = new RangeReplay(range, sharesOf());
  await inSlices(replay.work());
  return { replay, range };
}

/** The same link, which adds the name of each request to `asked`. */
function noting(link: StoreLink, asked: string[]): StoreLink {
  return {
    close: () => link.close(),
    ask: (question) => {
      asked.push(question.ask);
      return link.ask(question);
    },
  };
}

test('at past instants of a store, a lost lock is shown for 15 minutes, across checkpoints, as it was live', async () => {
  const { live, answersAt, asked } = await stored();
  const late = seconds(14 * MINUTE);
  const answers = await answersAt(late);
  await answers.lockPage({ at: late, from: 0, limit: 10 });
  expect(asked).toEqual(['read']);
  const found = await answers.insights({ at: late });
  expect(found).toEqual(await live.answers.insights({ at: late }));
  expect(found.insights.filter(isOfLoss)).toMatchObject([{ values: { takenBy: holderOf('B') } }]);
  const next = { at: plusMillis(late, 1000) };
  expect(await answers.insights(next)).toEqual(await live.answers.insights(next));
  expect(asked).toEqual(['read', 'read-back']); // once for a range
  const over = { at: seconds(16.5 * MINUTE) };
  const later = await (await answersAt(over.at)).insights(over);
  expect(later).toEqual(await live.answers.insights(over));
  expect(later.insights.filter(isOfLoss)).toEqual([]);
});

test('wherever a checkpoint is among the events of a loss, the verdict is the same', async () => {
  const { live, latestAnswers } = await stored({ each: 1, count: 10 });
  for (const second of [0.5, 1.5, 2.5, 4, 5.5, 20]) {
    const at = seconds(second);
    const found = await (await latestAnswers(at)).insights({ at });
    expect(found, `at ${second} s`).toEqual(await live.answers.insights({ at }));
  }
});

test('facts that a store does not have before a range are named as not known', async () => {
  const late = seconds(14 * MINUTE);
  const cases: Record<string, Kept> = {
    'the beginning was dropped': { has: (block) => block > 2 },
    'lines are missing on the way': { has: (block) => block !== 4 },
    'storing had failed before': { failed: 3 },
  };
  for (const [name, kept] of Object.entries(cases)) {
    const { answersAt } = await stored(kept);
    const { insights, cannotTell } = await (await answersAt(late)).insights({ at: late });
    expect(insights.filter(isOfLoss), name).toEqual([]);
    expect(cannotTell.filter(isOfLoss), name).toMatchObject([{ source: 'story', reason: 'memory', locks: 0 }]);
  }
});

test('verdicts that need missing lines are named as not known after those lines, but not before', async () => {
  const { live, answersAt } = await stored({ has: (block) => block !== 4 });
  const late = seconds(14 * MINUTE);
  const answers = await answersAt(seconds(MINUTE), late);
  const early = { at: seconds(5 * MINUTE) };
  expect(await answers.insights(early)).toEqual(await live.answers.insights(early));
  const { insights, cannotTell } = await answers.insights({ at: late });
  expect(insights.filter(isOfLoss)).toEqual([]);
  expect(cannotTell.filter(isOfLoss)).toMatchObject([{ reason: 'memory' }]);
});

test('if memory begins shortly before an instant, the instant is answered as if memory had everything', async () => {
  const { live, core, ranges } = await stored();
  const late = seconds(14 * MINUTE);
  const { replay, range } = await replayAt(core, late); // as a viewer begins with a state
  const memory = replay.answers();
  expect((await memory.answers.insights({ at: late })).cannotTell.filter(isOfLoss)).toMatchObject([
    { reason: 'memory' },
  ]);
  const began = redisTime(range.from);
  const past = new StoredAnswers(memory, {
    ...{ ranges, oldest: () => redisTime(STORY_START), began: () => began },
    timeOfEvent: async () => undefined,
  });
  expect(await past.answers().insights({ at: late })).toEqual(await live.answers.insights({ at: late }));
});

test('lines beyond the limit are not read back, and what they may show is named as not known', async () => {
  const { core } = await stored();
  const late = seconds(14 * MINUTE);
  const { replay, range } = await replayAt(core, late);
  const wanted = replay.wantedBefore();
  if (!wanted) throw new Error('the range begins with a run');
  const back = await core.readBack({ ...wanted, source: 'lockscope', most: 60 });
  expect(back.from).toBeGreaterThan(seconds(MINUTE));
  expect(back.from).toBeLessThan(range.from);
  replay.takeBefore(back);
  const { insights, cannotTell } = await replay.answers().answers.insights({ at: late });
  expect(insights.filter(isOfLoss)).toEqual([]);
  expect(cannotTell.filter(isOfLoss)).toMatchObject([{ reason: 'memory' }]);
});

test('events that are read back belong to the group that a later event gave them', () => {
  const [first, second] = LOSS;
  if (!first || !second) throw new Error('no events');
  const by = { ...second, group: 'g1', groupSeqs: [first.seq] } as LockEvent;
  expect(withGroups([first], [by])).toMatchObject([{ seq: first.seq, group: 'g1' }]);
  expect(withGroups([first], [])).toEqual([first]);
});
