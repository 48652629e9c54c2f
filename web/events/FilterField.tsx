import { type ChangeEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useWords } from '../words/language.ts';

type FilterFieldProps = {
  label: string;
  value: string;
  options: () => readonly string[];
  /** Called with the typed text after a pause of 250 ms, at Enter, or when the field loses the focus. */
  onType: (value: string) => void;
  /** Called with a whole name that was chosen from the list. */
  onChoose: (value: string) => void;
};

const PAUSE_MS = 250;

/** A text filter that takes effect while the user types. */
export function FilterField({ label, value, options, onType, onChoose }: FilterFieldProps) {
  const { common } = useWords();
  const list = useId();
  const [draft, setDraft] = useState(value);
  // suggestions are fixed when the field gets focus, because a list that changes with every event is unusable
  const [offered, setOffered] = useState<readonly string[]>([]);
  const taken = useRef(value);
  const newest = useRef(onType);
  newest.current = onType;
  useEffect(() => {
    if (value === taken.current) return; // keeps text typed in the meantime
    taken.current = value;
    setDraft(value);
  }, [value]);

  const take = (text: string, report: (text: string) => void) => {
    if (text === taken.current) return;
    taken.current = text;
    report(text);
  };
  useEffect(() => {
    const timer = window.setTimeout(() => take(draft, newest.current), PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [draft]);

  const onChange = (event: ChangeEvent<HTMLInputElement>) => {
    const text = event.target.value;
    setDraft(text);
    // The native `input` event of a text field is an InputEvent. Browsers report this type if a suggestion replaces the
    // typed text.
    const isChosen = (event.nativeEvent as InputEvent).inputType === 'insertReplacementText';
    if (isChosen && offered.includes(text)) take(text, onChoose);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') take(draft, onType);
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
        onChange={onChange}
        onKeyDown={onKeyDown}
        onFocus={() => setOffered(options())}
        onBlur={() => take(draft, onType)}
      />
      <datalist id={list}>
        {offered.map((option) => (
          <option key={option} value={option} />
        ))}
      </datalist>
    </label>
  );
}
