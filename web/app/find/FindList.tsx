import { NameText } from '../../ui/NameText.tsx';
import { useWords } from '../../words/language.ts';
import type { FindGroup, FindOption } from './use-find-options.ts';

type FindListProps = {
  id: string;
  options: readonly FindOption[];
  /** The index of the option that Enter chooses. */
  active: number;
  onChoose: (option: FindOption) => void;
};

/** The list below the search field, in groups. The field keeps the focus. */
export function FindList({ id, options, active, onChoose }: FindListProps) {
  const { find } = useWords();
  return (
    <div id={`${id}-list`} role="listbox" aria-label={find.results} className="find-list" hidden={options.length === 0}>
      {groupsOf(options).map(({ group, from, entries }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset may not be in a list box
        <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
          <div id={`${id}-${group}`} className="find-group" role="presentation">
            {find.groups[group]}
          </div>
          {entries.map((option, n) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field keeps the focus and handles the keys
            <div
              key={option.key}
              id={`${id}-${from + n}`}
              role="option"
              tabIndex={-1}
              aria-selected={from + n === active}
              className="find-option"
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => onChoose(option)}
            >
              <NameText text={option.text} most={120} isOneLine />
              {option.note !== undefined && <span className="quiet">{option.note}</span>}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

type Group = { readonly group: FindGroup; readonly from: number; readonly entries: FindOption[] };

/** The options by group; `from` is the index of the first option of a group. */
function groupsOf(options: readonly FindOption[]): Group[] {
  const groups: Group[] = [];
  options.forEach((option, index) => {
    const last = groups.at(-1);
    if (last?.group === option.group) last.entries.push(option);
    else groups.push({ group: option.group, from: index, entries: [option] });
  });
  return groups;
}
