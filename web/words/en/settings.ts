/** The dialog of settings. */
export const settings = {
  title: 'Settings',
  connection: 'Connection',
  notConnected: 'No Redis is watched yet.',
  watched: (status: string, level: string) => `${status}, ${level}`,
  look: 'Look',
  theme: 'Theme',
  themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
  language: 'Language',
  languageOfSystem: 'As the browser',
  languageMissing: 'This language could not be loaded. Choose it again when Lockscope answers.',
  density: 'Rows of tables',
  densities: { comfortable: 'Comfortable', compact: 'Compact' },
  wheel: 'Wheel over the timeline',
  wheels: { scroll: 'Scrolls rows, Ctrl zooms', zoom: 'Zooms' },
  kept: 'Kept in this browser.',
};
