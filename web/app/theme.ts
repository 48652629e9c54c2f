import { useSyncExternalStore } from 'react';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** The same key as in `public/theme-before-paint.js`, which sets the theme before the first paint. */
const STORAGE_KEY = 'lockscope.theme';

const listeners = new Set<() => void>();
const systemIsDark = window.matchMedia('(prefers-color-scheme: dark)');
let choice: Theme = readChoice();
systemIsDark.addEventListener('change', apply);

function readChoice(): Theme {
  try {
    const stored = localStorage.getItem(STORAGE_KEY);
    return THEMES.find((theme) => theme === stored) ?? 'system';
  } catch {
    return 'system'; // storage is not allowed here
  }
}

function apply(): void {
  const isDark = choice === 'dark' || (choice === 'system' && systemIsDark.matches);
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
}

/** Chooses a theme, now and for the next visit. */
export function chooseTheme(theme: Theme): void {
  choice = theme;
  try {
    localStorage.setItem(STORAGE_KEY, theme);
  } catch {
    // storage is not allowed here: the choice holds until the page is closed
  }
  apply();
  for (const listener of listeners) listener();
}

/** The theme chosen. */
export function useTheme(): Theme {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => choice,
  );
}
