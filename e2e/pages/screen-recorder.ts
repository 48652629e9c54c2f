import type { Locator } from '@playwright/test';

/** Each different text an element showed, in order; read from the screen at every frame. */
export type ScreenRecorder = { texts(): Promise<string[]> };

/** Begins to note what an element that is on the screen says, for as long as it is there. */
export async function recordTexts(element: Locator): Promise<ScreenRecorder> {
  const handle = await element.evaluateHandle((node: HTMLElement | SVGElement) => {
    const texts: string[] = [];
    const note = () => {
      const text = node.textContent ?? '';
      if (text !== texts.at(-1)) texts.push(text);
      if (node.isConnected) requestAnimationFrame(note);
    };
    note();
    return texts;
  });
  return { texts: () => handle.jsonValue() };
}
