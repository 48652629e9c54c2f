import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { LoggedProblem, ProblemsBody, problemsBody } from '../../../shared/wire/insights/problem-log.ts';
import { BASE_PATH } from '../../url/base-path.ts';
import { getJson, requestJson } from '../http/http.ts';
import { useIsOpenRecording, useLive } from '../live/use-live.ts';

/** How often the notes of other users are read. */
const EVERY_MS = 5000;
const KEY = 'problem log';

const keyOf = (snapshotCount: number) => [KEY, snapshotCount] as const;

/**
 * The problems that are open, or ended in the last 24 hours (of an opened recording: before its end), with their notes.
 * Hints are left out.
 */
export function useProblemLog(): readonly LoggedProblem[] | undefined {
  const snapshotCount = useLive((state) => state.snapshotCount);
  const isRecording = useIsOpenRecording();
  return useQuery({
    queryKey: keyOf(snapshotCount),
    queryFn: ({ signal }) => getJson<typeof problemsBody>('/api/problems', signal),
    select: withoutHints,
    refetchInterval: isRecording ? false : EVERY_MS,
    retry: false,
  }).data;
}

function withoutHints({ problems }: ProblemsBody): readonly LoggedProblem[] {
  return problems.filter(({ severity }) => severity !== 'hint');
}

/** What a user writes about a problem. */
type NewNote = {
  readonly insight: string;
  readonly text: string;
  readonly author: string;
  readonly isAcknowledged: boolean;
};

/** Writes a note about a problem, which all users see. */
export function useWriteNote() {
  const client = useQueryClient();
  const snapshotCount = useLive((state) => state.snapshotCount);
  return useMutation({
    mutationFn: ({ author, ...note }: NewNote) =>
      requestJson<typeof problemsBody>(`${BASE_PATH}/api/problems/notes`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...note, ...(author === '' ? {} : { author }) }),
      }),
    onSuccess: (body) => client.setQueryData(keyOf(snapshotCount), body),
  });
}
