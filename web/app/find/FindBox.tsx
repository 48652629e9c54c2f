import { Search } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, type Ref, useEffect, useId, useRef, useState } from 'react';
import { keyOf } from '../../keys/key-map.ts';
import { Icon } from '../../ui/Icon.tsx';
import { LatePart } from '../../ui/LatePart.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import type { Route } from '../../url/route.ts';
import { navigate } from '../../url/router.tsx';
import { useWords } from '../../words/language.ts';
import type { FrameDialog } from '../navigation/use-page-keys.ts';
import { FindList } from './FindList.tsx';
import type { FindOption } from './use-find-options.ts';

const FindOptions = lazyPart(() => import('./FindOptions.tsx'));

const NONE: readonly FindOption[] = [];

type FindBoxProps = {
  route: Route;
  isDemo: boolean;
  ref: Ref<HTMLInputElement>;
  onDialog: (dialog: FrameDialog) => void;
};

/**
 * The search: a text field with a list of locks, holders, clients, types of events, scenarios and actions. On the
 * overview, the text also filters the table while it is typed.
 */
export function FindBox({ route, isDemo, ref, onDialog }: FindBoxProps) {
  const { find } = useWords();
  const id = useId();
  const [draft, setDraft] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [wanted, setWanted] = useState(0);
  const isOnOverview = route.page === 'overview';
  const text = isOnOverview ? route.q : draft;
  const [isUsed, setUsed] = useState(false);
  const [found, setFound] = useState<readonly FindOption[] | null>(null);
  const isAwaited = useRef(false);
  const options = (isOpen && found) || NONE;
  const active = Math.min(wanted, options.length - 1);
  const isListed = isOpen && options.length > 0;
  const input = useRef<HTMLInputElement>(null);

  const change = (next: string) => {
    setWanted(0);
    if (isOnOverview) navigate({ ...route, q: next }, { replace: true });
    else setDraft(next);
  };
  const choose = (option: FindOption) => {
    setOpen(false);
    setDraft('');
    input.current?.blur();
    option.choose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const option = options[active];
    if (isListed && option) choose(option);
    else isAwaited.current = isOpen && found === null;
  };
  // if Enter was pressed before the entries were loaded, the first entry is chosen once they are
  useEffect(() => {
    const [first] = found ?? [];
    if (first === undefined || !isAwaited.current) return;
    isAwaited.current = false;
    choose(first);
  });
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (event.key === 'Escape') {
      if (isListed) setOpen(false);
      else if (text === '') event.currentTarget.blur();
      else change('');
    } else if (step !== undefined && !isListed) setOpen(true);
    else if (step !== undefined) setWanted((active + step + options.length) % options.length);
    else return;
    event.preventDefault();
  };
  useEffect(() => {
    if (isListed) document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [isListed, active, id]);

  return (
    <search className="find-box">
      <form onSubmit={submit}>
        <span className="find-sign" aria-hidden="true">
          <Icon of={Search} />
        </span>
        <input
          ref={(element) => {
            input.current = element;
            if (typeof ref === 'function') ref(element);
            else if (ref) ref.current = element;
          }}
          type="search"
          role="combobox"
          aria-label={find.label}
          aria-autocomplete="list"
          aria-expanded={isListed}
          aria-controls={`${id}-list`}
          aria-activedescendant={isListed ? `${id}-${active}` : undefined}
          value={text}
          maxLength={1024}
          placeholder={find.placeholder}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => {
            change(event.target.value);
            setOpen(event.target.value !== '');
          }}
          onKeyDown={onKeyDown}
          onFocus={() => setUsed(true)}
          onBlur={() => setOpen(false)}
        />
        <span className="find-key" aria-hidden="true">
          {keyOf('find')}
        </span>
        {isUsed && (
          <LatePart what={find.results}>
            <FindOptions text={text} isOpen={isOpen} isDemo={isDemo} onDialog={onDialog} onOptions={setFound} />
          </LatePart>
        )}
        <FindList id={id} options={isListed ? options : []} active={active} onChoose={choose} />
      </form>
    </search>
  );
}
