import { counted } from './counted.ts';

/** Semaphores and latches: numbers instead of holders. */
export const counters = {
  /** Permits out, of all. */
  out: (out: number, total: number) => `${out} of ${total} out`,
  free: (available: number) => `${available} free`,
  left: (count: number) => (count === 0 ? 'open' : `${count} to go`),
  permits: 'Permits',
  latch: 'Latch',
  fact: { free: 'Free', out: 'Out', total: 'In all', left: 'Still to count down', state: 'State' },
  notSeen: 'not seen',
  open: 'open: nobody has to wait',
  closed: (count: number) => `closed until ${counted(count, 'more count', 'more counts')}`,
  takers: 'Taken permits',
  takerTable: 'Table of taken permits',
  takerColumn: { id: 'Permit', taker: 'Taken by', count: 'Permits', since: 'Since', until: 'Good until' },
  overdue: 'over: the next attempt takes it back',
  /** Under the list of who holds permits of a semaphore without ids. */
  noOwner:
    'Permits have no owner. Who took them is concluded from connections: who gives one back pays for its own first.',
  /** Of more takers than are listed. */
  othersHave: (permits: number) => `Others have ${counted(permits, 'more permit')}.`,
  taken: (permits: number) => counted(permits, 'permit'),
  asked: (permits: number) => `asked for ${permits}`,
  freeOf: (available: number, total: number) => `${available} of ${total} free`,
  changed: (by: number) => (by < 0 ? `${-by} fewer` : `${by} more`),
  found: 'found so, nobody saw it set',
  drained: 'all that were free',
  late: 'its time was over, so its client was told it was not',
  raised: (by: number) => `${counted(by, 'more permit')} than were taken, so the total rose`,
  until: (length: string) => `good for ${length}`,
  forEver: 'good for ever',
  ids: (shown: string, more: number) => (more > 0 ? `${shown} and ${more} more` : shown),
  count: (count: number) => `count ${count}`,
  wasOpen: 'it was open already, or never set',
};
