import type { Browser, Page } from '@playwright/test';

/** What each frame took. */
export type Frames = {
  /** Milliseconds from one frame to the next, by the time stamps animation callbacks are given. */
  readonly intervals: readonly number[];
  /** Milliseconds of script a frame: all handlers and callbacks since the frame before, processor time. */
  readonly scripts: readonly number[];
};

/** Slices of a trace in which script runs; the outermost one counts. */
const SCRIPT = new Set([
  'FireAnimationFrame',
  'EventDispatch',
  'TimerFire',
  'FunctionCall',
  'RunMicrotasks',
  'EvaluateScript',
]);
const FRAME = 'PageAnimator::serviceScriptedAnimations';

/** Watches the frames of a page by Chromium's own trace while `during` runs. */
export async function watchFrames(browser: Browser, page: Page, during: () => Promise<void>): Promise<Frames> {
  await page.evaluate(() => {
    const stamps: number[] = [];
    const frame = (stamp: number) => {
      stamps.push(stamp);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    Object.assign(window, { stamps });
  });
  await browser.startTracing(page, { categories: ['devtools.timeline', 'blink', 'v8'] });
  const first = await page.evaluate(() => (window as unknown as { stamps: number[] }).stamps.length);
  await during();
  const stamps = await page.evaluate(() => (window as unknown as { stamps: number[] }).stamps);
  const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: Slice[] }; // Chromium's format
  const seen = stamps.slice(first);
  return {
    intervals: seen.slice(1).map((stamp, n) => stamp - (seen[n] ?? 0)),
    scripts: scriptsByFrame(trace.traceEvents),
  };
}

type Slice = { name: string; ph: string; pid: number; tid: number; ts: number; dur?: number; tdur?: number };

/** Script of each frame, in ms of processor time. */
export function scriptsByFrame(slices: readonly Slice[]): number[] {
  const frames = slices.filter(({ name, ph }) => name === FRAME && ph === 'X').sort((a, b) => a.ts - b.ts);
  const thread = frames[0];
  if (!thread) return [];
  const scripts = slices
    .filter(({ name, ph, pid, tid }) => SCRIPT.has(name) && ph === 'X' && pid === thread.pid && tid === thread.tid)
    .sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0));
  const sums = frames.map(() => 0);
  let end = 0;
  let frame = -1;
  for (const { ts, dur = 0, tdur = dur } of scripts) {
    if (ts < end) continue; // inside the one before
    end = ts + dur;
    while ((frames[frame + 1]?.ts ?? Number.POSITIVE_INFINITY) <= ts) frame++;
    // what runs between two frames belongs to the one that shows it
    const shownBy = frame >= 0 && ts < (frames[frame]?.ts ?? 0) + (frames[frame]?.dur ?? 0) ? frame : frame + 1;
    if (shownBy < sums.length) sums[shownBy] = (sums[shownBy] ?? 0) + tdur / 1000;
  }
  // the first frame's beginning and the last one's end were not watched
  return sums.slice(1, -1);
}
