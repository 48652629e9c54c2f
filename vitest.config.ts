import { defineConfig } from 'vitest/config';

/**
 * Three projects, three costs: `unit` is pure and runs everywhere, `live` needs a redis-server and the built product,
 * `interop` needs a JDK and Maven as well.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['shared/**/*.test.ts', 'server/**/*.test.ts', 'web/**/*.test.ts'],
          exclude: ['**/*.live.test.ts', '**/node_modules/**', 'dist/**'],
        },
      },
      {
        test: {
          name: 'live',
          include: ['server/**/*.live.test.ts', 'e2e/live/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'interop',
          include: ['e2e/redisson/**/*.test.ts'],
          testTimeout: 600_000,
          hookTimeout: 600_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
