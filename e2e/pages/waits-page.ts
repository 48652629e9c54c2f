import type { Locator } from '@playwright/test';
import { Frame } from './frame.ts';

type Which = 'Stretch' | 'Compared with';

/** The page about what waits were spent on, for one stretch or for two. */
export class WaitsPage extends Frame {
  async open(url: string, query = ''): Promise<void> {
    await this.page.goto(`${url}/waits${query}`);
  }

  /** One of the radio buttons that choose a stretch. */
  option(which: Which | 'Compare with', name: string): Locator {
    return this.page.getByRole('group', { name: which, exact: true }).getByRole('radio', { name });
  }

  /** The two fields of a stretch, and their button. */
  form(which: Which): Locator {
    return this.page.getByRole('form', { name: which, exact: true });
  }

  /** What is reported about one of the two stretches. */
  column(which: Which): Locator {
    return this.page.getByRole('region', { name: which, exact: true });
  }

  /** Chooses the stretch between two instants, in ms since the epoch; the page shows UTC. */
  async chooseStretch(which: Which, from: number, to: number): Promise<void> {
    await this.option(which, 'From – to').check({ force: true });
    const form = this.form(which);
    await form.getByLabel('From').fill(fieldText(from));
    await form.getByLabel('To').fill(fieldText(to));
    await form.getByRole('button', { name: 'Show' }).click();
  }

  /** A row of one of the tables: its cells for the stretch, for the other one, and the ratio. */
  row(table: string, name: string | RegExp): Locator {
    const cells = this.page.getByRole('table', { name: table, exact: true });
    return cells.getByRole('row').filter({ has: this.page.getByRole('rowheader', { name }) });
  }
}

function fieldText(ms: number): string {
  return new Date(ms).toISOString().slice(0, -1);
}
