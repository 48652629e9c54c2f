import { afterEach, beforeEach, expect, test } from 'vitest';
import { openCore } from '../open-core.ts';
import type { Batch, Part } from '../parts.ts';
import type { Retention, StoreCore } from '../store-core.ts';
import type { TestPlace } from './test-place.ts';

const HOUR = 3_600_000_000;
const DAY = 24 * HOUR;
const BEGAN = 20_000 * DAY;
const WHOLE = { source: 'a', most: 1_000_000 };
let path = '';
let open: StoreCore[] = [];

async function opened(retention: Partial<Retention> = {}): Promise<StoreCore> {
  const core = await openCore(path, { retainMs: 1e12, mostBytes: 1e12, ...retention });
  if (!core.ok) throw new Error(core.error);
  open.push(core.value);
  return core.value;
}

const run = (number: number, beganAt: number) => ({ source: 'a', run: number, beganAt, gap: 'not-running' }) as const;
const NOTHING: Batch = { runs: [], blocks: [], checkpoints: [] };

/** A block of ten lines that begins at this hour and lasts a quarter of it. */
function block(number: number, nth: number, hour: number, text = `block ${number}.${nth}`) {
  const fromAt = BEGAN + hour * HOUR;
  const seqs = { firstSeq: nth * 10 + 1, lastSeq: nth * 10 + 10, nextEvent: 1000 * number + 10 * nth };
  return { source: 'a', run: number, ...seqs, fromAt, toAt: fromAt + HOUR / 4, text: lineOf(text) };
}

/** A line of a block with a text in it. */
const lineOf = (text: string) => `${JSON.stringify({ gone: [text] })}\n`;

function checkpoint(number: number, nth: number, hour: number) {
  const place = { source: 'a', run: number, seq: nth * 10, at: BEGAN + hour * HOUR, nextEvent: 1 };
  return { ...place, text: `state ${number}.${nth}` };
}

/** The parts in short: the text of each, or its kind. */
function summaryOf(parts: readonly Part[] = []): string[] {
  return parts.map((part) => ('text' in part ? (/^{"gone":\["(.*)"\]}/.exec(part.text)?.[1] ?? part.text) : part.kind));
}

async function withTwoRuns(): Promise<StoreCore> {
  const core = await opened();
  await core.write({
    runs: [run(1, BEGAN)],
    blocks: [0, 1, 2, 3, 4, 5].map((nth) => block(1, nth, nth)),
    checkpoints: [checkpoint(1, 2, 2), checkpoint(1, 4, 4)],
  });
  await core.write({ runs: [run(2, BEGAN + 8 * HOUR)], blocks: [block(2, 0, 8)], checkpoints: [] });
  await core.close();
  open = [];
  return opened();
}

