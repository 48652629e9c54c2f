import { useQuery } from '@tanstack/react-query';
import type { LockHours, lockHoursBody } from '../../../shared/wire/lock-hours.ts';
import { getJson } from '../http/http.ts';
import { LONGEST_NAME_ASKED, useHasStore } from './queries.ts';

const EVERY_MS = 60_000;

type Place = { readonly name: string; readonly source: string | null; readonly db: number | null };

/** Reads the hours of the last 30 days of all locks with this name, up to `to`; null: up to now. Without a store nothing is read. */
export function useLockHours({ name, source, db }: Place, to: number | null) {
  const hasStore = useHasStore();
  return useQuery({
    queryKey: ['lock-hours', name, source, db, to],
    queryFn: ({ signal }): Promise<LockHours> => {
      const query = new URLSearchParams({ lock: name });
      if (source !== null) query.set('source', source);
      if (db !== null) query.set('db', String(db));
      if (to !== null) query.set('to', String(Math.round(to)));
      return getJson<typeof lockHoursBody>(`/api/hours?${query}`, signal);
    },
    enabled: hasStore && name.length <= LONGEST_NAME_ASKED,
    refetchInterval: to === null ? EVERY_MS : false,
    retry: false,
    gcTime: 10_000,
  });
}
