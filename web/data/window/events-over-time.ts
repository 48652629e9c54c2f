import type { trendsBody } from '../../../shared/wire/trends.ts';
import { getJson } from '../http/http.ts';
import type { TimeSpan } from './time-span.ts';

/** How many events there were, and how many of them were about waiting, in each of some ranges of equal length. */
export type EventsOverTime = {
  readonly micros: number;
  readonly bins: readonly { readonly at: number; readonly events: number; readonly waits: number }[];
};

/** Reads the numbers of events of a range of time, without the events. Renewals are not counted. */
export async function readEventsOverTime(span: TimeSpan, bins: number, signal: AbortSignal): Promise<EventsOverTime> {
  const query = new URLSearchParams({
    from: String(Math.max(0, Math.floor(span.from))),
    to: String(Math.ceil(span.to)),
    bins: String(bins),
  });
  const body = await getJson<typeof trendsBody>(`/api/trends?${query}`, signal);
  return {
    micros: body.binMs * 1000,
    bins: body.bins.map(({ at, events, renewals, refusals }) => {
      const all = Math.max(0, (events ?? 0) - (renewals ?? 0));
      return { at, events: all, waits: Math.min(all, refusals ?? 0) };
    }),
  };
}
