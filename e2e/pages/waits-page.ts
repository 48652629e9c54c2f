import type { Locator } from '@playwright/test';
import { Frame } from './frame.ts';

type Which = 'Range' | 'Compared with';

/** The page about what waits were spent on, for one range or for two. */
export class WaitsPage extends Frame {
  async open(url: string, query = ''): Promise<void> {
    await this.page.goto(`${url}/waits${query}`);
  }

  /** One of the radio buttons that choose the range to compare with. */
  option(which: 'Compare with' | 'Compared with', name: string): Locator {
    return this.page.getByRole('group', { name: which, exact: true }).getByRole('radio', { name });
  }

  /** What is reported about one of the two ranges. */
  column(which: Which): Locator {
    return this.page.getByRole('region', { name: which, exact: true });
  }

  /**
   * Chooses the range between two instants, in ms since the epoch, in the header or on the page; the page shows UTC.
   */
  async chooseRange(which: Which, from: number, to: number): Promise<void> {
    if (which === 'Range') await this.rangeButton.click();
    else await this.option(which, 'From – to').check({ force: true });
    const form = this.page.getByRole('form', { name: which === 'Range' ? 'From – to' : which, exact: true });
    await form.getByLabel('From').fill(fieldText(from));
    await form.getByLabel('To').fill(fieldText(to));
    await form.getByRole('button', { name: 'Show' }).click();
  }

  /** A row of one of the tables: its cells for the range, for the other one, and the ratio. */
  row(table: string, name: string | RegExp): Locator {
    const cells = this.page.getByRole('table', { name: table, exact: true });
    return cells.getByRole('row').filter({ has: this.page.getByRole('rowheader', { name }) });
  }
}

function fieldText(ms: number): string {
  return new Date(ms).toISOString().slice(0, -1);
}
