import { embedFrom } from './embed.ts';
import { makeStoredChoice } from './stored-choice.ts';

/** Light, dark, or the system's preference. `public/theme-before-paint.js` reads the stored value before any paint. */
export const theme = makeStoredChoice('theme', ['system', 'light', 'dark']);

/** Applies the chosen theme to the page, now and at each change. An embedded stage keeps the theme of its link. */
export function applyTheme(): void {
  const systemIsDark = window.matchMedia('(prefers-color-scheme: dark)');
  const { theme: ofLink } = embedFrom(window.location.search);
  const apply = () => {
    const chosen = ofLink ?? theme.get();
    const isDark = chosen === 'dark' || (chosen === 'system' && systemIsDark.matches);
    document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
  };
  theme.subscribe(apply);
  systemIsDark.addEventListener('change', apply);
  apply();
}
