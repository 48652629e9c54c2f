import type { Page } from '@playwright/test';

/** A frame that shows a newer event than all earlier frames: when it was painted, and the `at` of that event. */
type Painted = { readonly wallMs: number; readonly instant: string };

/**
 * Watches the table of events in a page. Each time a frame shows a newer event, keeps the time of that event and the
 * time at which the frame was done. Returns a function that reads them from the page.
 *
 *   commit of a new row ──▶ frame: animation callbacks, layout, paint ──▶ message posted from it: painted
 */
export async function watchPainted(page: Page): Promise<() => Promise<Painted[]>> {
  await page.evaluate(() => {
    const body = document.querySelector('table[aria-label="Events"] tbody');
    if (!body) throw new Error('the page shows no events');
    // a wall clock finer than Date.now, interpolated with performance.now
    const step = Date.now();
    while (Date.now() === step);
    const offset = Date.now() - performance.now();
    const painted: { wallMs: number; instant: string }[] = [];
    const channel = new MessageChannel();
    let newest = '';
    channel.port1.onmessage = () => {
      let last = '';
      for (const time of body.querySelectorAll('time')) if (time.title > last) last = time.title;
      if (last <= newest) return;
      newest = last;
      painted.push({ wallMs: performance.now() + offset, instant: last });
    };
    const frame = () => {
      channel.port2.postMessage(null);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    Object.assign(window, { painted });
  });
  return () => page.evaluate(() => (window as unknown as { painted: Painted[] }).painted);
}

/**
 * For each event, ms from its Redis time to the end of the first frame that shows that event or a later one. Leaves out
 * events of the first frame, which may be from before the measurement, and events that no frame shows.
 */
export function delaysFrom(events: readonly { at: number }[], painted: readonly Painted[]): number[] {
  const frames = painted.map(({ wallMs, instant }) => ({ wallMs, at: microsOf(instant) }));
  const delays: number[] = [];
  let next = 0;
  for (const { at } of [...events].sort((a, b) => a.at - b.at)) {
    while (next < frames.length && (frames[next]?.at ?? 0) < at) next++;
    const frame = frames[next];
    if (!frame) break;
    if (next > 0) delays.push(frame.wallMs - at / 1000);
  }
  return delays;
}

/** Parses a time such as `2026-01-02T03:04:05.678901Z` to µs. */
function microsOf(instant: string): number {
  const [whole = '', rest = ''] = instant.split('.');
  return Date.parse(`${whole}Z`) * 1000 + Number(rest.slice(0, 6));
}