/** What a store does, whatever its engine is. */
export function coreStories(place: TestPlace): void {
  beforeEach(async () => {
    path = await place.open();
    open = [];
  });
  afterEach(async () => {
    for (const core of open) await core.close();
    await place.drop(path);
  });

  test('an instant is read from the checkpoint before it', async () => {
    const core = await withTwoRuns();
    const read = (hour: number) => core.read({ ...WHOLE, from: BEGAN + hour * HOUR, to: BEGAN + hour * HOUR + 1 });
    expect(summaryOf((await read(1))?.parts)).toEqual(['run', 'block 1.0', 'block 1.1']);
    expect(summaryOf((await read(3))?.parts)).toEqual(['run', 'state 1.2', 'block 1.2', 'block 1.3']);
    expect(summaryOf((await read(4.1))?.parts)).toEqual(['run', 'state 1.4', 'block 1.4']);
    expect((await read(4.1))?.from).toBe(BEGAN + 4 * HOUR);
  });

  test('a range continues through the next run, and after the last run nothing is known', async () => {
    const core = await withTwoRuns();
    const range = await core.read({ ...WHOLE, from: BEGAN + 5 * HOUR, to: BEGAN + 9 * HOUR });
    expect(summaryOf(range?.parts)).toEqual(['run', 'state 1.4', 'block 1.4', 'block 1.5', 'run', 'block 2.0', 'end']);
    const second = range?.parts.findLast((part) => part.kind === 'run');
    expect(second).toMatchObject({ gap: 'not-running', endOfBefore: BEGAN + 5.25 * HOUR });
  });

  test('between two runs nothing is known after the end of the first run', async () => {
    const core = await withTwoRuns();
    const range = await core.read({ ...WHOLE, from: BEGAN + 6 * HOUR, to: BEGAN + 7 * HOUR });
    expect(range?.parts.at(-1)).toEqual({ kind: 'end', at: BEGAN + 5.25 * HOUR });
  });

  test('a run of which nothing is stored yet ends what can be read', async () => {
    const core = await withTwoRuns();
    await core.write({ ...NOTHING, runs: [run(3, BEGAN + 10 * HOUR)] });
    const range = await core.read({ ...WHOLE, from: BEGAN + 8 * HOUR, to: BEGAN + 11 * HOUR });
    expect(summaryOf(range?.parts)).toEqual(['run', 'block 2.0', 'end']);
    expect(range?.to).toBe(BEGAN + 10 * HOUR - 1);
  });

  test('a block with an event from before its run is read with the time of that event', async () => {
    const core = await withTwoRuns();
    const late = { ...block(2, 1, 9), fromAt: BEGAN + 6 * HOUR };
    await core.write({ ...NOTHING, blocks: [late] });
    const range = await core.read({ ...WHOLE, from: BEGAN + 6 * HOUR, to: BEGAN + 7 * HOUR });
    expect(summaryOf(range?.parts).slice(-3)).toEqual(['run', 'block 2.0', 'block 2.1']);
  });

  test('before the first run nothing is stored', async () => {
    const core = await withTwoRuns();
    expect(await core.read({ ...WHOLE, from: BEGAN - 2, to: BEGAN - 1 })).toBeUndefined();
    expect(await core.read({ ...WHOLE, source: 'b', from: BEGAN, to: BEGAN + HOUR })).toBeUndefined();
  });

  test('a range with too many lines ends earlier, and its `to` shows where', async () => {
    const core = await withTwoRuns();
    const range = await core.read({ source: 'a', most: 25, from: BEGAN, to: BEGAN + 9 * HOUR });
    expect(range?.to).toBe(BEGAN + 2.25 * HOUR);
  });

  test('the facts have the newest run, its end and the next `seq`, and an event is found by its `seq`', async () => {
    const core = await withTwoRuns();
    const reach = [{ source: 'a', from: BEGAN, to: BEGAN + 8.25 * HOUR, run: 2, nextEvent: 2000 }];
    expect(await core.facts()).toMatchObject({ reach });
    expect(await core.timeOfEvent('a', 1025)).toBe(BEGAN + 3.25 * HOUR);
  });

  test('a block that is written twice is stored once', async () => {
    const core = await withTwoRuns();
    await core.write({ ...NOTHING, blocks: [block(1, 0, 0, 'another text')] });
    expect(summaryOf((await core.read({ ...WHOLE, from: BEGAN, to: BEGAN + 1 }))?.parts)).toEqual(['run', 'block 1.0']);
  });

  test('days that are too old are dropped completely, and the rest begins at its first checkpoint', async () => {
    const core = await opened({ retainMs: DAY / 1000 });
    await core.write({
      runs: [run(1, BEGAN)],
      blocks: [0, 1, 2].map((nth) => block(1, nth, nth * 20)),
      checkpoints: [checkpoint(1, 2, 39)],
    });
    expect((await core.facts()).reach).toMatchObject([{ from: BEGAN }]);
    await core.write({ ...NOTHING, blocks: [block(1, 3, 50)] });
    expect((await core.facts()).reach).toMatchObject([{ from: BEGAN + 40 * HOUR }]);
    const range = await core.read({ ...WHOLE, from: BEGAN, to: BEGAN + 60 * HOUR });
    expect(summaryOf(range?.parts)).toEqual(['run', 'state 1.2', 'block 1.2', 'block 1.3']);
    expect(range?.to).toBe(BEGAN + 50.25 * HOUR);
    expect(range?.from).toBe(BEGAN + 39 * HOUR);
  });

  test('a store that is too large loses its oldest part, and keeps its newest block', async () => {
    const mostBytes = 400_000;
    const core = await opened({ mostBytes });
    const noise = (nth: number) =>
      Array.from({ length: 4000 }, (_, i) => ((i * 7919 + nth * 104_729) % 65_537).toString(36)).join('');
    await core.write({ ...NOTHING, runs: [run(1, BEGAN)] });
    for (let nth = 0; nth < 60; nth++) await core.write({ ...NOTHING, blocks: [block(1, nth, nth, noise(nth))] });
    const [reach] = (await core.facts()).reach;
    expect((await core.facts()).bytes).toBeLessThanOrEqual(mostBytes);
    expect(reach?.from).toBeGreaterThan(BEGAN);
    expect(reach?.to).toBe(BEGAN + 59.25 * HOUR);
  });
}
