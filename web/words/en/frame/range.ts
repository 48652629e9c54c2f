/** The range of time in the header. */
export const range = {
  title: 'Range of time',
  last: (minutes: number) => `Last ${minutes} min`,
  /** Only with a store. */
  days: (days: number) => (days === 1 ? '1 day' : `${days} days`),
  before: (minutes: number) => `${minutes} min before the cursor`,
  between: (from: string, to: string) => `${from} – ${to}`,
  anyTime: 'Any time',
  now: 'Now',
  atCursor: 'At the cursor',
  own: 'From – to',
  from: 'From',
  to: 'To',
  show: 'Show',
  wrong: 'Enter both instants. The end must be after the beginning.',
  back: 'Back by the length of the range',
  forward: 'Forward by the length of the range',
  none: 'No range: what this page usually shows',
};
