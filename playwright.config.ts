import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { browserSettings } from './e2e/support/browser-settings.ts';
import { ADMIN } from './e2e/support/lockscope/mounted-lockscope.ts';

const DEEP = /\.deep\.spec\.ts$/;
/** Scenarios that run a second time inside an application, behind its login and a proxy. */
const MOUNTED = /own-locks\.spec\.ts$/;
const inApplication = { isMounted: true, ignoreHTTPSErrors: true, httpCredentials: ADMIN } as object;

/**
 * The whole product in a real browser. `page` and `mounted` belong to the gate, the others to the deep tier:
 * `npx playwright test two-threads --project page`. No retries.
 */
export default defineConfig({
  testDir: 'e2e/scenarios',
  // The built server runs inside the worker as it was built.
  build: { external: ['**/dist/**'] },
  globalSetup: ['./e2e/support/servers/containers-of-run.ts', './e2e/support/lockscope/build-recorded-demo.ts'],
  outputDir: 'test-results',
  // Chromium keeps a core busy: more workers only make each scenario slower.
  workers: availableParallelism(),
  retries: 0,
  forbidOnly: true,
  // Late enough for a machine that is busy with much else.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  projects: [
    { name: 'page', testIgnore: DEEP },
    { name: 'mounted', testMatch: MOUNTED, use: inApplication },
    { name: 'page-deep', testMatch: DEEP },
    // every scenario that needs no demo
    { name: 'mounted-deep', testIgnore: MOUNTED, use: inApplication },
  ],
  use: {
    ...browserSettings,
    // A click that cannot be made says so itself, long before the scenario's time is over.
    actionTimeout: 60_000,
    screenshot: 'only-on-failure',
  },
});
