import { defineConfig } from '@playwright/test';
import { browserSettings } from './e2e/support/browser-settings.ts';
import { ADMIN } from './e2e/support/clients/mounted-lockscope.ts';

/** Runs a second time inside an application, behind its login and a proxy. `MOUNTED=1` runs all that need no demo. */
const MOUNTED = process.env.MOUNTED ? /\.spec\.ts$/ : /(?:redis-killed|dead-head)\.spec\.ts$/;

/** The whole product in a real browser on a real Redis: three files at a time, no retries. */
export default defineConfig({
  testDir: 'e2e/scenarios',
  globalSetup: './e2e/support/servers/containers-of-run.ts',
  outputDir: 'test-results',
  workers: 3,
  retries: 0,
  forbidOnly: true,
  // Late enough for a machine that is busy with much else.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  // A click that cannot be made says so itself, long before the scenario's time is over.
  projects: [
    { name: 'alone' },
    {
      name: 'mounted',
      testMatch: MOUNTED,
      use: { isMounted: true, ignoreHTTPSErrors: true, httpCredentials: ADMIN } as object,
    },
  ],
  use: {
    ...browserSettings,
    actionTimeout: 60_000,
    trace: { mode: 'retain-on-failure', screenshots: false },
    screenshot: 'only-on-failure',
  },
});
