import { makeStoredChoice } from './stored-choice.ts';

/** Light, dark, or what the system prefers; stored where `public/theme-before-paint.js` finds it before the first paint. */
export const theme = makeStoredChoice('theme', ['system', 'light', 'dark']);

/** Keeps the page in the theme chosen, from now on. */
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
