import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { waitFor } from '../support/wait-for.ts';
import { SCENARIOS } from './scenarios.ts';
import { Theatre } from './theatre.ts';

const VERSIONS = (process.env.REDISSON_VERSIONS || '3.16.8,3.27.2,3.46.0,4.7.0').split(',').map((word) => word.trim());

/** Servers send no key events unless told to, so every other version is played without and with them. */
const KEY_EVENTS = ['', 'KA'];

VERSIONS.forEach((version, index) => {
  const keyEvents = KEY_EVENTS[index % KEY_EVENTS.length] ?? '';
  describe(`Redisson ${version} ${keyEvents ? 'with' : 'without'} key events`, () => {
    let theatre: Theatre;
    beforeAll(async () => {
      theatre = await Theatre.open(version, keyEvents);
    });
    afterAll(() => theatre?.close());

    for (const scenario of SCENARIOS) {
      test(`[${version}] ${scenario.id}`, async () => {
        expect(await theatre.play(scenario)).toEqual([]);
      });
    }

    test(`[${version}] nothing drifted`, async () => {
      const { lockscope } = theatre;
      const events = await lockscope.eventsAfter(0);
      const last = events.at(-1)?.at ?? 0;
      const source = await waitFor('a snapshot after the last event', async () => {
        const [only] = (await lockscope.health()).sources;
        return only !== undefined && (only.snapshotAt ?? 0) > last && only;
      });
      expect(source).toMatchObject({ status: 'observing', level: 'monitor', drift: 0, rejected: 0 });
      expect(source.guard.state).toBe('ok');
      const unwanted = new Set(['drift.healed', 'blind-spot.began', 'lock.found']);
      expect((await lockscope.eventsAfter(0)).filter(({ type }) => unwanted.has(type))).toEqual([]);
      expect((await lockscope.locks()).filter(({ held, waiters }) => held || waiters.length > 0)).toEqual([]);
    });
  });
});
