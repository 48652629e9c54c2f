import { readFileSync } from 'node:fs';
import { redisTime } from '../../../shared/base/time.ts';
import { isHolder } from '../../../shared/events/names/names.ts';
import { eventsFromTrace } from '../../../testing/traces/trace-file.ts';
import type { StageRun } from '../script/run.ts';
import { SHOW } from './runs.ts';

/** A recorded trace of Redisson 4.7.0 as a run: its first client is A, the second B. */
export function runOfTrace(name: string, lock: string): StageRun {
  const url = new URL(`../../../shared/traces/redisson-4.7.0/${name}.trace`, import.meta.url);
  const events = eventsFromTrace(readFileSync(url, 'latin1'), true).filter((event) => event.lock === lock);
  const holders = events.flatMap((event) => ('holder' in event && event.holder !== undefined ? [event.holder] : []));
  const uuids = [...new Set(holders.filter(isHolder).map((holder) => holder.slice(0, 36)))];
  return {
    ...SHOW(),
    lock,
    locks: [{ name: lock, source: null }],
    from: redisTime((events[0]?.at ?? 0) - 1000),
    watchdogMs: null,
    cast: ['A', 'B'].map((id, n) => ({ id, name: `app${n + 1}`, uuids: uuids.slice(n, n + 1) })),
    events,
    faults: [],
  };
}
