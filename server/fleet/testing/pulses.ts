import type { Pulse, PulsePerson, PulseRow } from '../../../shared/wire/fleet/pulse.ts';
import { makeMemoryObservatory } from '../../testing/memory-observatory.ts';

export const NOW = 1_700_000_000_000;
/** The clock of the watched Redis is 5 s ahead. */
export const AT = NOW * 1000 + 5_000_000;

/** A pulse of an observer that watches one Redis. */
export function pulse(name: string, more: Partial<Pulse> = {}): Pulse {
  return {
    ...{ v: 1, name, run: 1, number: 1, after: 0, lastLine: 0, at: AT, verdicts: [], more: 0, rows: [] },
    observer: { host: 'h', pid: 1, version: '1', since: AT - 60_000_000, standbys: 1, waitingBytes: 0 },
    sources: makeMemoryObservatory()
      .sources()
      .map((source) => ({ ...source, watchedSince: AT - 60_000_000 })),
    counts: { locks: 2, held: 1, waiting: 3, oldestWait: AT - 2_000_000 },
    ...{ moreWaits: 0, unseenWaits: [] },
    ...more,
  };
}

/** A lock in a pulse. */
export function pulseRow(name: string, { holders = [], ...more }: Partial<PulseRow> = {}): PulseRow {
  return {
    ...{ id: `main/0/${name}`, source: 'main', db: 0, name, kind: 'lock', library: 'redisson', leaseMs: 30_000 },
    ...{ held: holders.length > 0, since: holders[0]?.since ?? null, holders, moreHolders: 0 },
    ...{ waiters: more.sleepers?.length ?? 0, sleepers: [] },
    ...more,
  };
}

type ClientFields = Partial<PulsePerson> & { client: string };

function personOf({ thread = null, name = null, host = null, hasTwin = false, client }: ClientFields): PulsePerson {
  return { client, thread, name, host, hasTwin };
}

/** A holder since that instant (Redis time, µs). */
export function heldBy(fields: ClientFields, since: number | null): PulseRow['holders'][number] {
  return { ...personOf(fields), isGone: false, mode: 'exclusive', since };
}

/** A thread that has waited since that instant. */
export function waitOf(fields: ClientFields, since: number): PulseRow['sleepers'][number] {
  return { ...personOf(fields), mode: 'exclusive', since };
}
