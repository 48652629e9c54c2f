import type { Locator } from '@playwright/test';

/** Each different text an element showed, in order, so far. */
export type ScreenRecorder = { texts(): string[] };

/** Begins to read an element again and again, for as long as its page is open. */
export function recordTexts(element: Locator): ScreenRecorder {
  const texts: string[] = [];
  const read = async () => {
    while (!element.page().isClosed()) {
      const text = await element.innerText({ timeout: 1000 }).catch(() => undefined); // not there at this moment
      if (text !== undefined && text !== texts.at(-1)) texts.push(text);
    }
  };
  void read();
  return { texts: () => [...texts] };
}
