import type { Locator, Page } from '@playwright/test';
import { Frame } from './frame.ts';

export class LockPage extends Frame {
  readonly holders: Locator;
  readonly waiters: Locator;
  readonly events: Locator;

  constructor(page: Page) {
    super(page);
    this.holders = page.getByRole('region', { name: 'Holders' });
    this.waiters = page.getByRole('region', { name: 'Waiters' }).first();
    this.events = page.getByRole('table', { name: 'Events' });
  }

  async open(url: string, lock: string): Promise<void> {
    await this.page.goto(`${url}/locks/${encodeURIComponent(lock)}`);
  }
}
