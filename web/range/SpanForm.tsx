import './range.css';
import { type FormEvent, useEffect, useState } from 'react';
import { redisTime } from '../../shared/base/time.ts';
import { fieldTextOf, instantOfField } from '../ui/zone.ts';
import type { LinkSpan } from '../url/range.ts';
import { useWords } from '../words/language.ts';

type SpanFormProps = { label: string; span: LinkSpan; onChange: (span: LinkSpan) => void };

/** Two instants to the millisecond, in the chosen time zone. A field that is not changed keeps its microseconds. */
export function SpanForm({ label, span, onChange }: SpanFormProps) {
  const { range } = useWords();
  const [from, setFrom] = useState(fieldTextOf(span.from));
  const [to, setTo] = useState(fieldTextOf(span.to));
  const [isWrong, setIsWrong] = useState(false);
  useEffect(() => {
    setFrom(fieldTextOf(span.from));
    setTo(fieldTextOf(span.to));
    setIsWrong(false);
  }, [span.from, span.to]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const begin = from === fieldTextOf(span.from) ? span.from : instantOfField(from);
    const end = to === fieldTextOf(span.to) ? span.to : instantOfField(to);
    const isValid = begin !== null && end !== null && begin < end;
    setIsWrong(!isValid);
    if (isValid) onChange({ from: redisTime(begin), to: redisTime(end) });
  };
  return (
    <form className="range-span" aria-label={label} onSubmit={submit} noValidate>
      <label className="field">
        <span>{range.from}</span>
        <input type="datetime-local" step="0.001" value={from} onChange={({ target }) => setFrom(target.value)} />
      </label>
      <label className="field">
        <span>{range.to}</span>
        <input type="datetime-local" step="0.001" value={to} onChange={({ target }) => setTo(target.value)} />
      </label>
      <button type="submit" className="button is-small">
        {range.show}
      </button>
      {isWrong && (
        <p role="alert" className="range-wrong">
          {range.wrong}
        </p>
      )}
    </form>
  );
}
