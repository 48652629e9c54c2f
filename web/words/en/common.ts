/** Texts used in many places: buttons, names, and the message of a part that crashed. */
export const common = {
  close: 'Close',
  copy: 'Copy',
  copied: 'Copied',
  selectToCopy: 'Select the text to copy it',
  clearFilter: 'Clear filter',
  any: 'any',
  emptyName: '(empty name)',
  andMore: (n: number) => `and ${n} more`,
  listMore: 'Show more',
  thisPage: 'This page',
  theTimeline: 'The timeline',
  thisPart: 'This part',
  couldNotBeShown: (what: string) => `${what} could not be shown.`,
  notLoaded:
    'Its code could not be loaded. Try again when the page is connected. After an update of Lockscope, reload it.',
  withKey: (what: string, key: string) => `${what} (${key})`,
  /** Joins whole sentences. */
  sentences: (all: readonly string[]) => all.join(' '),
  tryAgain: 'Try again',
  copyDetails: 'Copy details',
  certainty: { observed: 'observed', inferred: 'inferred' },
  certaintyMeaning: {
    observed: 'Reported by Redis.',
    inferred: 'Inferred by Lockscope, not reported by Redis.',
  },
  assumedSince: (clock: string) =>
    `Assumed since ${clock}: Lockscope stopped watching then, and no event has shown its whole state since.`,
};
