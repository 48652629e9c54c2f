import type { Page } from '@playwright/test';

/** The texts that an element has shown so far, in order, each different from the one before. */
export type ScreenRecorder = { texts(): Promise<string[]> };

declare global {
  interface Window {
    recordedTexts?: string[][];
  }
}

/**
 * Begins to record the texts of the first element that matches `css` and contains `hasText`. The page records them at
 * each of its changes: a test that polls from outside misses short changes on a busy machine.
 */
export async function recordTexts(page: Page, css: string, hasText = ''): Promise<ScreenRecorder> {
  const place = await page.evaluate(
    ([kind = '', text = '']) => {
      const texts: string[] = [];
      const look = () => {
        const elements = [...document.querySelectorAll<HTMLElement>(kind)];
        const shown = elements.find((element) => element.textContent?.includes(text))?.innerText;
        if (shown !== undefined && shown !== texts.at(-1)) texts.push(shown);
      };
      const everything = { subtree: true, childList: true, characterData: true, attributes: true };
      new MutationObserver(look).observe(document.documentElement, everything);
      look();
      window.recordedTexts ??= [];
      return window.recordedTexts.push(texts) - 1;
    },
    [css, hasText],
  );
  return { texts: () => page.evaluate((n) => window.recordedTexts?.[n] ?? [], place) };
}
