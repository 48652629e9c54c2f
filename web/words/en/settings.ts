/** The dialog of settings. */
export const settings = {
  title: 'Settings',
  language: 'Language',
  languageOfSystem: 'As the browser',
};
