import { type FormEvent, useEffect, useState } from 'react';
import { redisTime } from '../../shared/base/time.ts';
import { useLiveStore } from '../data/use-live.ts';
import { Segments } from '../ui/Segments.tsx';
import { fieldTextOf, instantOfField } from '../ui/zone.ts';
import type { LinkSpan } from '../url/timeline-link.ts';
import { type ChosenStretch, isSpan, WAITS_MINUTES } from '../url/waits-link.ts';
import { useWords } from '../words/language.ts';

type StretchChoiceProps = {
  label: string;
  value: ChosenStretch;
  /** The cursor, if the last minutes end there; null: they end now. */
  at: number | null;
  onChange: (value: ChosenStretch) => void;
};

const OWN = 'own';

/** Chooses a stretch: the last minutes, or any two instants. */
export function StretchChoice({ label, value, at, onChange }: StretchChoiceProps) {
  const { waits: texts } = useWords();
  const { clock } = useLiveStore();
  const choose = (option: string) => {
    const minutes = WAITS_MINUTES.find((each) => String(each) === option);
    if (minutes !== undefined) return onChange(minutes);
    if (isSpan(value)) return;
    const end = Math.round(at ?? clock.at(Date.now()) ?? Date.now() * 1000);
    onChange({ from: redisTime(end - value * 60_000_000), to: redisTime(end) });
  };
  return (
    <div className="waits-stretch-choice">
      <span className="waits-label" aria-hidden="true">
        {label}
      </span>
      <Segments
        label={label}
        value={isSpan(value) ? OWN : String(value)}
        options={[
          ...WAITS_MINUTES.map((each) => ({
            value: String(each),
            label: at === null ? texts.last(each) : texts.before(each),
          })),
          { value: OWN, label: texts.choice.own },
        ]}
        onChange={choose}
      />
      {isSpan(value) && <SpanForm label={label} span={value} onChange={onChange} />}
    </div>
  );
}

type SpanFormProps = { label: string; span: LinkSpan; onChange: (span: LinkSpan) => void };

/** Two instants to the millisecond, in the chosen time zone. A field that is not changed keeps its microseconds. */
function SpanForm({ label, span, onChange }: SpanFormProps) {
  const { choice } = useWords().waits;
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
    const isRight = begin !== null && end !== null && begin < end;
    setIsWrong(!isRight);
    if (isRight) onChange({ from: redisTime(begin), to: redisTime(end) });
  };
  return (
    <form className="waits-span" aria-label={label} onSubmit={submit} noValidate>
      <label className="field">
        <span>{choice.from}</span>
        <input type="datetime-local" step="0.001" value={from} onChange={({ target }) => setFrom(target.value)} />
      </label>
      <label className="field">
        <span>{choice.to}</span>
        <input type="datetime-local" step="0.001" value={to} onChange={({ target }) => setTo(target.value)} />
      </label>
      <button type="submit" className="button is-small">
        {choice.show}
      </button>
      {isWrong && (
        <p role="alert" className="waits-wrong">
          {choice.wrong}
        </p>
      )}
    </form>
  );
}
