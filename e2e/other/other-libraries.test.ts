import { afterAll, beforeAll, describe, test } from 'vitest';
import { waitFor } from '../support/wait-for.ts';
import { LIBRARIES, PERMIT_LIBRARIES } from './libraries.ts';
import { JOB_STORIES, storiesOf } from './stories.ts';
import { TestBed } from './test-bed.ts';

/** MONITOR does not show the result of a plain SET NX. Key events show it; without key events, reads do. */
const KEY_EVENTS = ['', 'KA'];

describe.each(KEY_EVENTS)('real clients of other libraries, notify-keyspace-events "%s"', (keyEvents) => {
  let testBed: TestBed;
  beforeAll(async () => {
    testBed = await TestBed.open(keyEvents);
    await testBed.startClients();
  });
  afterAll(() => testBed?.close());

  /** Concurrent, because a story mostly waits for a lease to end. */
  describe.concurrent('each library with locks of its own', () => {
    for (const library of LIBRARIES) {
      const nameOf = (story: string): string => `${library.id}:${story}`;
      for (const story of storiesOf(library, nameOf).filter(({ id }) => !library.without?.includes(id))) {
        test(`[${library.id}] ${story.id}`, async ({ expect }) => {
          const name = nameOf(story.id);
          const key = library.keyOf(name);
          const isOwn = (lock: string) => lock === key;
          expect(await testBed.play(story, library.client, library.kind, name, isOwn)).toEqual([]);
          expect(await testBed.lockscope.lock(key)).toMatchObject({ kind: 'token-lock', library: library.library });
        });
      }
    }

    for (const { client, library, keyOf } of PERMIT_LIBRARIES) {
      test(`[${client}] a permit is refused while another client holds it, and acquired after its release`, async ({
        expect,
      }) => {
        const name = `${client}:permit`;
        const [first, second] = await testBed.clients(client);
        const reported = (type: string, times: number) => testBed.reported(keyOf(name), library, type, times);
        expect(await first.call('A', 'lock', 'lock', name, 60_000)).toBe('ok');
        expect(await second.call('B', 'try', 'lock', name, 60_000)).toBe('false');
        const waiting = second.call('B', 'lock', 'lock', name, 60_000);
        await reported('permits.refused', 2);
        await first.call('A', 'unlock', 'lock', name);
        expect(await waiting).toBe('ok');
        await second.call('B', 'unlock', 'lock', name);
        await reported('permits.acquired', 2);
        await reported('permits.released', 2);
      });
    }

    for (const kind of ['singleton', 'once']) {
      test(`[celery-${kind}] a unique job is refused while it is queued, and its lock is released after it ran`, async ({
        expect,
      }) => {
        const name = `celery-${kind}`;
        const [first, second] = await testBed.clients('celery');
        const [a, b] = [`A-${kind}`, `B-${kind}`];
        const key = await first.call(a, 'key', kind, name);
        for (let times = 1; times < 3; times++) {
          expect(await first.call(a, 'queue', kind, name)).toBe('ok');
          expect(await second.call(b, 'queue', kind, name)).toBe('false');
          await testBed.reported(key, name, 'lock.refused', times);
          expect(await second.call(b, 'run', kind, name)).toBe('ok');
          await testBed.reported(key, name, 'lock.released', times);
        }
      });
    }

    for (const story of JOB_STORIES) {
      test(`[bullmq] ${story.id}`, async ({ expect }) => {
        const name = `bullmq-${story.id}`;
        const isOwn = (lock: string) => lock.startsWith(`bull:${name}:`);
        expect(await testBed.play(story, 'bullmq', 'job', name, isOwn)).toEqual([]);
        expect(await testBed.lockscope.lock(`bull:${name}:1:lock`)).toMatchObject({ library: 'bullmq' });
      });
    }
  });

  test('there was no drift, blind spot or change of level, only token locks and permits were reported, and no lock is held or waited for', async ({
    expect,
  }) => {
    const { lockscope } = testBed;
    const last = (await lockscope.eventsAfter(0)).at(-1)?.at ?? 0;
    const source = await waitFor('a snapshot after the last event', async () => {
      const [only] = (await lockscope.health()).sources;
      return only !== undefined && (only.snapshotAt ?? 0) > last && only;
    });
    const events = await lockscope.eventsAfter(0);
    // a change of level is a blind spot, whose reason is `level-changed`
    const unwanted = new Set(['drift.healed', 'blind-spot.began', 'lock.found']);
    expect(events.filter(({ type }) => unwanted.has(type))).toEqual([]);
    expect(source).toMatchObject({ status: 'observing', level: 'monitor', drift: 0, rejected: 0 });
    // a waiter that polls counts as gone after some silence
    const locks = await waitFor('no lock to be held or waited for', async (missing) => {
      const all = (await lockscope.locks()).filter(({ name }) => !name.startsWith('end-mark:'));
      const busy = all.filter(({ held, waiters }) => held || waiters.length > 0);
      return busy.length === 0 ? all : missing(JSON.stringify(busy));
    });
    const permits = new Set(PERMIT_LIBRARIES.map(({ client, keyOf }) => keyOf(`${client}:permit`)));
    expect(locks.filter(({ kind, name }) => kind !== 'token-lock' && !permits.has(name))).toEqual([]);
  });
});
