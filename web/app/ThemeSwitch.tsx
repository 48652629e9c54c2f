import { Segments } from '../ui/Segments.tsx';
import { chooseTheme, type Theme, useTheme } from './theme.ts';

const SIGNS: readonly { value: Theme; sign: string; word: string }[] = [
  { value: 'system', sign: '◐', word: 'System theme' },
  { value: 'light', sign: '☀', word: 'Light theme' },
  { value: 'dark', sign: '☾', word: 'Dark theme' },
];

/** System, light or dark. */
export function ThemeSwitch() {
  const options = SIGNS.map(({ value, sign, word }) => ({
    value,
    title: word,
    label: (
      <>
        <span aria-hidden="true">{sign}</span>
        <span className="only-heard">{word}</span>
      </>
    ),
  }));
  return <Segments label="Theme" value={useTheme()} options={options} onChange={chooseTheme} />;
}
