import { type Browser, chromium, type Page } from '@playwright/test';
import { browserSettings } from '../../e2e/support/browser-settings.ts';

/** Starts the Chromium of the e2e tests. */
export function openChromium(): Promise<Browser> {
  return chromium.launch(browserSettings.launchOptions);
}

/** A new page of the usual size. */
export async function openPage(browser: Browser, url: string): Promise<Page> {
  const { viewport, locale, timezoneId } = browserSettings;
  const context = await browser.newContext({ viewport, locale, timezoneId });
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

/** How long a page was measured, and in which share of that time its main thread was busy. */
type Busy = { readonly seconds: number; readonly share: number };

/** Measures how busy the main thread of a page is while `during` runs, from Chromium's metrics. */
export async function busyShare(page: Page, during: () => Promise<void>): Promise<Busy> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'timeTicks' });
  const read = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  };
  const before = await read();
  await during();
  const after = await read();
  await session.detach();
  const seconds = after('Timestamp') - before('Timestamp');
  return { seconds, share: (after('ThreadTime') - before('ThreadTime')) / seconds };
}
