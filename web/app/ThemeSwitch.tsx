import { theme } from '../choices/theme.ts';
import { useChoice } from '../choices/use-choice.ts';
import { Segments } from '../ui/Segments.tsx';
import { useWords } from '../words/language.ts';

const SIGNS = { system: '◐', light: '☀', dark: '☾' } as const;

/** Switches between the system's theme, light and dark. */
export function ThemeSwitch() {
  const { frame } = useWords();
  const options = theme.values.map((value) => ({
    value,
    title: frame.themes[value],
    label: (
      <>
        <span aria-hidden="true">{SIGNS[value]}</span>
        <span className="only-heard">{frame.themes[value]}</span>
      </>
    ),
  }));
  return <Segments label={frame.theme} value={useChoice(theme)} options={options} onChange={theme.choose} />;
}
