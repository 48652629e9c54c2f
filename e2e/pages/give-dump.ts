import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';

const DUMP = new URL('../../shared/traces/dumps/redisson-4.7.0.thread-print-l.txt', import.meta.url);

/** A dump of a real client, dated now in UTC. Its stuck threads have the numbers of the application's threads. */
export function dumpOfNow(): string {
  const now = new Date().toISOString().slice(0, 19).replace('T', ' ');
  return readFileSync(DUMP, 'utf8')
    .replace(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/m, now)
    .replace('"main" #1 ', '"main" #901 ')
    .replace('"Reference Handler" #2 ', '"Reference Handler" #902 ')
    .replace('"orders-1" #23 ', '"orders-1" #1 ')
    .replace('"orders-2" #24 ', '"orders-2" #2 ');
}

/** Drops or pastes a text on the page, as a reader does. */
export async function give(page: Page, how: 'drop' | 'paste', text: string): Promise<void> {
  await page.evaluate(
    ([how, text = '']) => {
      const transfer = new DataTransfer();
      if (how === 'drop') transfer.items.add(new File([text], 'threads.txt'));
      else transfer.setData('text/plain', text);
      const init = { bubbles: true, cancelable: true };
      document.body.dispatchEvent(
        how === 'drop'
          ? new DragEvent('drop', { ...init, dataTransfer: transfer })
          : new ClipboardEvent('paste', { ...init, clipboardData: transfer }),
      );
    },
    [how, text] as const,
  );
}
