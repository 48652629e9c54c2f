import type { LockEvent } from '../../shared/events/event.ts';
import type { Span } from './scale.ts';

/** One column per pixel: how many events lie in it, and whether a lease was lost there. */
export type MinimapColumns = { readonly counts: Uint32Array; readonly lost: Uint8Array; readonly most: number };

/** Counts events by pixel over a stretch. Renewals do not count: they say that nothing happened. */
export function minimapColumns(events: readonly LockEvent[], extent: Span, width: number): MinimapColumns {
  const counts = new Uint32Array(Math.max(1, width));
  const lost = new Uint8Array(Math.max(1, width));
  const perMicro = counts.length / Math.max(1, extent.to - extent.from);
  let most = 0;
  for (const event of events) {
    if (event.type === 'lease.renewed') continue;
    const column = Math.floor((event.at - extent.from) * perMicro);
    if (column < 0 || column >= counts.length) continue;
    const count = (counts[column] ?? 0) + 1;
    counts[column] = count;
    if (count > most) most = count;
    if (event.type === 'lease.expired') lost[column] = 1;
  }
  return { counts, lost, most };
}
