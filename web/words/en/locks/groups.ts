import { counted } from '../counted.ts';

/** Several locks acquired together (multi locks and RedLocks), and the values of group locks. */
export const groups = {
  /** The role of one lock in its group. */
  member: (place: number, of: number, isRedLock: boolean) =>
    isRedLock ? `Member ${place} of ${of} of one RedLock` : `Member ${place} of ${of} of one multi lock`,
  memberOf: (place: number, of: number, isRedLock: boolean, names: string) =>
    isRedLock
      ? `Server ${place} of ${of} of one RedLock: ${names}.`
      : `Member ${place} of ${of} of one multi lock: ${names}.`,
  inferred: 'Inferred from their events: Redis does not store that these locks belong together.',
  state: {
    held: 'held',
    'waited-for': 'waited for',
    refused: 'refused',
    'given-back': 'rolled back',
    released: 'released',
    'never-held': 'never held',
    lost: 'lost',
  },
  thisOne: 'this one',
  notWatched: (source: string) => `${source} is not watched now`,
  majority: (held: number, of: number) => `Held on ${held} of ${counted(of, 'server')}, which is a majority`,
  noMajority: (held: number, of: number) => `Held on ${held} of ${counted(of, 'server')}, which is not a majority`,
  round: (round: number) => `round ${round}`,
  end: { released: 'released together', 'rolled-back': 'rolled back', lost: 'lost' },
  /** The role of an event in its group. */
  step: {
    'fix-up': 'lease set to the requested time, now that all are held',
    'roll-back': 'rolled back: another member could not be acquired',
    'never-held': 'never held: a RedLock unlocks all its members',
  },
  events: 'Its events',
  filter: 'Group',
  showOnly: (id: string) => `Show only the events of group ${id}`,
  values: 'Values',
  value: (value: string, count: number | null) => (count === null ? value : `${value} ×${count}`),
  valuesHint: 'Redisson stores only a hash of each value.',
  wanted: (values: string) => `wants ${values}`,
};
