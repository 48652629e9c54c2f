import { expect, type Locator, type Page } from '@playwright/test';
import { Frame } from './frame.ts';

/** The page that drives the demo's clients. */
export class DemoPage extends Frame {
  readonly steps: Locator;
  readonly state: Locator;
  /** The part of the stage that shows Redis: the holder of its lock. */
  readonly now: Locator;

  constructor(page: Page) {
    super(page);
    this.steps = page.getByRole('list', { name: 'Steps' }).getByRole('listitem');
    this.now = page.getByRole('region', { name: 'In Redis' });
    this.state = page.getByRole('region', { name: 'Scenario' }).getByRole('status');
  }

  async open(url: string): Promise<void> {
    await this.page.goto(`${url}/demo`);
  }

  /** Chooses a scenario by its id, and starts it. */
  async start(scenario: string): Promise<void> {
    await this.page.locator(`[data-scenario="${scenario}"]`).click();
    await this.page.locator('.scenario-open').getByRole('button').first().click();
  }

  /** Waits until the clients have played the last step. The stage may still show earlier ones. */
  async hasPlayed(): Promise<void> {
    const url = new URL('/api/demo', this.page.url()).href;
    const state = async () => ((await (await fetch(url)).json()) as { state: string }).state;
    await expect.poll(state, { timeout: 90_000 }).toBe('done');
  }

  client(id: string): Locator {
    return this.page.getByRole('article', { name: `Client ${id}` });
  }

  /** Presses a button of a client: `Freeze`, `Thaw`, `Kill`, `Start`. */
  async press(action: string, client: string): Promise<void> {
    await this.page.getByRole('button', { name: `${action} client ${client}`, exact: true }).click();
  }

  /** Chooses the lease of the next acquisitions: `Watchdog`, `3 s`, `10 s`. */
  async chooseLease(lease: string): Promise<void> {
    await this.page.getByRole('group', { name: 'Lease' }).getByRole('radio', { name: lease }).check({ force: true });
  }

  /** Presses a button of one thread: `Lock`, `Try lock`, `Unlock`. Settles when the server has accepted the order. */
  async order(action: string, client: string, thread: number): Promise<void> {
    const path = `/api/demo/clients/${client}/threads/${thread}/`;
    const ordered = this.page.waitForResponse((response) => response.url().includes(path));
    await this.page.getByRole('button', { name: `${action}, client ${client} thread ${thread}`, exact: true }).click();
    await ordered;
  }
}
