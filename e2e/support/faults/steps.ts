import type { Reported, ReportedStep } from '../lockscope/demo-process.ts';

/** µs: what a client reports and what Redis did may be this far apart on a busy machine. */
export const SLACK_US = 250_000;
/** In µs of the machine's clock. */
export type Range = { readonly from: number; readonly to: number };

/**
 * What was compared: the steps of threads (at level events: their releases), and how many of them were left out because
 * of a blind spot or a fault.
 */
export type Compared = { readonly problems: string[]; readonly steps: number; readonly leftOut: number };

/** The types of the events that may report a step, by the name of the step. */
export const EVENTS_OF: Readonly<Record<string, ReadonlySet<string>>> = {
  acquired: new Set(['lock.acquired', 'lock.reentered']),
  refused: new Set(['lock.refused']),
  released: new Set(['lock.released', 'lock.partially-released', 'unlock.refused']),
  'partially-released': new Set(['lock.partially-released', 'lock.released', 'unlock.refused']),
  'unlock-refused': new Set(['unlock.refused']),
};
/** Whether one of the ranges overlaps this one, or is at most `SLACK_US` apart from it. */
export const overlaps = (ranges: readonly Range[], from: number, to: number) =>
  ranges.some((range) => from <= range.to + SLACK_US && to >= range.from - SLACK_US);

export type Step = ReportedStep & { readonly from: number };

/** The steps of threads on locks. `from`: when the thread reported its call or step before this one. */
export function stepsOf(reported: readonly Reported[]): Step[] {
  const counting = new Set<number>();
  const last = new Map<number, number>();
  const steps: Step[] = [];
  for (const message of reported) {
    if (message.thread === undefined || message.op === undefined) continue;
    // such as a renewal, which is not a step of the thread
    if (message.type === 'milestone' && !EVENTS_OF[message.name]) continue;
    if (message.type === 'truth' && /semaphore|latch/.test(message.kind ?? '')) counting.add(message.op);
    const from = last.get(message.thread) ?? message.at;
    last.set(message.thread, message.at);
    if (message.type === 'milestone' && !counting.has(message.op)) steps.push({ ...message, from });
  }
  return steps;
}
