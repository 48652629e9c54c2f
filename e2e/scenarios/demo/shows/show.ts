import type { Beat, StagePage } from '../../../pages/stage-page.ts';
import type { Lockscope, ReportedEvent } from '../../../support/lockscope/lockscope.ts';
import { expect } from '../../stage.ts';

/** A run of a scenario that has ended, on a page that shows its end. */
export type Performance = {
  readonly stage: StagePage;
  readonly lockscope: Lockscope;
  /** Checks how the page looks at this moment; does nothing in a recorded run. */
  readonly look: (what: string) => Promise<void>;
};

/** What the stage shows of one scenario of the demo, whether its run is live or recorded. */
export type Show = {
  readonly id: string;
  readonly says: string;
  /** The gate plays its recorded run. */
  readonly isInGate?: true;
  /**
   * The scenario does not fit into a window as small as a projector's, so its live run is played in full screen of that
   * size.
   */
  readonly isPresented?: true;
  readonly expect: (performance: Performance) => Promise<void>;
};

/** The last caption of most scenarios. */
export const RELEASED = /^Released\. No thread is waiting/;

/**
 * Checks the end of a run: the lesson, below the sentence that the list of scenarios promises. Returns the beats from
 * the start. The last of them must have this caption.
 */
export async function beatsOf({ stage }: Performance, last: RegExp): Promise<Beat[]> {
  await stage.page.keyboard.press('End');
  await expect(stage.lesson).toBeVisible();
  await expect(stage.caption).toHaveText(await stage.promise.innerText());
  await stage.standAtTheStart();
  const beats = await stage.beats();
  expect(beats.at(-1)?.caption).toMatch(last);
  return beats;
}

/**
 * The captions without their times and without renewals by watchdogs, which differ in every run. A renewal that was
 * sent just before its lock was released is refused: its caption is left out too.
 */
export function textIn(beats: readonly Beat[]): string[] {
  const captions = beats.map(({ caption }) => caption.replace(/[\d.,]+ (ms|µs|s|seconds)\b/g, '… $1'));
  return captions.filter((caption) => !/watchdog renews|renewal is refused/.test(caption));
}

/** The captions as in `textIn`, without attempts of a waiter whose own timer ended first on a slow machine. */
export function textOnceIn(beats: readonly Beat[]): string[] {
  return textIn(beats).filter((caption) => !/ asks: busy/.test(caption));
}

/** The beat whose caption begins with this text. Throws if there is none. */
export function beatAt(beats: readonly Beat[], caption: string): Beat {
  const found = beats.find((beat) => beat.caption.startsWith(caption));
  if (!found) throw new Error(`nothing said "${caption}"; said: ${beats.map((beat) => beat.caption).join(' | ')}`);
  return found;
}

/** The time between two events as captions show it: `0.3 ms`, `12 ms`, `80 µs`. */
export function wakeText(from: number, to: number): string {
  const ms = (to - from) / 1000;
  if (ms < 0.095) return `${Math.round(ms * 1000)} µs`;
  return ms < 9.95 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`;
}

/** The events of a lock since the current run began, or of all locks. */
export async function eventsOf(lockscope: Lockscope, lock?: string): Promise<ReportedEvent[]> {
  const { startedAt } = (await (await fetch(`${lockscope.url}/api/demo`)).json()) as { startedAt: number };
  return (await lockscope.eventsAfter(0, lock === undefined ? {} : { lock })).filter(({ at }) => at >= startedAt);
}

export function only<Type extends ReportedEvent['type']>(
  events: readonly ReportedEvent[],
  type: Type,
): (ReportedEvent & { type: Type })[] {
  return events.filter((event): event is ReportedEvent & { type: Type } => event.type === type);
}
