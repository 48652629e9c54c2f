import { expect } from 'vitest';
import type { Scenario, ScenarioClient, ScenarioSetup } from '../scenario.ts';

const ENTRY = 'entries:shop/apple';

/**
 * The plain, fair and write lock and the expirable semaphore of an entry of a map, as far as this version has them. Each
 * has a name made from the entry's key.
 */
export const entries: Scenario = {
  id: 'entries',
  async play(setup) {
    const [app1, app2] = [await setup.client('app1'), await setup.client('app2')];
    for (const kind of ['lock', 'fair', 'write'] as const) await waitedFor(setup, app1, app2, kind);
    const permits = app1.thread('A').at('entry.psem');
    if (!(await has(app1, 'entry.psem'))) return;
    expect(await permits.perform('set', ENTRY, 1)).toBe('true');
    expect(await permits.perform('acquire', ENTRY)).toMatch(/^[0-9a-f]{32}$/);
    await setup.sees(await permits.perform('name', ENTRY), { like: { permits: { available: 0, total: 1 } } });
    expect(await permits.perform('release', ENTRY)).toMatch(/^[0-9a-f]{32}$/);
  },
};

async function waitedFor(
  setup: ScenarioSetup,
  app1: ScenarioClient,
  app2: ScenarioClient,
  kind: string,
): Promise<void> {
  if (!(await has(app1, `entry.${kind}`))) return;
  const [a, b] = [app1.thread('A'), app2.thread('B')];
  const name = await a.at(`entry.${kind}`).perform('name', ENTRY);
  expect(await a.at(`entry.${kind}`).lock(ENTRY)).toBe('ok');
  const waiting = b.at(`entry.${kind}`).lock(ENTRY);
  await setup.sees(name, { holder: a, waiters: [b] });
  expect(await a.at(`entry.${kind}`).unlock(ENTRY)).toBe('ok');
  expect(await waiting).toBe('ok');
  await setup.sees(name, { holder: b, waiters: [] });
  expect(await b.at(`entry.${kind}`).unlock(ENTRY)).toBe('ok');
}

async function has(app: ScenarioClient, kind: string): Promise<boolean> {
  return (await app.thread('A').at(kind).perform('has', ENTRY)) === 'true';
}
