import type { Browser } from '@playwright/test';

/**
 * CPU time of all renderer processes of a browser while `during` runs, as a share of one core: scripts, layout and
 * compositing. Painting by the GPU process is returned separately. With one page in the browser, this is the cost of
 * that page.
 */
export async function rendererShare(
  browser: Browser,
  during: () => Promise<void>,
): Promise<{ readonly renderer: number; readonly gpu: number }> {
  const session = await browser.newBrowserCDPSession();
  const read = async () => {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    const sum = (type: string) =>
      processInfo.filter((each) => each.type === type).reduce((all, { cpuTime }) => all + cpuTime, 0);
    return { renderer: sum('renderer'), gpu: sum('GPU'), at: performance.now() / 1000 };
  };
  const before = await read();
  await during();
  const after = await read();
  await session.detach();
  const seconds = after.at - before.at;
  return { renderer: (after.renderer - before.renderer) / seconds, gpu: (after.gpu - before.gpu) / seconds };
}
