import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { z } from 'zod';
import type { LockEvent } from '../../../shared/events/event.ts';
import type { fleetBody } from '../../../shared/wire/fleet/fleet.ts';
import type { eventsBody, healthBody, locksBody, signalsBody } from '../../../shared/wire/http.ts';
import type { LockDetail, lockBody } from '../../../shared/wire/locks/lock.ts';
import { isFleetHome } from '../../url/base-path.ts';
import { isNameLinkable } from '../../url/lock-link.ts';
import { ApiError, getJson } from '../http/http.ts';
import type { LiveStore } from '../live/live-store.ts';
import { useLive, useLiveStore } from '../live/use-live.ts';
import type { EventFilter } from './event-list.ts';
import { useSettled } from './use-settled.ts';

/** Maximum number of pages read after a snapshot, 1,000 locks each. */
const MOST_LOCK_PAGES = 20;

/** Longer names do not fit into a URL. */
export const LONGEST_NAME_ASKED = 2000;

type Health = z.infer<typeof healthBody>;

/**
 * Reads the server's health every 5 s: version, demo or not, sources, and the extent of its memory. With `select`,
 * `data` is what it returns, and the component renders again only if that changes. `select` must not return undefined.
 * The query would take that as missing data while it shows previous data, and the component would render without end.
 */
export function useHealth<T extends NonNullable<unknown> | null = Health>(select?: (health: Health) => T) {
  const snapshotCount = useLive((state) => state.snapshotCount);
  return useQuery({
    queryKey: ['health', snapshotCount],
    queryFn: ({ signal }) => getJson<typeof healthBody>('/api/health', signal),
    refetchInterval: 5000,
    placeholderData: keepPreviousData,
    ...(select ? { select } : {}),
  });
}

/** True if the server is a demo; false also before that is known. */
export function useIsDemo(): boolean {
  return useHealth(({ demo }) => demo).data ?? false;
}

/** True if the server was started with `--allow-release`; false also before that is known. */
export function useCanRelease(): boolean {
  return useHealth(({ canRelease }) => canRelease === true).data ?? false;
}

/** The server's version if it was another one when this page first read it. Null if it was not, or is not known yet. */
export function useNewVersion(): string | null {
  const version = useHealth(({ version }) => version).data;
  const [first, setFirst] = useState(version);
  if (first === undefined && version !== undefined) setFirst(version);
  return first === undefined || version === undefined || version === first ? null : version;
}

/** How far the server's memory of events goes back. */
export type MemoryEdge = {
  /** Approximate Redis time of the oldest event. */
  readonly at: number;
  /** True if older events were dropped; false if the oldest event is the first since the server started. */
  readonly isDropped: boolean;
  readonly events: number;
};

/** Returns how far the server's memory goes back; null while that is unknown, and before the first event. */
export function useMemoryEdge(): MemoryEdge | null {
  return useHealth(edgeFromHealth).data ?? null;
}

/** Whether the server has a store in which something is stored; false also before that is known. */
export function useHasStore(): boolean {
  return useHealth(hasStoreFromHealth).data ?? false;
}

function hasStoreFromHealth({ store }: Health): boolean {
  return store?.from != null;
}

function edgeFromHealth({ memory, history }: Health): MemoryEdge | null {
  if (memory?.oldestAt == null) return null;
  return { at: memory.oldestAt, isDropped: history?.capped ?? false, events: history?.events ?? 0 };
}

/** Passes the sources and the numbers of locks from each health response to the live store. */
export function useHealthFeedsStore(): void {
  const store = useLiveStore();
  const { data, dataUpdatedAt } = useHealth();
  useEffect(() => {
    if (!data) return;
    store.take({ type: 'sources', heardAt: dataUpdatedAt, sources: data.sources });
    store.take({ type: 'heard', heardAt: dataUpdatedAt });
    if (data.memory) store.take({ type: 'locks-counted', total: data.memory.locks, held: data.memory.locksHeld });
  }, [data, dataUpdatedAt, store]);
}

/**
 * Reads up to 20,000 locks, with those that a snapshot left out, and takes Redis's time from each response. `signal`: a
 * later snapshot has replaced this one.
 */
export async function readRemainingLocks(store: LiveStore, signal: AbortSignal): Promise<void> {
  let cursor: string | undefined;
  for (let page = 0; page < MOST_LOCK_PAGES; page++) {
    const sentAt = Date.now();
    const more = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const body = await getJson<typeof locksBody>(`/api/locks?limit=1000${more}`, signal);
    signal.throwIfAborted();
    store.clock.addReading({ sentAt, heardAt: Date.now(), at: body.at });
    cursor = body.nextCursor;
    store.take({ type: 'locks-read', locks: body.locks, total: cursor === undefined ? null : body.total });
    if (cursor === undefined) return;
  }
}

