import { counted } from '../counted.ts';

/** Precedes a number if the page has not loaded all locks. */
const AT_LEAST = 'at least ';

/** The search of every page. */
export const find = {
  placeholder: 'Find anything',
  label: 'Find locks, holders, events and actions',
  results: 'Results',
  groups: {
    locks: 'Locks',
    people: 'Clients and threads',
    events: 'Events',
    scenarios: 'Scenarios',
    actions: 'Actions',
    search: 'Search',
  },
  client: (locks: number, isAtLeast: boolean) =>
    `client, ${isAtLeast ? AT_LEAST : ''}${counted(locks, 'hold or wait', 'holds and waits')}`,
  thread: (locks: number, isAtLeast: boolean) =>
    `holds or waits for ${isAtLeast ? AT_LEAST : ''}${counted(locks, 'lock')}`,
  more: (locks: number, isAtLeast: boolean) => `${isAtLeast ? AT_LEAST : ''}${counted(locks, 'more lock')}`,
  play: 'play',
  goTo: (page: string) => `Go to ${page}`,
  goLive: 'Go live',
  level: 'Change the level of observation',
  allLocks: (text: string) => `Locks, holders or waiters that contain “${text}”`,
  eventsOfLocks: (text: string) => `Events of locks that contain “${text}”`,
  eventsOfHolders: (text: string) => `Events of holders that contain “${text}”`,
};
