import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './scripts/testing/longest-first.ts';
import { aloneIn, STAGES, type Stage } from './scripts/testing/stages.mjs';

const NOT_OURS = ['**/node_modules/**', 'dist/**', 'e2e/redisson/target/**', 'e2e/other/target/**'];

/** How long tests wait for something, unless their stage sets another limit: a machine may be busy with much else. */
const PATIENT = { testTimeout: 240_000, hookTimeout: 180_000, expect: { poll: { timeout: 60_000 } } };

/** How many characters of a value the message of a failed test shows. The default of 40 hides what went wrong. */
const SHOWN = { chaiConfig: { truncateThreshold: 4000 } };

/** As many as there are cores: Vitest itself leaves one free, which is half of a machine with two. */
const WORKERS = availableParallelism();

/**
 * Each stage of Vitest (`scripts/testing/stages.mjs`) is a project; files that run alone are a second one, which follows it. A golden file that is
 * missing fails its test: without `--update`, none is written.
 */
export default defineConfig({
  test: {
    update: 'none',
    sequence: { sequencer: LongestFirst },
    projects: STAGES.filter(isVitest).flatMap(projectsOf),
  },
});

function isVitest({ files = [] }: Stage): boolean {
  return files.some((glob) => /\.test\.\w+$/.test(glob));
}

/** Projects of one group run at the same time, with the same number of workers. Stages follow each other. */
function projectsOf({ id, files = [], except = [], alone = [], settings }: Stage, nth: number) {
  const groupOrder = 2 * nth;
  const common = { ...PATIENT, ...SHOWN, maxWorkers: WORKERS, ...settings };
  return [
    {
      test: {
        ...common,
        name: id,
        include: files,
        exclude: [...NOT_OURS, ...except, ...alone],
        sequence: { groupOrder },
      },
    },
    {
      test: {
        ...common,
        name: aloneIn(id),
        include: alone,
        exclude: NOT_OURS,
        maxWorkers: 1,
        sequence: { groupOrder: groupOrder + 1 },
      },
    },
  ];
}
