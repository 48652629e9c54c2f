import type { Page } from '@playwright/test';

/** Every way the page can look: two themes, two languages. */
export const LOOKS = (['light', 'dark'] as const).flatMap((colorScheme) =>
  (['en-GB', 'zh-CN'] as const).map((locale) => ({ colorScheme, locale })),
);
type Look = (typeof LOOKS)[number];

/** In windows less than 736 px high, charts become one line of figures, so each of these sizes is higher. */
const SIZES = [
  { width: 1280, height: 760 },
  { width: 1920, height: 1080 },
  { width: 768, height: 760 },
  { width: 390, height: 844 },
] as const;

/** The pictures that README and docs show; they are kept in the repository. */
const SHOWN = new Set(['incident-light', 'incident-dark', 'timeline-light', 'lock-light', 'events-light']);

/** Pictures of the page as it is, at every width; the wide English one may be shown in the documents. */
export async function shoot(page: Page, name: string, look: Look): Promise<void> {
  await page.mouse.move(0, 0);
  for (const size of SIZES) {
    await page.setViewportSize(size);
    // charts and canvases measure themselves, then draw with the next frame
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const isShown = size === SIZES[0] && look.locale === 'en-GB' && SHOWN.has(`${name}-${look.colorScheme}`);
    const path = isShown
      ? `docs/screens/${name}-${look.colorScheme}.png`
      : `test-results/screens/${look.locale}-${look.colorScheme}/${name}-${size.width}.png`;
    await page.screenshot({ path });
  }
  await page.setViewportSize(SIZES[0]);
}
