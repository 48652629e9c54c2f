import type { ReportedEvent } from '../lockscope/lockscope.ts';
import { shown } from './holder-story.ts';

function hasNoTimeoutLeft(event: ReportedEvent & { type: 'lock.released' }): boolean {
  return event.mode === 'read' && event.readTimeouts?.every(({ ends }) => ends.length === 0) === true;
}

/**
 * Checks rules that are true for every read-write lock: many threads may read, and while one writes, only it may also
 * read. Counts are kept per holder and mode. Re-entries, releases and renewals must be by a holder.
 */
export function readWriteProblems(events: readonly ReportedEvent[]): string[] {
  const problems: string[] = [];
  const counts = new Map<string, number>();
  const others = (holder: string, mode: string): string[] =>
    [...counts.keys()].filter((key) => {
      const isForeign = !key.startsWith(`${holder} `);
      return mode === 'write' ? isForeign : isForeign && key.endsWith(' write');
    });
  for (const event of events) {
    const holder = 'holder' in event ? event.holder : undefined;
    const mode = 'mode' in event ? event.mode : undefined;
    const key = `${holder} ${mode}`;
    switch (event.type) {
      case 'lock.acquired':
        if (others(event.holder, event.mode).length > 0 || counts.has(key)) {
          problems.push(`${shown(event)}: ${key} beside ${[...counts.keys()].join(', ')}`);
        }
        counts.set(key, 1);
        break;
      case 'lock.reentered':
      case 'lock.partially-released': {
        const count = (counts.get(key) ?? 0) + (event.type === 'lock.reentered' ? 1 : -1);
        if (!counts.has(key) || count < 1 || event.holdCount !== count) {
          problems.push(`${shown(event)}: ${key} reports ${event.holdCount}, has ${count}`);
        }
        counts.set(key, count);
        break;
      }
      case 'lock.released':
        // The script frees the lock once no timeout key is left, even at a hold count above 1.
        if (!counts.has(key) || (counts.get(key) !== 1 && !hasNoTimeoutLeft(event)))
          problems.push(`${shown(event)}: ${key} at hold count ${counts.get(key) ?? 0}`);
        counts.delete(key);
        break;
      case 'lease.renewed':
      case 'lease.shortened':
      case 'lease.expired':
        if (holder !== undefined && !counts.has(key)) problems.push(`${shown(event)}: ${key}, who holds nothing`);
        if (event.type === 'lease.expired') counts.delete(key);
        break;
      case 'lock.force-released':
      case 'lock.deleted':
      case 'lock.evicted':
      case 'db.flushed':
        counts.clear();
        break;
      default:
        break;
    }
  }
  return problems;
}
