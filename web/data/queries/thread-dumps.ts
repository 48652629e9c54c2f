import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { DumpEntry, dumpBody, dumpDetailBody, dumpsBody, PersonInDump } from '../../../shared/wire/dumps.ts';
import { BASE_PATH, FLEET_PATH } from '../../url/base-path.ts';
import { getJson, requestJson } from '../http/http.ts';
import { useIsOpenRecording } from '../live/use-live.ts';
import { useSettled } from './use-settled.ts';

const PATH = '/api/thread-dumps';
/** How often the list is read: another page may add or delete a dump. */
const ASK_EVERY_MS = 10_000;
/** How often the list is read after an error. Inside another application, Lockscope may keep no dumps. */
const ASK_AGAIN_MS = 60_000;
/** The most holders and waiters of a client in one URL, and in all requests together. */
const MOST_AT_ONCE = 80;
const MOST_PEOPLE = 320;
const EVERY_MS = 2000;

const DUMPS_KEY = ['thread-dumps'];

/** The thread dumps that Lockscope keeps. An opened recording and the viewer of a fleet have none. */
export function useDumps() {
  const isRecording = useIsOpenRecording();
  return useQuery({
    queryKey: DUMPS_KEY,
    queryFn: ({ signal }) => getJson<typeof dumpsBody>(PATH, signal),
    refetchInterval: ({ state }) => (state.status === 'error' ? ASK_AGAIN_MS : ASK_EVERY_MS),
    enabled: !isRecording && FLEET_PATH === undefined,
    retry: false,
  });
}

/** A holder or waiter as the newest dump of its client shows it. */
export type ShownThread = { readonly dump: DumpEntry; readonly person: PersonInDump };

/**
 * Returns what the dumps show about these holders and waiters, by id. Holders and waiters of clients without a dump are
 * left out. Changes of `holders` are taken at most every 2 s, however busy the lock is.
 */
export function useShownThreads(holders: readonly string[]): ReadonlyMap<string, ShownThread> {
  const { data } = useDumps();
  const settled = useSettled(holders.join(','), EVERY_MS);
  const asked = useMemo(() => requestsFor(data?.dumps ?? [], settled.split(',')), [data, settled]);
  const answers = useQueries({
    queries: asked.map(({ dump, ids }) => ({
      queryKey: [...DUMPS_KEY, dump.id, ids],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        getJson<typeof dumpDetailBody>(`${PATH}/${dump.id}?holders=${encodeURIComponent(ids)}`, signal),
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
      gcTime: 60_000,
    })),
  });
  const found = new Map<string, ShownThread>();
  for (const [n, { dump }] of asked.entries()) {
    for (const person of answers[n]?.data?.people ?? []) found.set(person.holder, { dump, person });
  }
  return found;
}

type Asked = { readonly dump: DumpEntry; readonly ids: string };

/** The requests to send: each asks the newest dump of a client about at most 80 of its holders and waiters. */
function requestsFor(dumps: readonly DumpEntry[], holders: readonly string[]): readonly Asked[] {
  const clients = new Set(dumps.flatMap(({ client }) => client ?? []));
  return [...clients].flatMap((client) => {
    const dump = newestOf(dumps, client);
    const own = holders.filter((holder) => holder.startsWith(`${client}:`)).slice(0, MOST_PEOPLE);
    const parts: Asked[] = [];
    for (let n = 0; dump && n < own.length; n += MOST_AT_ONCE) {
      parts.push({ dump, ids: own.slice(n, n + MOST_AT_ONCE).join(',') });
    }
    return parts;
  });
}

/**
 * The client's dump with the newest instant. If no dump has an instant: the dump added last, which is the first of the
 * list.
 */
function newestOf(dumps: readonly DumpEntry[], client: string): DumpEntry | undefined {
  const own = dumps.filter((dump) => dump.client === client);
  return own.reduce<DumpEntry | undefined>(
    (best, dump) => (best === undefined || (dump.takenAt ?? -1) > (best.takenAt ?? -1) ? dump : best),
    undefined,
  );
}

/** Sends a dump: a file, or a text that was pasted. Throws like `getJson`. */
export async function sendDump(bytes: Blob, name: string | null): Promise<DumpEntry> {
  const init = { method: 'POST', headers: { 'content-type': 'application/octet-stream' }, body: bytes };
  const query = name === null ? '' : `?name=${encodeURIComponent(name.slice(-255))}`;
  return (await requestJson<typeof dumpBody>(`${BASE_PATH}${PATH}${query}`, init)).dump;
}

/** Notes what the user knows about a dump. Throws like `getJson`. */
export async function changeDump(
  id: string,
  known: { readonly client?: string | null; readonly takenAt?: number | null },
): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  await requestJson<typeof dumpBody>(`${BASE_PATH}${PATH}/${id}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(known),
  });
}

/** Deletes a dump. Throws like `getJson`. */
export async function deleteDump(id: string): Promise<void> {
  await requestJson<typeof dumpsBody>(`${BASE_PATH}${PATH}/${id}`, { method: 'DELETE' });
}
