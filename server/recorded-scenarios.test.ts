import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { LockEvent } from '../shared/events/event.ts';
import { type Demo, demoBody } from '../shared/wire/demo.ts';
import { parseStageRun, type StageRun } from './demo/recorded-stage.ts';
import type { ScenarioScript } from './demo/scenario.ts';
import { SCENARIOS } from './demo/scenarios/all.ts';
import { RECORDED_DIR } from './package-info.ts';
import { openRecordedDemo } from './recorded-demo.ts';
import { openRecording } from './recordings/replay-observatory.ts';
import type { Show } from './serve.ts';

const BEGIN = Date.UTC(2030, 0, 1);
/** Longer than any run. */
const RUN_MS = 60_000;
const MB = 1024 * 1024;

let demo: Show;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: BEGIN });
  demo = await openRecordedDemo();
});
afterEach(async () => {
  await demo.stage.close();
  vi.useRealTimers();
});

function observatory() {
  if (!demo.observatory) throw new Error('a recorded demo has an observatory');
  return demo.observatory;
}

describe.each(SCENARIOS)('$id', (script: ScenarioScript) => {
  const { id, lock, steps, servers = [], otherLocks, localLocks } = script;
  const run = () => parseStageRun(gunzipSync(readFileSync(join(RECORDED_DIR, `${id}.stage.ndjson.gz`))).toString());

  test('its recording has the steps of the scenario: if not, `node scripts/record-demo.mjs` records it again', () => {
    const last = run().at(-1);
    expect(last?.script.map(({ n: _, at: __, ...step }) => step)).toEqual(
      steps.map(({ title, who, lock: at }) => ({ title, who, ...(at !== undefined && { lock: at }) })),
    );
    expect(last).toMatchObject({ scenario: id, state: 'done', step: steps.length, steps: steps.length, lock });
    expect(last?.locks).toEqual(otherLocks && [lock, ...otherLocks]);
    expect(last?.localLocks).toEqual(localLocks);
    expect(last?.servers?.map(({ name, copyOf }) => ({ name, copyOf })) ?? []).toEqual(
      servers.map(({ name, copyOf }) => ({ name, copyOf: copyOf && servers[copyOf - 1]?.name })),
    );
  });

  test('when played, it reaches each step in order, and ends as the recording does', async () => {
    await demo.stage.startScenario(id);
    const begin = run()[0].startedAt + shiftOf(run());
    const reached: number[] = [];
    for (let ms = 0; ms < RUN_MS; ms += 50) {
      const { step, script, state } = demoBody.parse(demo.stage.view());
      expect(script.filter(({ at }) => at !== undefined).length, 'steps with a time').toBeGreaterThanOrEqual(step);
      if (step !== reached.at(-1)) reached.push(step);
      if (state === 'done') break;
      vi.advanceTimersByTime(50);
    }
    expect(reached).toEqual(reached.toSorted((a, b) => a - b));
    vi.advanceTimersByTime(RUN_MS);
    const view = demo.stage.view();
    expect(view).toMatchObject({ scenario: id, recorded: true, state: 'done', step: steps.length, startedAt: begin });
    const inRun = ({ at = 0 }) => at >= begin && at <= Date.now() * 1000;
    expect(view.script.map(inRun)).toEqual(steps.map(() => true));
    expect(addressesIn(view)).toEqual([]);
    const { faults, tellings, serverFaults } = run().at(-1) ?? {};
    for (const [played, recorded] of [
      [view.faults, faults],
      [view.tellings, tellings],
      [view.serverFaults, serverFaults],
    ]) {
      expect((played ?? []).map(({ name }) => name)).toEqual((recorded ?? []).map(({ name }) => name));
      expect((played ?? []).every(inRun)).toBe(true);
    }
    expect(
      observatory()
        .locks()
        .some(({ held }) => held),
    ).toBe(false);
    expect(observatory().sources().length).toBe(1 + servers.filter(({ copyOf }) => copyOf === undefined).length);
  });

  test('when played, its events are those of its recording, with all times moved', async () => {
    const { history } = observatory();
    const before = history.nextSeq() - 1;
    await demo.stage.startScenario(id);
    const shift = shiftOf(run());
    vi.advanceTimersByTime(RUN_MS);
    const played = history.after(before, 10_000) ?? [];
    for (const { id: source } of observatory().sources()) {
      const recorded = await eventsOf(fileOf(id, source));
      const ofSource = comparable(played.filter((event) => event.source === source));
      expect(ofSource.map((event) => later(event, 0))).toEqual(recorded.map((event) => later(event, shift)));
    }
  });
});

/** Holders since the start of the run that are known only by the address of a connection, and not by a name. */
function addressesIn({ startedAt = 0 }: Demo): string[] {
  const events = (observatory().history.after(0, 100_000) ?? []).filter(({ at }) => at >= startedAt);
  const holders = events.flatMap((event) => ('holder' in event && event.holder !== undefined ? [event.holder] : []));
  return holders.filter((holder) => holder.startsWith('127.0.0.1:'));
}

/**
 * How much later a playback that starts now is than its recording, in µs, rounded down to whole ms as the playback
 * does.
 */
function shiftOf([{ startedAt }]: StageRun): number {
  return Math.floor((Date.now() * 1000 - startedAt) / 1000) * 1000;
}

/** The recording of a source: `redis` has the first file, `redis-1` the second. */
function fileOf(id: string, source: string): string {
  const [, n] = /^redis-(\d+)$/.exec(source) ?? [];
  return join(RECORDED_DIR, n === undefined ? `${id}.lockscope` : `${id}-${Number(n) + 1}.lockscope`);
}

async function eventsOf(file: string): Promise<unknown[]> {
  const { observatory } = await openRecording(file, { memory: 512 * MB });
  return comparable(observatory.history.after(0, 10_000) ?? []);
}

/** Events without their numbers, and without what depends on the other sources or on whole seconds. */
function comparable(events: readonly LockEvent[]): unknown[] {
  return events
    .filter(({ type }) => !type.startsWith('insight.'))
    .map((event) =>
      Object.fromEntries(Object.entries(event).filter(([name]) => !/^(seq|because|group.*)$/.test(name))),
    );
}

/** The event with all its times later, as text. */
function later(event: unknown, shift: number): string {
  return JSON.stringify(event, (_, value) => (typeof value === 'number' && value > 1e15 ? value + shift : value));
}
