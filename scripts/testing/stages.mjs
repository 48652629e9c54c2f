import { availableParallelism } from 'node:os';
import { npmScript, playwright, unitTestsAgain, vitest } from './run-stage.mjs';

const MINUTE_MS = 60_000;
/** For tests that wait for Redis and for other processes half of their time. */
const MANY_WORKERS = 2 * availableParallelism();

/** Removes the containers of a run with REDIS_SERVER=docker. */
const CONTAINERS = 'e2e/support/servers/containers-of-run.ts';
const UNIT = ['{shared,testing,server,library,web,bench,e2e/support}/**/*.test.ts', 'scripts/**/*.test.mjs'];
const LIVE = ['server/**/*.live.test.ts', 'e2e/live/**/*.test.ts'];
const LIVE_DEEP = ['server/**/*.live.deep.test.ts', 'e2e/live/**/*.deep.test.ts'];
const DEEP = '**/*.deep.test.ts';
const LONG = '**/*.long.test.ts';

/**
 * Every stage, in order. `npm test` runs those of tier `gate`, `npm run test:deep` those of tier `deep`. They run one
 * after the other, the longest file first, with one worker a core, or two where tests wait half of their time.
 *
 *   needs     programs that it needs (`set-up/machine.mjs`)
 *   files     globs of its test files, without those in `except`. Each test file belongs to one stage (`stages.test.mjs`)
 *   alone     the files beside which nothing else runs, because they measure, or load the machine themselves
 *   settings  of its Vitest project
 *   withinMs  its time limit: long enough for a machine of a third of the speed, or of half the speed beside busy loops
 */
