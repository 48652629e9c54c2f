import { counted } from '../counted.ts';

/** Semaphores and latches: numbers instead of holders. */
export const counters = {
  /** Permits taken, of all. */
  out: (out: number, total: number) => `${out} of ${total} taken`,
  free: (available: number) => `${available} free`,
  left: (count: number) => (count === 0 ? 'open' : `${count} to go`),
  permits: 'Permits',
  latch: 'Latch',
  fact: { free: 'Free', out: 'Taken', total: 'Total', left: 'Remaining count', state: 'State' },
  notSeen: 'not seen',
  open: 'open: no thread has to wait',
  closed: (count: number) => `closed until ${counted(count, 'more count', 'more counts')}`,
  takers: 'Taken permits',
  takerTable: 'Table of taken permits',
  takerColumn: { id: 'Permit', taker: 'Taken by', count: 'Permits', since: 'Since', until: 'Valid until' },
  overdue: 'expired; reclaimed by the next attempt',
  /** Shown below the holders of permits without ids. */
  noOwner:
    'Permits have no owner. Lockscope infers it from connections: a connection that releases a permit returns its own first.',
  /** The number of permits of connections that are not listed. */
  othersHave: (permits: number) => `Others have ${counted(permits, 'more permit')}.`,
  taken: (permits: number) => counted(permits, 'permit'),
  asked: (permits: number) => `requested ${permits}`,
  freeOf: (available: number, total: number) => `${available} of ${total} free`,
  changed: (by: number) => (by < 0 ? `${-by} fewer` : `${by} more`),
  found: 'found like this; how it was set was not seen',
  drained: 'all that were free',
  late: 'the permit had expired, so the release failed',
  raised: (by: number) => `${counted(by, 'more permit')} than were taken, so the total rose`,
  until: (length: string) => `valid for ${length}`,
  forEver: 'valid forever',
  ids: (shown: string, more: number) => (more > 0 ? `${shown} and ${more} more` : shown),
  count: (count: number) => `count ${count}`,
  wasOpen: 'it was open already, or never set',
};
