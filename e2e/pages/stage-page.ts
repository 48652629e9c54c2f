import { expect, type Locator, type Page } from '@playwright/test';
import { DemoPage } from './demo-page.ts';

/** How long the stage may take to show a scenario: with few frames a second, it is slower than the clients. */
export const SHOWN_WITHIN_MS = 150_000;

/** What the stage showed, one entry for each change: its beat and its caption. */
export type Shown = { beat: string; caption: string };

/** What the stage shows at a beat: its caption, and the texts of the cards. */
export type Beat = { caption: string; redis: string; cards: Readonly<Record<'A' | 'B' | 'C', string>> };

export class StagePage extends DemoPage {
  readonly stage: Locator;
  readonly caption: Locator;
  readonly lens: Locator;
  readonly summary: Locator;
  /** The lesson at the end of a scenario. */
  readonly lesson: Locator;
  /** What the chosen scenario of the list promises to show. */
  readonly promise: Locator;
  readonly redis: Locator;

  constructor(page: Page) {
    super(page);
    this.stage = page.getByRole('region', { name: 'Stage', exact: true });
    this.caption = this.stage.getByRole('status');
    this.lens = this.stage.getByRole('figure', { name: /^Time lens/ });
    this.summary = this.stage.getByRole('region', { name: 'What woke the waiter' });
    this.lesson = this.stage.getByRole('region', { name: 'What this shows' });
    this.promise = page.locator('.scenario-choice[aria-expanded=true] > span');
    this.redis = this.stage.getByRole('region', { name: 'In Redis' });
  }

  /** A control or a button of a card: `Play the show`, `Back`, `Lock as A`, `Freeze A on the stage`. */
  button(name: string): Locator {
    return this.stage.getByRole('button', { name, exact: true });
  }

  /** The card of a client on the stage, by its letter. */
  card(letter: string): Locator {
    return this.stage.getByRole('article', { name: new RegExp(`^${letter} `) });
  }

  async chooseSpeed(times: '×0.25' | '×0.5' | '×1' | '×2' | '×4'): Promise<void> {
    await this.stage.getByRole('combobox', { name: 'Speed' }).selectOption({ label: times });
  }

  /** The current beat of the stage: `e` and the `seq` of its event, `f…` for a fault, `o…` for a missing renewal. */
  async beat(): Promise<string> {
    return (await this.stage.locator('[data-beat]').getAttribute('data-beat')) ?? '';
  }

  /** Begins to record every change of beat and caption on the page. */
  async recordShow(): Promise<() => Promise<Shown[]>> {
    await this.caption.waitFor({ state: 'attached' });
    await this.page.evaluate(() => {
      const shown: { beat: string; caption: string }[] = [];
      const note = () => {
        const beat = document.querySelector<HTMLElement>('[data-beat]')?.dataset.beat ?? '';
        const caption = document.querySelector('.stage-caption')?.textContent ?? '';
        const last = shown.at(-1);
        if (last?.beat !== beat || last.caption !== caption) shown.push({ beat, caption });
      };
      const options = { subtree: true, childList: true, characterData: true, attributes: true };
      new MutationObserver(note).observe(document.body, { ...options, attributeFilter: ['data-beat'] });
      Object.assign(window, { shownOnStage: shown });
    });
    return () => this.page.evaluate(() => (window as unknown as { shownOnStage: Shown[] }).shownOnStage);
  }

  /** Everything that the stage shows at this moment: its words, and the pixels of its timeline. */
  async picture(): Promise<{ beat: string; words: string; lanes: string }> {
    return this.stage.evaluate((stage) => {
      const floor = stage.querySelector<HTMLElement>('.stage-floor');
      const lens = stage.querySelector<HTMLElement>('.stage-lens');
      const caption = stage.querySelector<HTMLElement>('.stage-caption');
      return {
        beat: floor?.dataset.beat ?? '',
        words: [caption, floor, lens].map((part) => part?.innerText ?? '').join('\n'),
        lanes: stage.querySelector('canvas')?.toDataURL() ?? '',
      };
    });
  }

  /** Plays a scenario, and waits until its clients have played the last step. */
  async playToTheEnd(scenario: string): Promise<void> {
    const url = new URL('/api/demo', this.page.url()).href;
    const startedAt = async () => ((await (await fetch(url)).json()) as { startedAt?: number }).startedAt;
    const before = await startedAt();
    await this.start(scenario);
    await expect.poll(startedAt, { timeout: 60_000 }).not.toBe(before);
    await expect(this.state).toContainText(/Playing\.|Done\./);
    await this.hasPlayedOnce();
  }

  /**
   * Plays a run that is over, from where the stage is to its end, by the clock of the page: a show of a minute takes
   * seconds. The page was opened after `page.clock.install()`.
   */
  async playByClock(): Promise<void> {
    await this.chooseSpeed('×4');
    await this.button('Play').click();
    // a run of a minute takes a quarter of that at this speed
    for (let seconds = 0; seconds < 60 && (await this.lesson.isHidden()); seconds++) await this.page.clock.runFor(1000);
    await expect(this.lesson).toBeVisible();
  }

