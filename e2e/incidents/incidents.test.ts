import { afterAll, expect, test } from 'vitest';
import { type InsightsBody, insightsBody, type WireInsight } from '../../shared/wire/insights/insight.ts';
import type { Lockscope } from '../support/lockscope/lockscope.ts';
import { pause } from '../support/wait-for.ts';
import { CASES } from './cases/all.ts';
import { type Confidence, type Expected, IncidentSetup, LEVELS, type Level } from './setup.ts';

/** An incident must be reported this soon after it happened. */
const WITHIN_MS = 10_000;

/** What a Lockscope reported about an incident. `afterMs`: null if it was not reported. */
type Answer = {
  readonly afterMs: number | null;
  readonly found: WireInsight | undefined;
  readonly cannotTell: string | undefined;
  readonly last: InsightsBody;
};

const rows: Record<string, string>[] = [];

test.each(CASES)('$id: $how', async (incident) => {
  const setup = await IncidentSetup.open(incident);
  try {
    const expected = await incident.play(setup);
    const happened = performance.now();
    const answers = await Promise.all(
      LEVELS.map(
        async (level) => [level, await answerOf(setup.lockscopes[level], incident.id, expected, happened)] as const,
      ),
    );
    const by = Object.fromEntries(answers) as Record<Level, Answer>; // there is one entry for each level
    rows.push({ incident: incident.id, ...Object.fromEntries(answers.map(([level, each]) => [level, textOf(each)])) });

    const { found, last } = by.monitor;
    expect(
      found,
      JSON.stringify(last.insights.map(({ incident: id, lock, holders, values }) => [id, lock, holders, values])),
    ).toBeDefined();
    if (expected.confidence) expect(found?.confidence).toBe(expected.confidence);
    if (expected.healsItself !== undefined) expect(found?.selfHealsAt !== null).toBe(expected.healsItself);
    // a level that does not report the incident must report that it cannot see it
    expect(by.events.found ?? by.events.cannotTell).toBeDefined();
    if (expected.isShownByEvents) expect(by.events.found).toBeDefined();
    if (expected.atEvents && by.events.found) expect(upTo(expected.atEvents)).toContain(by.events.found.confidence);
  } finally {
    await setup.close();
  }
});

afterAll(() => {
  for (const { incident, monitor, events } of rows)
    process.stdout.write(`${incident?.padEnd(28)} monitor: ${monitor?.padEnd(34)} events: ${events}\n`);
});

/** Asks until the incident is reported, at most for `WITHIN_MS`. */
async function answerOf(lockscope: Lockscope, id: string, expected: Expected, since: number): Promise<Answer> {
  for (;;) {
    const last = insightsBody.parse((await lockscope.get(pathFor(expected))).body);
    const afterMs = performance.now() - since;
    const found = last.insights.find((insight) => insight.incident === id && isAbout(expected, insight));
    const cannotTell = last.cannotTell.find(({ incident }) => incident === id)?.reason;
    if (found) return { afterMs, found, cannotTell, last };
    if (afterMs > WITHIN_MS) return { afterMs: null, found, cannotTell, last };
    await pause(200);
  }
}

function textOf({ afterMs, found, cannotTell }: Answer): string {
  if (afterMs === null || !found) return cannotTell === undefined ? 'silent' : `cannot tell (${cannotTell})`;
  const heals = found.selfHealsAt === null ? '' : ', ends by itself';
  return `${(afterMs / 1000).toFixed(1)} s, ${found.severity}, ${found.confidence}${heals}`;
}

function pathFor({ lock, isOnRequest }: Expected): string {
  return isOnRequest && typeof lock === 'string' ? `/api/insights?lock=${encodeURIComponent(lock)}` : '/api/insights';
}

/** Returns this confidence and every lower one. */
function upTo(highest: Confidence): readonly Confidence[] {
  const all = ['hint', 'likely', 'certain'] as const;
  return all.slice(0, all.indexOf(highest) + 1);
}

/**
 * Whether a verdict is about the expected incident. A verdict without a lock is about the whole server, so it fits any
 * lock. A verdict that is a second old may still name other holders.
 */
function isAbout({ lock: wanted, holders = [], among, values = {} }: Expected, found: WireInsight): boolean {
  if (Object.entries(values).some(([name, value]) => found.values[name] !== value)) return false;
  if (holders.some((holder) => !found.holders.includes(holder))) return false;
  if (among && !found.holders.every((holder) => among.includes(holder))) return false;
  return wanted === undefined || found.lock === undefined || [wanted].flat().includes(found.lock);
}
