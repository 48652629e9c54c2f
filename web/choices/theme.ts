import { makeStoredChoice } from './stored-choice.ts';

/** Light, dark, or the system's preference. `public/theme-before-paint.js` reads the stored value before any paint. */
export const theme = makeStoredChoice('theme', ['system', 'light', 'dark']);

/** Applies the chosen theme to the page, now and at each change. */
export function applyTheme(): void {
  const systemIsDark = window.matchMedia('(prefers-color-scheme: dark)');
  const apply = () => {
    const isDark = theme.get() === 'dark' || (theme.get() === 'system' && systemIsDark.matches);
    document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
  };
  theme.subscribe(apply);
  systemIsDark.addEventListener('change', apply);
  apply();
}
