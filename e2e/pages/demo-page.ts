import { expect, type Locator, type Page } from '@playwright/test';
import { Frame } from './frame.ts';

/** How often a scenario may be started: it can fail if a process was stopped on a busy machine. */
const MOST_STARTS = 3;

/** The page that drives the demo's clients. */
export class DemoPage extends Frame {
  readonly steps: Locator;
  readonly state: Locator;
  /** The part of the stage that shows Redis: the holder of its lock. */
  readonly lockInRedis: Locator;

  constructor(page: Page) {
    super(page);
    this.steps = page.getByRole('list', { name: 'Steps' }).getByRole('listitem');
    this.lockInRedis = page.getByRole('region', { name: 'In Redis' });
    this.state = page.getByRole('region', { name: 'Scenario' }).getByRole('status');
  }

  async open(url: string): Promise<void> {
    await this.page.goto(`${url}/demo`);
  }

  /** Chooses a scenario by its id, and starts it. */
  async start(scenario: string): Promise<void> {
    await this.page.locator(`[data-scenario="${scenario}"]`).click();
    await this.page.locator('.scenario-open').getByRole('button').first().click();
    // otherwise the button may keep the focus, and the keys that control the stage would press it
    await this.page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
  }

  /** Waits until the clients have played the last step. The stage may still show earlier ones. */
  async hasPlayed(): Promise<void> {
    await expect.poll(async () => (await this.#run()).state, { timeout: 90_000 }).toBe('done');
  }

  /**
   * Waits as `hasPlayed` does; if the scenario failed, starts it again. Only for checks that compare the stage with the
   * newest run, after it has ended.
   */
  async hasPlayedOnce(): Promise<void> {
    for (let starts = 1; starts < MOST_STARTS; starts++) {
      await expect.poll(async () => (await this.#run()).state, { timeout: 90_000 }).toMatch(/^(done|failed)$/);
      const { state, scenario } = await this.#run();
      if (state === 'done') return;
      const url = new URL(`/api/demo/scenarios/${scenario}/start`, this.page.url());
      expect((await fetch(url, { method: 'POST' })).status).toBe(200);
    }
    await this.hasPlayed();
  }

  async #run(): Promise<{ state: string; scenario: string }> {
    const answer = await fetch(new URL('/api/demo', this.page.url()));
    return (await answer.json()) as { state: string; scenario: string };
  }

  client(id: string): Locator {
    return this.page.getByRole('article', { name: `Client ${id}` });
  }

  /** The process of a client, from its card. */
  async pid(id: string): Promise<number> {
    return Number(/process (\d+)/.exec(await this.client(id).innerText())?.[1]);
  }

  /** Presses a button of a client: `Freeze`, `Thaw`, `Kill`, `Start`. */
  async press(action: string, client: string): Promise<void> {
    await this.page.getByRole('button', { name: `${action} client ${client}`, exact: true }).click();
  }

  /** Chooses the lease of the next acquisitions: `Watchdog`, `3 s`, `10 s`. */
  async chooseLease(lease: string): Promise<void> {
    await this.page.getByRole('group', { name: 'Lease' }).getByRole('radio', { name: lease }).check({ force: true });
  }

  /** Presses a button of one thread: `Lock`, `Try lock`, `Unlock`. Settles when the server has answered. */
  async order(action: string, client: string, thread: number): Promise<void> {
    const path = `/api/demo/clients/${client}/threads/${thread}/`;
    // longer than the button may take, so that the error of a button that cannot be pressed names the reason
    const ordered = this.page.waitForResponse((response) => response.url().includes(path), { timeout: 90_000 });
    const button = this.page.getByRole('button', { name: `${action}, client ${client} thread ${thread}`, exact: true });
    await button.click({ trial: true });
    // a click is lost if cards above grow between its two halves
    await button.press('Enter');
    await ordered;
  }
}
