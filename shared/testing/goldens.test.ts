import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compareTruth } from '../../e2e/support/compare-truth.ts';
import { eventsFromTrace } from './trace-file.ts';

const TRACES = new URL('../traces/', import.meta.url);

/** Clients that were killed in a scenario: what they held at the end is lost. */
const KILLED: Readonly<Record<string, readonly string[]>> = { crash: ['app1'] };

for (const folder of readdirSync(TRACES, { withFileTypes: true })) {
  if (!folder.isDirectory() || folder.name === 'recordings') continue;
  describe(folder.name, () => {
    const at = new URL(`${folder.name}/`, TRACES);
    for (const file of readdirSync(at)) {
      if (!file.endsWith('.trace')) continue;
      const scenario = file.slice(0, -'.trace'.length);
      test(`${scenario}: what is told is what the clients saw`, () => {
        const truth = readFileSync(new URL(`${scenario}.truth`, at), 'utf8');
        expect(existsSync(new URL(file, at))).toBe(true);
        // Redis 6.0 writes a line before it runs the command, so pushes follow their line.
        const events = eventsFromTrace(readFileSync(new URL(file, at), 'latin1'), !folder.name.startsWith('redis-6'));
        expect(compareTruth(truth.split('\n'), events, { killed: KILLED[scenario] ?? [] })).toEqual([]);
      });
    }
  });
}
