/** The settings dialog. */
export const settings = {
  title: 'Settings',
  connection: 'Connection',
  notConnected: 'No Redis is watched yet.',
  watched: (status: string, level: string) => `${status}, ${level}`,
  look: 'Appearance',
  theme: 'Theme',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  language: 'Language',
  languageOfSystem: 'Browser language',
  languageMissing: 'This language could not be loaded. Choose it again when Lockscope responds.',
  density: 'Table density',
  densities: { comfortable: 'Comfortable', compact: 'Compact' },
  wheel: 'Wheel over the timeline',
  wheels: { scroll: 'Scrolls rows, Ctrl zooms', zoom: 'Zooms' },
  kept: 'Saved in this browser.',
};
