import { type Browser, chromium, type Page } from '@playwright/test';
import { browserSettings } from '../../e2e/support/browser-settings.ts';

/** The Chromium the e2e tests run in. */
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

/** What the main thread of a page was busy with. */
export type Busy = { readonly seconds: number; readonly share: number; readonly scriptShare: number };

/** Share of the time the page's main thread worked while `during` ran, by Chromium's own count. */
export async function busyShare(page: Page, during: () => Promise<void>): Promise<Busy> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'timeTicks' });
  const read = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return new Map(metrics.map(({ name, value }) => [name, value]));
  };
  const before = await read();
  await during();
  const after = await read();
  await session.detach();
  const grown = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
  const seconds = grown('Timestamp');
  return { seconds, share: grown('TaskDuration') / seconds, scriptShare: grown('ScriptDuration') / seconds };
}
