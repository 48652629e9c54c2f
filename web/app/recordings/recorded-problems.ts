import { useQuery } from '@tanstack/react-query';
import { isInsight, isOfSource, type LockEvent } from '../../../shared/events/event.ts';
import { eventsBody } from '../../../shared/wire/http.ts';
import { getJson } from '../../data/http.ts';
import { type VerdictMark, verdictMarksFrom } from '../../timeline/model/verdict-marks.ts';

/** A problem in an opened recording. */
export type RecordedProblem = VerdictMark & {
  readonly source: string;
  /** Null: it is about the whole server. */
  readonly lock: { readonly name: string; readonly source: string; readonly db: number } | null;
};

const MOST_EVENTS = 1000;

/** Reads the problems of the opened recording: the critical ones first, each in order of time. */
export function useRecordedProblems(recording: string): readonly RecordedProblem[] | undefined {
  return useQuery({
    queryKey: ['recorded problems', recording],
    queryFn: async ({ signal }) => {
      const all = await Promise.all(
        ['insight.opened', 'insight.closed'].map((type) =>
          getJson(`/api/events?type=${type}&limit=${MOST_EVENTS}`, eventsBody, signal),
        ),
      );
      return problemsFrom(all.flatMap(({ events }) => events));
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  }).data;
}

/** The problems that these events report, in any order. */
export function problemsFrom(events: readonly LockEvent[]): readonly RecordedProblem[] {
  const ordered = events.filter(isInsight).sort((a, b) => a.seq - b.seq);
  const placeOf = new Map(
    ordered.map((event) => {
      const { seq, source, db, lock } = event;
      return [seq, { source, lock: isOfSource(event) ? null : { name: lock, source, db } }];
    }),
  );
  const problems = verdictMarksFrom(ordered).flatMap((mark) => {
    const place = placeOf.get(mark.seq);
    return place ? { ...mark, ...place } : [];
  });
  const rank = ({ severity }: VerdictMark) => (severity === 'critical' ? 0 : 1);
  return problems.sort((a, b) => rank(a) - rank(b) || a.seq - b.seq);
}
