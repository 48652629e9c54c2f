import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { useWords } from '../words/language.ts';

type FilterFieldProps = {
  label: string;
  value: string;
  options: () => readonly string[];
  onChange: (value: string) => void;
};

/** A text filter that takes effect when the whole name is there: with Enter, a choice from the list, or on leaving. */
export function FilterField({ label, value, options, onChange }: FilterFieldProps) {
  const { common } = useWords();
  const list = useId();
  const [draft, setDraft] = useState(value);
  // names are offered as they were when the reader came here: a list that changes with every event is of no use
  const [offered, setOffered] = useState<readonly string[]>([]);
  useEffect(() => setDraft(value), [value]);

  const change = (text: string) => {
    setDraft(text);
    if (text === '' || offered.includes(text)) onChange(text);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') onChange(draft);
  };
  return (
    <label className="field">
      <span>{label}</span>
      <input
        type="text"
        list={list}
        value={draft}
        placeholder={common.any}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => change(event.target.value)}
        onKeyDown={onKeyDown}
        onFocus={() => setOffered(options())}
        onBlur={() => draft !== value && onChange(draft)}
      />
      <datalist id={list}>
        {offered.map((option) => (
          <option key={option} value={option} />
        ))}
      </datalist>
    </label>
  );
}
