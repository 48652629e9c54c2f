import type { Browser, Page } from '@playwright/test';

/** Durations of each frame. */
export type Frames = {
  /** Milliseconds from one frame to the next, from the time stamps of animation callbacks. */
  readonly intervals: readonly number[];
  /** Milliseconds of script per frame: CPU time of all handlers and callbacks since the frame before. */
  readonly scripts: readonly number[];
};

/** Names of trace slices in which script runs. Only the outermost slice counts. */
const SCRIPT = new Set([
  'FireAnimationFrame',
  'EventDispatch',
  'TimerFire',
  'FunctionCall',
  'RunMicrotasks',
  'EvaluateScript',
]);
const FRAME = 'PageAnimator::serviceScriptedAnimations';

/** Measures the frames of a page in Chromium's trace while `during` runs. */
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
  const text = (await browser.stopTracing()).toString();
  const trace = JSON.parse(text) as { traceEvents: Slice[] }; // the form of Chromium's traces
  const seen = stamps.slice(first);
  return {
    intervals: seen.slice(1).map((stamp, n) => stamp - (seen[n] ?? 0)),
    scripts: scriptsByFrame(trace.traceEvents),
  };
}

type Slice = { name: string; ph: string; pid: number; tid: number; ts: number; dur?: number; tdur?: number };

/** Script time of each frame, in ms of CPU time. */
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
    if (ts < end) continue; // nested in the slice before
    end = ts + dur;
    while ((frames[frame + 1]?.ts ?? Number.POSITIVE_INFINITY) <= ts) frame++;
    // script between two frames counts for the later one, which shows its result
    const shownBy = frame >= 0 && ts < (frames[frame]?.ts ?? 0) + (frames[frame]?.dur ?? 0) ? frame : frame + 1;
    if (shownBy < sums.length) sums[shownBy] = (sums[shownBy] ?? 0) + tdur / 1000;
  }
  // the start of the first frame and the end of the last one are missing
  return sums.slice(1, -1);
}
