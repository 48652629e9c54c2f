/** A past instant on pages that load later: what was not watched then, and links between pages. */
export const pastInstant = {
  asOfHint: 'J and K go to the previous and next event.',
  toEnd: 'To the end',
  unwatchedThen: 'Nothing was watched at this instant: the page shows the last known state.',
  notWatchedThen: (sources: string) => `Not watched at this instant: ${sources}. The page shows what was seen last.`,
  notWatchedSince: (source: string, time: string) => `${source} (since ${time})`,
  moreUnwatched: (count: number) => `${count} more`,
  noneThen: (time: string) => `No lock was known at ${time}.`,
  memoryEmpty: 'There is no event in memory yet.',
  ifRecorded: 'If that time was recorded: lockscope open FILE',
  toOldest: 'Go to the oldest instant',
  notThen: (time: string) => `Nothing is known about this lock at ${time}.`,
  notThenHint: 'It had not been seen by then.',
  showInTimeline: 'Show in timeline',
  showInEvents: 'Show among all events',
  eventsOfLock: 'Events of this lock',
  olderThanList: (time: string) => `The cursor is before all events listed here: they begin at ${time}.`,
};
