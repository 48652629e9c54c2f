import { defineConfig } from '@playwright/test';
import { browserSettings } from './e2e/support/browser-settings.ts';

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
  use: { ...browserSettings, actionTimeout: 60_000, trace: 'retain-on-failure', screenshot: 'only-on-failure' },
});
