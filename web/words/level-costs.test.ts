import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { LEVEL_COSTS } from '../../shared/base/level-costs.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const { events, monitor, snapshot } = LEVEL_COSTS;

/** The last cell of the row of a level. */
const costIn = (file: string, level: string) =>
  readFileSync(resolve(ROOT, file), 'utf8')
    .split('\n')
    .find((line) => line.startsWith(`| \`${level}\` `) && line.includes('core'))
    ?.split('|')
    .at(-2);

test.each(['README.md', 'docs/operating.md'])('%s has the same costs of a level as the page', (file) => {
  expect(costIn(file, 'snapshot')).toContain(`at most ${snapshot.ofCore} % of a core`);
  for (const percent of [events.ofCore, events.readsOfCore, events.atLimit])
    expect(costIn(file, 'events')).toContain(`${percent} %`);
  expect(readFileSync(resolve(ROOT, file), 'utf8')).toContain(`${monitor.refusedAbove} % of a core`);
});
