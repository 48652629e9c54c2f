import { lockOfDeadlinesKey, releasedIdFrom } from '../../events/names/counter-names.ts';
import { parseValueField } from '../../events/names/group-lock-names.ts';
import { isDerivedFrom, parseReadTimeoutKey } from '../../events/names/names.ts';
import { recogniseScript } from '../../events/recognise/recognise-script.ts';
import { isSelect } from '../../events/recognise/script-run.ts';
import type { LineSignal } from '../../signals/signal.ts';
import { type CommandStep, scriptCallFromHead } from '../../signals/step.ts';
import { HIDDEN, isField, OWN_PREFIX, ownWords } from './lock-words.ts';

/** A lock script with its keys, holders, numbers and channels; its other arguments are hidden. */
export function redactLockScript(step: CommandStep): CommandStep {
  const actions = recogniseScript(step) ?? [];
  const locks = actions.flatMap((action) => ('lock' in action && action.lock !== undefined ? [action.lock] : []));
  const keys = [...(scriptCallFromHead(step.head)?.keys ?? []), ...locks];
  const own = ownWords(actions);
  const hasPermits = keys.some((key) => keys.includes(lockOfDeadlinesKey(key) ?? ''));
  const isPermit = (word: string) => hasPermits && releasedIdFrom(word) !== undefined;
  const hasTimes = actions.some((action) => 'bound' in action);
  const isOwn = (word: string) =>
    (hasTimes && TIME.test(word)) ||
    own.has(parseValueField(word)?.value ?? word) ||
    isField(word) ||
    isTimeoutOf(word, keys) ||
    isPermit(word);
  const shown = (line: LineSignal, isKept: boolean): LineSignal => {
    if (isSelect(line)) return line;
    const isShown = (word: string, n: number) => n === 0 || (isKept && (keys.includes(word) || isOwn(word)));
    if (line.words.every(isShown)) return line;
    return { ...line, words: line.words.map((word, n) => (isShown(word, n) ? word : HIDDEN)) };
  };
  const isOurs = (key: string) => keys.includes(key) || own.has(key) || OWN_PREFIX.test(key) || isTimeoutOf(key, keys);
  return {
    ...step,
    head: shown(step.head, true),
    inner: step.inner.map((line) => shown(line, isOurs(line.words[1] ?? ''))),
  };
}

/** A time that a set of holders has as a score, or up to which members are removed: `(1795000000.125`. */
const TIME = /^\(?\d{10,16}(?:\.\d{1,9})?$/;

/** Whether a key is a reader's timeout key of one of these locks. */
function isTimeoutOf(key: string, locks: readonly string[]): boolean {
  const timeout = parseReadTimeoutKey(key);
  return timeout !== undefined && locks.some((lock) => isDerivedFrom(lock, timeout.lock));
}
