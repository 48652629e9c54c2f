import { expect, type Locator, type Page } from '@playwright/test';

/** The parts that every page has. */
export class Frame {
  readonly page: Page;
  readonly health: Locator;
  readonly banner: Locator;
  readonly heading: Locator;
  readonly find: Locator;

  constructor(page: Page) {
    this.page = page;
    this.health = page.getByRole('region', { name: 'Health' });
    this.banner = page.getByRole('alert');
    this.heading = page.getByRole('heading', { level: 1 });
    this.find = page.getByRole('combobox', { name: 'Find locks, holders, events and actions' });
  }

  /** The first chip of the health strip: `Live`, `Reconnecting`, … */
  status(word: string): Locator {
    return this.health.getByRole('button', { name: word, exact: true });
  }

  /** Waits until the page takes what is dropped, pasted or pressed anywhere. */
  async isReady(): Promise<void> {
    await expect(this.status('Live')).toBeVisible();
  }

  async choose(theme: 'Light' | 'Dark'): Promise<void> {
    await this.page.getByRole('radio', { name: `${theme} theme` }).check({ force: true });
  }

  /** Pixels by which the page is wider than the screen; at most 0 if nothing scrolls sideways. */
  sidewaysPixels(): Promise<number> {
    return this.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  }
}
