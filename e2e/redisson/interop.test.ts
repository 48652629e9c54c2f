import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { waitFor } from '../support/wait-for.ts';
import type { Scenario } from './scenario.ts';
import { OTHER_KINDS, PLAIN_LOCKS } from './scenarios.ts';
import { TestBed } from './test-bed.ts';
import { type Turn, takeTurn } from './turns.ts';
import { versionsToPlay } from './versions.ts';

/** By default servers send no key events. The versions alternate: one runs without them, the next one with them. */
const KEY_EVENTS = ['', 'KA'];

describe.concurrent.each(versionsToPlay().map((version, index) => [version, KEY_EVENTS[index % 2] ?? '']))(
  'Redisson %s (key events: "%s")',
  (version, keyEvents) => {
    let turn: Turn;
    let testBed: TestBed;
    beforeAll(async () => {
      turn = await takeTurn();
      testBed = await TestBed.open(version, keyEvents);
    });
    afterAll(async () => {
      await testBed?.close();
      turn?.end();
    });

    const declareTest = (scenario: Scenario) =>
      test(`[${version}] scenario ${scenario.id}: the events match what the clients saw`, async (context) => {
        const problems = await testBed.play(scenario);
        if ('leftOut' in problems) context.skip(`Redisson ${version}: ${problems.leftOut}`);
        expect(problems).toEqual([]);
      });

    describe.concurrent('plain locks', () => {
      for (const scenario of PLAIN_LOCKS) declareTest(scenario);
    });
    test.sequential(`[${version}] the events of plain locks match the commands that Redis counted`, async () => {
      expect(await testBed.commandProblems()).toEqual([]);
    });
    describe.concurrent('other kinds', () => {
      for (const scenario of OTHER_KINDS) declareTest(scenario);
    });
    test.sequential(`[${version}] every event matches the second account, which is computed from the same stream`, async () => {
      expect((await testBed.accountProblems()).slice(0, 20)).toEqual([]);
    });
    test.sequential(`[${version}] there is no drift`, async () => {
      const { lockscope } = testBed;
      const last = (await lockscope.eventsAfter(0)).at(-1)?.at ?? 0;
      const sources = await waitFor('a snapshot after the last event', async () => {
        const { sources } = await lockscope.health();
        return sources.every(({ snapshotAt }) => (snapshotAt ?? 0) > last) && sources;
      });
      for (const source of sources) {
        expect(source).toMatchObject({ status: 'observing', level: 'monitor', drift: 0, rejected: 0 });
        expect(source.guard.state).toBe('ok');
      }
      const unwanted = new Set(['drift.healed', 'blind-spot.began', 'lock.found']);
      expect((await lockscope.eventsAfter(0)).filter(({ type }) => unwanted.has(type))).toEqual([]);
      expect(await testBed.streamProblems()).toEqual([]);
    });
  },
);
