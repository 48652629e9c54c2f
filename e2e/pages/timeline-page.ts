import type { Locator, Page } from '@playwright/test';
import { Frame } from './frame.ts';

/** The timeline: its picture, its table, and the parts around them. */
export class TimelinePage extends Frame {
  /** The marks of the view as a table. */
  readonly table: Locator;
  /** The sentence about the selection. */
  readonly sentence: Locator;
  /** The state at the cursor. */
  readonly atCursor: Locator;
  readonly zooms: Locator;

  constructor(page: Page) {
    super(page);
    this.table = page.getByRole('table', { name: 'Marks of the timeline' });
    this.sentence = page.getByRole('region', { name: 'Selection' }).getByRole('status');
    this.atCursor = page.getByRole('complementary', { name: 'At the cursor' });
    this.zooms = page.getByRole('navigation', { name: 'Zooms' });
  }

  async open(url: string): Promise<void> {
    await this.page.goto(`${url}/timeline`);
  }

  async showAs(form: 'Chart' | 'Table'): Promise<void> {
    // The timeline accepts no clicks until the state from the URL is applied.
    const settled = this.page.locator('.tl-board:not([inert])');
    await settled.getByRole('radio', { name: form }).check({ force: true });
  }

  /** The button of each mark in the table, by its word: `holds ×1`, `waits`, `released`, … */
  mark(word: string | RegExp): Locator {
    return this.table.getByRole('button', { name: word });
  }

  /** The parameters of this view in the address bar. */
  moment(): { view: string | null; at: string | null; sel: string | null; zoom: string[] } {
    const query = new URL(this.page.url()).searchParams;
    return { view: query.get('view'), at: query.get('at'), sel: query.get('sel'), zoom: query.getAll('zoom') };
  }
}
