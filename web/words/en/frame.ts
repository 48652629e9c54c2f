/** The frame around every page. */
export const frame = {
  title: (page: string) => `${page} · Lockscope`,
  skip: 'Skip to content',
  pages: 'Pages',
  page: {
    overview: 'Overview',
    timeline: 'Timeline',
    lock: 'Lock',
    events: 'Events',
    demo: 'Demo',
    'not-found': 'No such page',
  },
  theme: 'Theme',
  themes: { system: 'System theme', light: 'Light theme', dark: 'Dark theme' },
  settings: 'Settings',
  help: 'Help: keys',
  openingTimeline: 'Opening the timeline.',
  lost: 'The connection to Lockscope is lost.',
  lostHint: 'Retrying. The page shows the last known state.',
  triesAgain: (seconds: number) => `This page retries every ${seconds} s.`,
  lastHeard: (age: string) => `Last message ${age}.`,
  cutBack: (url: string) => `The level of ${url} was reduced to protect Redis.`,
};
