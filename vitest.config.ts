import { defineConfig } from 'vitest/config';

const NOT_OURS = ['**/node_modules/**', 'dist/**', 'e2e/redisson/target/**', 'e2e/other/target/**'];

/** How long a condition is asked for before its test fails: a machine may be busy with much else. */
const PATIENT = { poll: { timeout: 30_000 } };

/**
 * Four projects, four costs: `unit` is pure and runs everywhere, `live` needs a redis-server and the built product,
 * `interop` needs a JDK and Maven as well, `libraries` Python too.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{shared,server,web,bench,e2e/support}/**/*.test.ts', 'scripts/**/*.test.mjs'],
          exclude: ['**/*.live.test.ts', ...NOT_OURS],
          testTimeout: 60_000,
          expect: PATIENT,
        },
      },
      {
        test: {
          name: 'live',
          include: ['server/**/*.live.test.ts', 'e2e/live/**/*.test.ts'],
          exclude: NOT_OURS,
          testTimeout: 120_000,
          hookTimeout: 60_000,
          expect: PATIENT,
          // Most of their time is waiting for leases to end.
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'interop',
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
          name: 'libraries',
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
