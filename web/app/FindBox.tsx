import { type FormEvent, type KeyboardEvent, type Ref, useState } from 'react';
import { overviewNow } from '../cursor/routes-now.ts';
import { keyOf } from '../keys/key-map.ts';
import type { Route } from '../url/route.ts';
import { navigate } from '../url/router.tsx';
import { useWords } from '../words/language.ts';

/** Finds locks by name, holder or waiter: while typing on the overview, after Enter on other pages. */
export function FindBox({ route, ref }: { route: Route; ref: Ref<HTMLInputElement> }) {
  const { frame } = useWords();
  const [draft, setDraft] = useState('');
  const isHere = route.page === 'overview';
  const value = isHere ? route.q : draft;

  const change = (text: string) => {
    if (isHere) navigate({ ...route, q: text }, { replace: true });
    else setDraft(text);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isHere) return;
    navigate(overviewNow(draft));
    setDraft('');
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Escape') return;
    if (value === '') event.currentTarget.blur();
    else change('');
    event.preventDefault();
  };

  return (
    <search className="find-box">
      <form onSubmit={submit}>
        <span className="find-sign" aria-hidden="true">
          ⌕
        </span>
        <input
          ref={ref}
          type="search"
          value={value}
          maxLength={1024}
          placeholder={frame.find}
          aria-label={frame.findLabel}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => change(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <span className="find-key" aria-hidden="true">
          {keyOf('find')}
        </span>
      </form>
    </search>
  );
}
