import type { Interpreter } from '../../../shared/events/interpreter.ts';
import type { Source } from '../../../shared/wire/source.ts';

const MOST_NAMES = 10;
const MOST_CHARACTERS = 200;

/** Keys that look like an application's own locks, as the source's status reports them; `{}` without such keys. */
export function ownLocksOf({ ownLocks, keys }: Interpreter): Pick<Source, 'ownLocks'> {
  const { isShown, isMore } = ownLocks;
  const offered = ownLocks.at(keys.now);
  const decided = [...ownLocks.decisions].map(([form, isLock]) => ({ form: form.slice(0, MOST_CHARACTERS), isLock }));
  if (offered.length === 0 && !isShown && decided.length === 0) return {};
  const names = offered.slice(0, MOST_NAMES).map(({ name }) => name.slice(0, MOST_CHARACTERS));
  return { ownLocks: { count: offered.length, isMore, names, isShown, ...(decided.length > 0 && { decided }) } };
}
