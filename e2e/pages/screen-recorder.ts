import type { Page } from '@playwright/test';

/** Each different text an element showed, in order, so far. */
export type ScreenRecorder = { texts(): Promise<string[]> };

declare global {
  interface Window {
    recordedTexts?: string[][];
  }
}

/**
 * Begins to note what the first element of this kind shows that has the text in it. The page itself looks, at each of
 * its changes: whoever asks from outside, on a busy machine, misses what passes quickly.
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
