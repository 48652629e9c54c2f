import { expect, type Locator, type Page } from '@playwright/test';
import { RULES_OF_COLOUR, seriousFindings } from './axe.ts';

/** The parts that every page has. */
export class Frame {
  readonly page: Page;
  readonly health: Locator;
  readonly banner: Locator;
  readonly heading: Locator;
  readonly find: Locator;
  /** The position of the page in a recording. */
  readonly position: Locator;
  /** Opens the range of time. */
  readonly rangeButton: Locator;

  constructor(page: Page) {
    this.page = page;
    this.health = page.getByRole('region', { name: 'Health' });
    this.banner = page.getByRole('alert');
    this.heading = page.getByRole('heading', { level: 1 });
    this.position = page.getByRole('slider', { name: 'Position in the recording' });
    this.rangeButton = page.getByRole('button', { name: /^Range of time: / });
    this.find = page.getByRole('combobox', { name: 'Find locks, holders, events and actions' });
  }

  /** The first chip of the health strip: `Live`, `Reconnecting`, … */
  status(word: string): Locator {
    return this.health.getByRole('button', { name: word, exact: true });
  }

  /** Waits until the page accepts what the user drops, pastes or presses anywhere. */
  async isReady(): Promise<void> {
    await expect(this.status('Live')).toBeVisible();
  }

  async choose(theme: 'Light' | 'Dark'): Promise<void> {
    await this.page.emulateMedia({ colorScheme: theme === 'Dark' ? 'dark' : 'light' });
  }

  /**
   * Checks that axe has no serious finding on what the page shows now: the rules of colour in the dark theme, then all
   * rules in the light theme, which stays.
   */
  async expectAccessible(what: string): Promise<void> {
    for (const [colorScheme, rules] of [['dark', RULES_OF_COLOUR], ['light']] as const) {
      await this.page.emulateMedia({ colorScheme });
      await expect(this.page.locator(`html[data-theme="${colorScheme}"]`)).toBeAttached();
      const findings = await seriousFindings(this.page, rules);
      expect.soft(findings, `serious findings of axe: ${what}, ${colorScheme}`).toEqual([]);
    }
  }

  /** Checks that nothing is wider than the screen, and that header, strip and headings leave room for the rest. */
  async expectNarrow(what: string): Promise<void> {
    await expect.soft.poll(() => this.#topPixels(), `header, strip and headings of ${what}`).toBeLessThanOrEqual(120);
    await expect.soft.poll(() => this.sidewaysPixels(), `${what} is as wide as the screen`).toBeLessThanOrEqual(0);
  }

  /** Pixels above the page itself: header, health strip, and the headings of the table. */
  #topPixels(): Promise<number> {
    return this.page.evaluate(() => {
      const main = document.querySelector('main');
      const head = [...document.querySelectorAll('.table-head')].find(
        (each) => getComputedStyle(each).clipPath === 'none',
      );
      return (main?.offsetTop ?? Number.NaN) + (head?.getBoundingClientRect().height ?? 0);
    });
  }

  /** Pixels by which the page is wider than the screen; at most 0 if nothing scrolls sideways. */
  sidewaysPixels(): Promise<number> {
    return this.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  }
}