export const STAGES = [
  { id: 'types', tier: 'gate', title: 'types', run: npmScript('types'), withinMs: 4 * MINUTE_MS },
  { id: 'lint', tier: 'gate', title: 'lint, format, words', run: npmScript('lint'), withinMs: 2 * MINUTE_MS },
  {
    id: 'unit',
    tier: 'gate',
    title: 'rules, goldens and units',
    files: UNIT,
    except: ['**/*.live.test.ts', DEEP],
    settings: {
      // A new process for each file would cost more than its tests. The order of files must not matter.
      isolate: false,
      setupFiles: 'scripts/testing/fixed-clock-and-seed.ts',
      // Reading traces makes much garbage that is soon free: more room for it saves a tenth of the processor's time.
      execArgv: ['--max-semi-space-size=64'],
    },
    run: vitest('unit'),
    withinMs: 14 * MINUTE_MS,
  },
  {
    id: 'live',
    tier: 'gate',
    title: 'live tests on a real Redis',
    needs: ['redis'],
    files: LIVE,
    except: [DEEP],
    // No isolation, as in `unit`: loading the modules of the server for each file took a third of the stage.
    settings: { globalSetup: CONTAINERS, maxWorkers: MANY_WORKERS, isolate: false },
    run: vitest('live'),
    withinMs: 12 * MINUTE_MS,
  },
  {
    id: 'attacks',
    tier: 'gate',
    title: 'attacks on a built Lockscope and on the Redis it watches',
    needs: ['redis'],
    files: ['e2e/attacks/**/*.test.ts'],
    except: [DEEP, LONG],
    settings: { globalSetup: CONTAINERS, maxWorkers: MANY_WORKERS },
    run: vitest('attacks'),
    withinMs: 6 * MINUTE_MS,
  },
  {
    id: 'package',
    tier: 'gate',
    title: 'the package, as npm packs it',
    needs: ['redis'],
    files: ['e2e/package/**/*.test.ts'],
    except: [DEEP],
    settings: { globalSetup: [CONTAINERS, 'e2e/package/unpack.ts'], maxWorkers: MANY_WORKERS },
    run: vitest('package'),
    withinMs: 6 * MINUTE_MS,
  },
  {
    id: 'page',
    tier: 'gate',
    title: 'the page in Chromium',
    needs: ['redis', 'chromium', 'headlessShell'],
    files: ['e2e/scenarios/**/*.spec.ts'],
    except: ['**/*.deep.spec.ts'],
    run: playwright('page', 'mounted'),
    withinMs: 20 * MINUTE_MS,
  },
  {
    id: 'unit-deep',
    tier: 'deep',
    title: 'units that take long',
    needs: ['postgres'],
    files: ['{shared,testing,server,library,web,bench,e2e/support}/**/*.deep.test.ts'],
    except: ['**/*.live.deep.test.ts'],
    run: vitest('unit-deep'),
    withinMs: 20 * MINUTE_MS,
  },
  {
    id: 'unit-again',
    tier: 'deep',
    title: 'the unit tests with new seeds, over midnight, and on the day the clocks change',
    run: unitTestsAgain,
    withinMs: 42 * MINUTE_MS,
  },
  {
    id: 'nodes',
    tier: 'deep',
    title: 'the unit tests on each Node',
    run: npmScript('unit:nodes'),
    withinMs: 60 * MINUTE_MS,
  },
  {
    id: 'live-deep',
    tier: 'deep',
    title: 'live tests with leases, faults, loads and further servers',
    needs: ['redis', 'prometheus', 'postgres'],
    files: LIVE_DEEP,
    settings: { globalSetup: CONTAINERS, testTimeout: 300_000 },
    run: vitest('live-deep'),
    withinMs: 60 * MINUTE_MS,
  },
  {
    id: 'attacks-deep',
    tier: 'deep',
    title: 'attacks with loads, floods and faults',
    needs: ['redis'],
    files: ['e2e/attacks/**/*.deep.test.ts'],
    settings: { globalSetup: CONTAINERS, testTimeout: 300_000 },
    run: vitest('attacks-deep'),
    withinMs: 45 * MINUTE_MS,
  },
  {
    id: 'chaos',
    tier: 'deep',
    title: 'random faults between clients, Redis and Lockscope',
    needs: ['redis'],
    files: ['e2e/chaos/**/*.test.ts'],
    settings: { globalSetup: CONTAINERS, testTimeout: 0, maxConcurrency: 1 },
    run: vitest('chaos'),
    withinMs: 60 * MINUTE_MS,
  },
  {
    id: 'interop',
    tier: 'deep',
    title: 'interop with the published Java client',
    needs: ['redis', 'jdk', 'maven'],
    files: ['e2e/redisson/**/*.test.ts'],
    settings: { globalSetup: CONTAINERS, testTimeout: 600_000, hookTimeout: 600_000, maxConcurrency: 100 },
    run: vitest('interop', { REDISSON_VERSIONS: process.env.REDISSON_VERSIONS || 'usual' }),
    withinMs: 45 * MINUTE_MS,
  },
  {
    id: 'incidents',
    tier: 'deep',
    title: 'real clients in one incident after the other',
    needs: ['redis', 'jdk', 'maven'],
    files: ['e2e/incidents/**/*.test.ts'],
    settings: { globalSetup: CONTAINERS, hookTimeout: 600_000 },
    run: vitest('incidents'),
    withinMs: 60 * MINUTE_MS,
  },
  {
    id: 'libraries',
    tier: 'deep',
    title: 'real clients of other lock libraries',
    needs: ['redis', 'jdk', 'maven', 'python', 'go', 'php'],
    files: ['e2e/other/**/*.test.ts'],
    settings: { globalSetup: CONTAINERS, hookTimeout: 600_000, maxConcurrency: 100 },
    run: vitest('libraries'),
    withinMs: 45 * MINUTE_MS,
  },
  {
    id: 'package-deep',
    tier: 'deep',
    title: 'the package, installed from a registry',
    needs: ['redis', 'nginx'],
    files: ['e2e/package/**/*.deep.test.ts'],
    settings: { globalSetup: [CONTAINERS, 'e2e/package/install.ts'] },
    run: vitest('package-deep'),
    withinMs: 20 * MINUTE_MS,
  },
  {
    id: 'container',
    tier: 'deep',
    title: 'the container image',
    files: ['e2e/container/**/*.test.ts'],
    // Compose builds the image within its test, which is slow where Docker copies each layer.
    settings: { globalSetup: 'e2e/container/build-image.ts', testTimeout: 1_200_000, hookTimeout: 900_000 },
    run: vitest('container'),
    withinMs: 45 * MINUTE_MS,
  },
  {
    id: 'page-deep',
    tier: 'deep',
    title: 'the page in Chromium, with live scenarios, faults and loads',
    needs: ['redis', 'chromium', 'headlessShell'],
    files: ['e2e/scenarios/**/*.deep.spec.ts'],
    run: playwright('page-deep', 'mounted-deep'),
    withinMs: 60 * MINUTE_MS,
  },
  {
    id: 'attacks-long',
    tier: 'deep',
    title: 'what Redis spends on Lockscope',
    needs: ['redis'],
    files: ['e2e/attacks/**/*.long.test.ts'],
    // One file at a time, because they measure what Redis spends.
    settings: { globalSetup: CONTAINERS, testTimeout: 3_600_000, maxWorkers: 1 },
    run: vitest('attacks-long'),
    withinMs: 180 * MINUTE_MS,
  },
];

/** The name of the Vitest project for the files of a stage that run alone. */
export function aloneIn(stage) {
  return `${stage}:alone`;
}