/** Reads Redis's clock once. On the own pages of a fleet's viewer, which have no locks, reads the viewer's clock. */
export async function readClock(store: LiveStore): Promise<void> {
  const sentAt = Date.now();
  const at = isFleetHome
    ? (await getJson<typeof fleetBody>('/api/fleet')).at * 1000
    : (await getJson<typeof locksBody>('/api/locks?limit=1')).at;
  store.clock.addReading({ sentAt, heardAt: Date.now(), at });
}

/** Minimum time between two reads of a lock's statistics. */
const DETAIL_EVERY_MS = 500;

/** Reads statistics and raw keys of one lock, again after each change of the lock. */
export function useLockDetail(lock: { name: string; source: string; db: number; changedAt: number } | undefined) {
  const changedAt = useSettled(lock?.changedAt, DETAIL_EVERY_MS);
  return useQuery({
    queryKey: ['lock', lock?.source, lock?.db, lock?.name, changedAt],
    queryFn: ({ signal }) => {
      const { name = '', source = '', db = 0 } = lock ?? {};
      const where = new URLSearchParams({ source, db: String(db) });
      // a path cannot contain every name, and very long names do not fit into a URL at all
      if (!isNameLinkable(name)) where.set('name', name);
      const path = isNameLinkable(name) ? `locks/${encodeURIComponent(name)}` : 'lock';
      return getJson<typeof lockBody>(`/api/${path}?${where}`, signal);
    },
    enabled: lock !== undefined && lock.name.length <= LONGEST_NAME_ASKED,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 1000,
  });
}

/** One lock at the instant `at`; null if it was unknown then. */
type LockAt = { readonly at: number; readonly lock: LockDetail | null };

/** Reads one lock at an instant from the server's memory. Returns the previous instant's lock while reading. */
export function useLockAt(where: { name: string; source: string | null; db: number | null }, at: number | null) {
  const { name, source, db } = where;
  return useQuery({
    queryKey: ['lock-at', source, db, name, at],
    queryFn: async ({ signal }): Promise<LockAt> => {
      const instant = Math.round(at ?? 0);
      const query = new URLSearchParams({ at: String(instant) });
      if (source !== null) query.set('source', source);
      if (db !== null) query.set('db', String(db));
      if (!isNameLinkable(name)) query.set('name', name);
      const path = isNameLinkable(name) ? `locks/${encodeURIComponent(name)}` : 'lock';
      const lock = await getJson<typeof lockBody>(`/api/${path}?${query}`, signal).catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      });
      return { at: instant, lock };
    },
    enabled: at !== null && name.length <= LONGEST_NAME_ASKED,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 10_000,
  });
}

/** Reads one event from the server's memory by its `seq`; null if it is not there. */
export function useRememberedEvent(seq: number | null) {
  return useQuery({
    queryKey: ['event', seq],
    queryFn: async ({ signal }): Promise<LockEvent | null> => {
      const body = await getJson<typeof eventsBody>(`/api/events?after=${(seq ?? 1) - 1}&limit=1`, signal);
      return body.events.find((event) => event.seq === seq) ?? null;
    },
    enabled: seq !== null && seq > 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Reads the Redis lines that an event was derived from. */
export function useSignals(seq: number) {
  return useQuery({
    queryKey: ['signals', seq],
    queryFn: ({ signal }) => getJson<typeof signalsBody>(`/api/events/${seq}/signals`, signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}

/** Returns the query string of a request for the events that match a filter. */
export function queryFromFilter(filter: EventFilter, limit: number): string {
  const query = new URLSearchParams({ limit: String(limit) });
  if (filter.lock !== '') query.set('lock', filter.lock);
  if (filter.type !== null) query.set('type', filter.type);
  if (filter.topic !== null) query.set('topic', filter.topic);
  if (filter.lockPart !== '') query.set('lockPart', filter.lockPart);
  if (filter.holder !== '') query.set('holder', filter.holder);
  if (filter.holderPart !== '') query.set('holderPart', filter.holderPart);
  if (filter.group !== '') query.set('group', filter.group);
  if (filter.source !== null) query.set('source', filter.source);
  if (filter.from !== null) query.set('from', String(Math.round(filter.from)));
  if (filter.to !== null) query.set('to', String(Math.round(filter.to)));
  return query.toString();
}
