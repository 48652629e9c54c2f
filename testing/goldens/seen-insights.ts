import type { ObserveLevel } from '../../shared/base/observe-level.ts';
import { plusMillis, type RedisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import type { Insight } from '../../shared/insights/insight.ts';
import { groupedEventsFromTrace } from '../traces/grouped-trace.ts';
import { type Golden, goldens, goldensOfSeveral } from '../traces/read-trace.ts';
import { serverGoldens } from '../traces/server-traces.ts';
import type { Side } from '../traces/side-signals.ts';
import { eventsFromTrace, signalsFromTrace, stepsFromSignals } from '../traces/trace-file.ts';
import { playTrace } from './level-events.ts';
import { Replay } from './report-from-events.ts';

/** Number of instants at which each trace is looked at. */
export const INSTANTS = 40;

/** One insight with all its ratings, and when it was seen first and last, in ms from the start of the trace. */
export type Seen = {
  readonly insight: Insight;
  readonly ratings: Set<string>;
  readonly first: number;
  last: number;
};

/** What was found in one trace. */
export type SeenInTrace = {
  readonly name: string;
  readonly seen: readonly Seen[];
  readonly lengthMs: number;
  /**
   * Whether the side file marks the trace as one in which the incident of its name happens; undefined without a side
   * file.
   */
  readonly occurs: boolean | undefined;
};

let found: readonly SeenInTrace[] | undefined;

/**
 * Looks at every trace of one server as level `events` shows it: without commands, and without CLIENT LIST and INFO.
 */
export function seenWithoutCommands(): readonly { readonly name: string; readonly seen: readonly Seen[] }[] {
  return goldens().map(({ folder, name, isPushFirst, trace }) => {
    const steps = stepsFromSignals(signalsFromTrace(trace()), isPushFirst);
    const events = playTrace(steps, [{ heardBy: 'notifications', from: 0, scanAt: 0 }])[0]?.reported ?? [];
    return { name: `${folder}/${name}`, seen: events.length === 0 ? [] : seenIn(events, 'events').seen };
  });
}

/** Runs the detectors on every trace. That takes a while, so the answer is kept. */
export function seenInTraces(): readonly SeenInTrace[] {
  found ??= everyGolden().map(({ name, events: read, side }) => {
    const events = read();
    return { name, ...(events.length === 0 ? { seen: [], lengthMs: 0 } : seenIn(events)), occurs: side?.()?.occurs };
  });
  return found;
}

/** What is found at evenly spread instants of one trace. Throws if a detector fails. */
function seenIn(events: readonly LockEvent[], level: ObserveLevel = 'monitor'): Pick<SeenInTrace, 'seen' | 'lengthMs'> {
  const begin = Math.min(...events.map(({ at }) => at)) as RedisTime;
  const end = Math.max(...events.map(({ at }) => at)) as RedisTime;
  const lengthMs = (end - begin) / 1000;
  const seen = new Map<string, Seen>();
  const replay = new Replay(events, { level });
  for (let n = 1; n <= INSTANTS; n++) {
    const ms = lengthMs * (n / INSTANTS);
    const { insights, failed } = replay.reportAt(plusMillis(begin, ms));
    if (failed[0]) throw new Error(failed[0].message);
    for (const insight of insights) {
      const known = seen.get(insight.id) ?? { insight, ratings: new Set(), first: ms, last: ms };
      known.last = ms;
      known.ratings.add(`${insight.severity}, ${insight.confidence}`);
      seen.set(insight.id, known);
    }
  }
  return { seen: [...seen.values()], lengthMs };
}

/** Every trace: single locks, locks that are acquired together, and locks on several servers. */
export function everyGolden(): { readonly name: string; events(): LockEvent[]; side?(): Side | undefined }[] {
  const named = (
    traces: readonly Golden[],
    eventsOf: (text: string, isPushFirst: boolean, side?: Side) => LockEvent[],
  ) =>
    traces.map(({ folder, name, isPushFirst, trace, side }) => ({
      name: `${folder}/${name}`,
      events: () => eventsOf(trace(), isPushFirst, side()),
      side,
    }));
  const several = named(goldensOfSeveral(), groupedEventsFromTrace);
  return [...named(goldens(), eventsFromTrace), ...several, ...serverGoldens()];
}
