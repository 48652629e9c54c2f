import type { Locator, Page } from '@playwright/test';
import { Frame } from './frame.ts';

/** The page with every event, newest at the bottom. */
export class EventsPage extends Frame {
  readonly table: Locator;
  readonly redisLines: Locator;

  constructor(page: Page) {
    super(page);
    this.table = page.getByRole('table', { name: 'Events' });
    this.redisLines = page.getByRole('region', { name: 'Redis lines' });
  }

  async open(url: string, filter: { lock?: string; type?: string } = {}): Promise<void> {
    const query = new URLSearchParams(filter).toString();
    await this.page.goto(`${url}/events${query === '' ? '' : `?${query}`}`);
  }

  /** The button of each event, by its word: `acquired`, `refused`, … */
  event(word: string): Locator {
    return this.table.getByRole('button', { name: word, exact: true });
  }

  /** The words of all events in order, as the table shows them. */
  async words(): Promise<string[]> {
    return (await this.table.locator('[data-column="event"]').allInnerTexts()).slice(1).map((word) => word.trim());
  }
}
