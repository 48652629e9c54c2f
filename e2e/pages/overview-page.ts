import type { Locator, Page } from '@playwright/test';
import { Frame } from './frame.ts';

/** The page with every lock, one a row. */
export class OverviewPage extends Frame {
  readonly table: Locator;

  constructor(page: Page) {
    super(page);
    this.table = page.getByRole('table', { name: 'Locks' });
  }

  async open(url: string): Promise<void> {
    await this.page.goto(url);
  }

  row(lock: string): Locator {
    return this.table.getByRole('row').filter({ has: this.page.getByRole('link').filter({ hasText: exactly(lock) }) });
  }

  link(lock: string): Locator {
    return this.table.getByRole('link').filter({ hasText: exactly(lock) });
  }

  /** A cell of a lock's row: `holder`, `held`, `lease`, `waiters`, `wait`, `rate`. */
  cell(lock: string, column: string): Locator {
    return this.row(lock).locator(`[data-column="${column}"]`);
  }
}

function exactly(text: string): RegExp {
  return new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}$`);
}
