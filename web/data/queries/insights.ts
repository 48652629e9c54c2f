import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import type { InsightsBody, insightsBody, WireInsight } from '../../../shared/wire/insights/insight.ts';
import { isFleetHome } from '../../url/base-path.ts';
import { getJson } from '../http/http.ts';
import { isCutOff } from '../live/live-state.ts';
import { useIsOpenRecording, useLive } from '../live/use-live.ts';

/** What the detectors found at one instant. The instant itself is left out: it changes even if nothing else does. */
export type Found = Omit<InsightsBody, 'at' | 'v'>;

/**
 * How often present problems are read again. When a problem begins or ends, an event reports that, and they are read at
 * once. The interval is for the figures of problems, and for the list of what detectors cannot know.
 */
const EVERY_MS = 2000;
const EVERY_QUIET_MS = 10_000;

/** Reasons that do not pass soon: they last as long as the level, or the state of the source shows them as well. */
const LASTING: ReadonlySet<string> = new Set(['level', 'key-events', 'locks']);

/**
 * How soon present problems are read again: after 10 s if there are none, otherwise after 2 s. Also after 2 s if a
 * detector cannot know for a reason that may soon pass, for example before the first read.
 */
export function readAgainMs(found: Pick<Found, 'insights' | 'cannotTell'> | undefined): number {
  const isQuiet = found?.insights.length === 0 && found.cannotTell.every(({ reason }) => LASTING.has(reason));
  return isQuiet ? EVERY_QUIET_MS : EVERY_MS;
}

/**
 * Reads what is wrong, now (`at` null) or at a past instant, in all sources or in one. Returns the previous findings
 * while reading, and the last ones while the server does not answer.
 */
export function useInsights(at: number | null, source?: string) {
  const snapshotCount = useLive((state) => state.snapshotCount);
  const isOff = useLive((state) => isCutOff(state));
  return useQuery({
    queryKey: ['insights', snapshotCount, at, source],
    queryFn: ({ signal }) => getJson<typeof insightsBody>(pathAt(at, source), signal),
    select: foundIn,
    enabled: !isOff,
    refetchInterval: ({ state: { data } }) => (at === null ? readAgainMs(data) : false),
    staleTime: at === null ? 0 : Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 10_000,
  });
}

/** How often `usePressingProblems` reads the problems, also while the page is hidden. */
const COUNT_EVERY_MS = 10_000;

/**
 * Whether a problem still needs attention: while it is open and, if a lock was lost, so that data may be wrong, also
 * after its end until the user dismisses it. A hint never needs attention.
 */
export function isPressing({ id, severity, to, effect }: WireInsight, dismissed: ReadonlySet<string>): boolean {
  return severity !== 'hint' && (to === null || (effect === 'lost' && !dismissed.has(id)));
}

/**
 * The problems that need attention now, the worst first. Null in a recording, on the own pages of a viewer, and while
 * they are not known.
 */
export function usePressingProblems(dismissed: ReadonlySet<string>): readonly WireInsight[] | null {
  const isRecording = useIsOpenRecording();
  const snapshotCount = useLive((state) => state.snapshotCount);
  const { data } = useQuery({
    queryKey: ['insights', snapshotCount, null, undefined],
    queryFn: ({ signal }) => getJson<typeof insightsBody>(pathAt(null), signal),
    select: ({ insights }) => insights.filter((each) => isPressing(each, dismissed)),
    refetchInterval: COUNT_EVERY_MS,
    refetchIntervalInBackground: true,
    enabled: snapshotCount > 0 && !isRecording && !isFleetHome,
    retry: false,
    gcTime: 10_000,
  });
  return isRecording ? null : (data ?? null);
}

function pathAt(at: number | null, source?: string): string {
  const query = new URLSearchParams({
    ...(at === null ? {} : { at: String(Math.round(at)) }),
    ...(source === undefined ? {} : { source }),
  });
  return query.size === 0 ? '/api/insights' : `/api/insights?${query}`;
}

function foundIn({ at: _at, v: _v, ...found }: z.output<typeof insightsBody>): Found {
  return found;
}
