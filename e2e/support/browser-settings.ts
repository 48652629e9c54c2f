import { existsSync } from 'node:fs';

/** The shell draws the same pages without a window, and needs a quarter less time. */
const OF_SYSTEM = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path));

/** Chromium without background traffic: the system's own if there is one, otherwise Playwright's. */
export const browserSettings = {
  browserName: 'chromium' as const,
  viewport: { width: 1440, height: 900 },
  locale: 'en-GB',
  timezoneId: 'UTC',
  launchOptions: {
    ...(OF_SYSTEM === undefined ? {} : { executablePath: OF_SYSTEM }),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  },
};