  /**
   * Begins to note, in every painted frame, the positions of controls, caption and lanes, and how much of the stage,
   * its cards and its lanes is hidden. Each different set is noted once.
   */
  async notePlaces(): Promise<() => Promise<string[]>> {
    await this.stage.evaluate((stage) => {
      const parts = ['.stage-head', '.stage-controls', '.stage-caption-bar', '.stage-below'];
      const places = new Set<string>();
      const look = () => {
        const boxes = parts.map((part) => stage.querySelector(part)?.getBoundingClientRect());
        const boxesOfRun = ['.stage-floor', '.stage-lanes'].map((part) => stage.querySelector(part));
        const hidden = [
          stage.scrollTop + Math.max(0, stage.scrollHeight - window.innerHeight),
          ...boxesOfRun.map((box) => (box ? Math.max(0, box.scrollHeight - box.clientHeight) : 0)),
        ];
        const text = boxes.map((box) => [box?.x, box?.y, box?.width, box?.height].join(' ')).join(', ');
        places.add(`${text}; hidden pixels: ${hidden.join(', ')}`);
      };
      // The browser reports sizes after everything that draws in a frame, and before it paints the frame. So this
      // element changes its size in each frame.
      const pacer = document.body.appendChild(document.createElement('div'));
      pacer.style.cssText = 'position: fixed; top: 0; height: 0';
      const pace = () => {
        pacer.style.width = pacer.style.width === '1px' ? '2px' : '1px';
        requestAnimationFrame(pace);
      };
      new ResizeObserver(look).observe(pacer);
      pace();
      Object.assign(window, { placesOnStage: places });
    });
    return () => this.page.evaluate(() => [...(window as unknown as { placesOnStage: Set<string> }).placesOnStage]);
  }

  /** How many pixels of the cards, of the lanes and of the stage are outside of the place that shows them. */
  async hiddenPixels(): Promise<{ cards: number; lanes: number; page: number }> {
    return this.stage.evaluate((stage) => {
      const hidden = (part: string) => {
        const box = stage.querySelector(part);
        return box ? box.scrollHeight - box.clientHeight : Number.NaN;
      };
      const page = Math.max(0, stage.getBoundingClientRect().bottom - window.innerHeight);
      return { cards: hidden('.stage-floor'), lanes: hidden('.stage-lanes'), page };
    });
  }

  /** Enters or leaves full screen. */
  async toggleFullScreen(): Promise<void> {
    const isFull = await this.button('Leave full screen').isVisible();
    await this.page.keyboard.press('KeyF');
    await expect(this.button(isFull ? 'Full screen' : 'Leave full screen')).toBeVisible();
  }

  /** Goes to the start, before the first beat. */
  async standAtTheStart(): Promise<void> {
    await this.button('From the start').click();
    if (await this.button('Pause').isVisible()) await this.button('Pause').click();
    await expect(this.button('Play')).toBeVisible();
    await this.stepBackToTheStart();
  }

  /** Goes to the end, after the last beat, with the cards in view. */
  async standAtTheEnd(): Promise<void> {
    await this.page.keyboard.press('End');
    await expect(this.lesson).toBeVisible();
    await this.page.keyboard.press('Space');
    await expect(this.lesson).toBeHidden();
  }

  /** Steps back until no beat is left. */
  async stepBackToTheStart(): Promise<void> {
    while (await this.button('Back').isEnabled()) {
      await this.button('Back').click();
      await this.settled(); // now the button knows whether there is a further beat
    }
  }

  /**
   * Steps forward until no beat is left. Returns what the stage showed. A caption that stays for several beats is
   * returned once, with the cards at its first beat.
   */
  async beats(): Promise<Beat[]> {
    const beats: Beat[] = [];
    for (let beat = await this.#step(); beat; beat = await this.#step()) {
      if (beat.caption !== beats.at(-1)?.caption) beats.push(beat);
    }
    return beats;
  }

  /** Steps forward until no beat is left. */
  async stepToTheEnd(): Promise<void> {
    while (await this.#step());
  }

  /** Steps forward until the caption contains these words. */
  async stepTo(words: string): Promise<void> {
    const captions: string[] = [];
    for (let beat = await this.#step(); beat; beat = await this.#step()) {
      if (beat.caption.includes(words)) return;
      captions.push(beat.caption);
    }
    throw new Error(`no beat says "${words}", only: ${captions.join(' | ')}`);
  }

  /**
   * Steps forward once; `undefined` if no beat is left. The stage is a little behind Redis, so the last beats may be
   * about to arrive. The run is over once the page reports that all was shown.
   */
  async #step(): Promise<Beat | undefined> {
    const isKnown = async () =>
      (await this.button('Next').isEnabled()) || /^Done\./.test((await this.state.textContent()) ?? '');
    await expect.poll(isKnown, 'one more beat, or all was shown').toBe(true);
    if (await this.button('Next').isDisabled()) return undefined;
    await this.page.keyboard.press('ArrowRight');
    return this.#look();
  }

  /** What the stage shows once the next frame has been drawn, read at once: some scenarios have a hundred beats. */
  async #look(): Promise<Beat> {
    return this.stage.evaluate(async (stage) => {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const text = (css: string) => stage.querySelector<HTMLElement>(css)?.innerText.replace(/\s+/g, ' ') ?? '';
      const card = (client: string) => text(`.stage-actor[data-client="${client}"]`);
      const cards = { A: card('A'), B: card('B'), C: card('C') };
      return { caption: text('.stage-caption'), redis: text('.stage-shelf'), cards };
    });
  }

  /** Waits until the next frame has been drawn. */
  async settled(): Promise<void> {
    await this.page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(null)))),
    );
  }
}
