import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import type { ObserveLevel } from '../../../shared/wire/source.ts';
import { postJson } from '../http/http.ts';

/** A request to watch a source at a level. */
type LevelOrder = {
  readonly source: string;
  readonly level: ObserveLevel;
  /** Duration of the level in ms; null: unlimited. */
  readonly forMs: number | null;
  /** True to start MONITOR although it exceeds the cost budget. */
  readonly force?: boolean;
};

export function useObserve() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ source, level, forMs, force }: LevelOrder) =>
      postJson(`/api/sources/${encodeURIComponent(source)}/observe`, {
        level,
        ...(forMs === null ? { openEnded: level === 'monitor' } : { forMs }),
        ...(force === true ? { force } : {}),
      }),
    onSettled: () => refetchHealth(client),
  });
}

/** A decision about keys that look like an application's own locks: about all of them, or about names of one form. */
type OwnLocksOrder = { readonly source: string } & (
  | { readonly shown: boolean }
  | { readonly name: string; readonly isLock: boolean }
);

/** Shows, confirms or dismisses keys of a source that look like an application's own locks. */
export function useOwnLocks() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ source, ...decision }: OwnLocksOrder) =>
      postJson(`/api/sources/${encodeURIComponent(source)}/own-locks`, decision),
    onSettled: () => refetchHealth(client),
  });
}

function refetchHealth(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: ['health'] });
}
