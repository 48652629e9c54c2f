import { defineConfig } from '@playwright/test';
import { browserSettings } from '../support/browser-settings.ts';

/** Pictures of every page: `npm run screens`. Those in the documents go to docs/screens, the others to test-results. */
export default defineConfig({
  testDir: '.',
  testMatch: '*.shot.ts',
  // the built server runs inside the worker as it was built
  build: { external: ['**/dist/**'] },
  globalSetup: '../support/servers/containers-of-run.ts',
  outputDir: '../../test-results/screens-run',
  workers: 1,
  timeout: 300_000,
  expect: { timeout: 15_000 },
  reporter: 'list',
  use: { ...browserSettings, viewport: { width: 1280, height: 760 } },
});
