import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const NOT_OURS = ['**/node_modules/**', 'dist/**', 'e2e/redisson/target/**', 'e2e/other/target/**'];

/** Removes the containers of a run with REDIS_SERVER=docker. */
const CONTAINERS = ['e2e/support/servers/containers-of-run.ts'];

/** How long a condition is asked for before its test fails: a machine may be busy with much else. */
const PATIENT = { poll: { timeout: 60_000 } };

/**
 * Each project has its cost. `unit` is pure and runs everywhere. `live` and `attacks` need a redis-server and the built
 * product, `interop` needs a JDK and Maven as well, `libraries` Python too. `attacks-long` takes an hour and runs by hand.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{shared,server,library,web,bench,e2e/support}/**/*.test.ts', 'scripts/**/*.test.mjs'],
          exclude: ['**/*.live.test.ts', ...NOT_OURS],
          testTimeout: 120_000,
          expect: PATIENT,
          // A new process for each file would cost more than its tests. The order of files must not matter.
          isolate: false,
          // Vitest leaves one core free, which is half of a machine with two.
          maxWorkers: Math.max(2, availableParallelism() - 1),
        },
      },
      {
        test: {
          name: 'live',
          globalSetup: CONTAINERS,
          include: ['server/**/*.live.test.ts', 'e2e/live/**/*.test.ts'],
          exclude: NOT_OURS,
          testTimeout: 240_000,
          hookTimeout: 180_000,
          expect: PATIENT,
          // Most of their time is waiting for leases to end.
          maxWorkers: 4,
        },
      },
      {
        test: {
          name: 'attacks',
          globalSetup: CONTAINERS,
          include: ['e2e/attacks/**/*.test.ts'],
          exclude: ['**/*.long.test.ts', ...NOT_OURS],
          testTimeout: 300_000,
          hookTimeout: 180_000,
          expect: PATIENT,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'attacks-long',
          globalSetup: CONTAINERS,
          include: ['e2e/attacks/**/*.long.test.ts'],
          exclude: NOT_OURS,
          testTimeout: 3_600_000,
          hookTimeout: 60_000,
          expect: PATIENT,
          // They measure what Redis spends: one at a time.
          maxWorkers: 1,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'chaos',
          globalSetup: CONTAINERS,
          include: ['e2e/chaos/**/*.test.ts'],
          exclude: NOT_OURS,
          hookTimeout: 60_000,
          expect: PATIENT,
          // Most of their time is waiting: for faults to end, and for leases.
          maxWorkers: 3,
          maxConcurrency: 1,
        },
      },
      {
        test: {
          name: 'interop',
          globalSetup: CONTAINERS,
          include: ['e2e/redisson/**/*.test.ts'],
          exclude: NOT_OURS,
          testTimeout: 600_000,
          hookTimeout: 600_000,
          expect: PATIENT,
          maxConcurrency: 100,
        },
      },
      {
        test: {
          name: 'package',
          globalSetup: [...CONTAINERS, 'e2e/package/install.ts'],
          include: ['e2e/package/**/*.test.ts'],
          exclude: NOT_OURS,
          testTimeout: 120_000,
          hookTimeout: 180_000,
          expect: PATIENT,
        },
      },
      {
        test: {
          name: 'container',
          globalSetup: 'e2e/container/build-image.ts',
          include: ['e2e/container/**/*.test.ts'],
          exclude: NOT_OURS,
          testTimeout: 300_000,
          hookTimeout: 900_000,
          expect: PATIENT,
        },
      },
      {
        test: {
          name: 'incidents',
          globalSetup: CONTAINERS,
          include: ['e2e/incidents/**/*.test.ts'],
          exclude: NOT_OURS,
          testTimeout: 120_000,
          hookTimeout: 400_000,
          expect: PATIENT,
        },
      },
      {
        test: {
          name: 'libraries',
          globalSetup: CONTAINERS,
          include: ['e2e/other/**/*.test.ts'],
          exclude: NOT_OURS,
          testTimeout: 120_000,
          hookTimeout: 400_000,
          expect: PATIENT,
          maxConcurrency: 100,
        },
      },
    ],
  },
});
