import { expect, type Locator, type Page } from '@playwright/test';
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

  /** The words of the events in the table, in order. Rows far out of sight are not in the table. */
  async words(): Promise<string[]> {
    return (await this.table.locator('[data-column="event"]').allInnerTexts()).slice(1).map((word) => word.trim());
  }

  /** The elements, attributes and texts of each row in sight, by its `aria-rowindex`, but not which row Tab focuses. */
  async cells(): Promise<Record<string, string>> {
    return this.table.locator('tbody tr').evaluateAll((rows) => {
      const textOf = (node: ChildNode): string => {
        if (!(node instanceof Element)) return node.textContent ?? '';
        const attributes = [...node.attributes].map(({ name, value }) => `${name}="${value}"`);
        const wanted = attributes.filter((attribute) => !attribute.startsWith('tabindex')).sort();
        return `<${[node.tagName, ...wanted].join(' ')}>${[...node.childNodes].map(textOf).join('')}</>`;
      };
      return Object.fromEntries(
        rows.map((row) => [row.getAttribute('aria-rowindex'), [...row.childNodes].map(textOf).join('')]),
      );
    });
  }

  /** Scrolls up by a few rows, so that the list stays where it is. */
  async stopFollowing(): Promise<void> {
    await this.table.hover();
    await this.page.mouse.wheel(0, -100);
    await expect(this.page.getByRole('button', { name: /go live/i })).toBeVisible();
  }
}
