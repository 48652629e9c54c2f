import { isTokenLike } from '../../events/libraries/token-libraries.ts';
import { isDerivedFrom, lockOfChannel } from '../../events/names/names.ts';
import { recogniseCommand } from '../../events/recognise/plain-command.ts';
import type { LineSignal } from '../../signals/signal.ts';
import { HIDDEN, isKeyOf, ownWords } from './lock-words.ts';

/**
 * The line of a plain command as the page shows it for one lock: its name, what belongs to this lock, and plain
 * numbers.
 */
export function shownLine(line: LineSignal, lock: string): LineSignal {
  const own = ownWords(triesOf(line, lock));
  const isOurs = (word: string) =>
    own.has(word) || isKeyOf(lock, word) || isDerivedFrom(lock, lockOfChannel(word)?.name);
  const isNumber = (word: string) => /^-?\d{1,15}$/.test(word) && !isValueCommand(line);
  return { ...line, words: line.words.map((word, n) => (n === 0 || isOurs(word) || isNumber(word) ? word : HIDDEN)) };
}

/**
 * The attempts of a plain command to acquire the lock with a token, if the token has a form that no value of the
 * application has.
 */
function triesOf(line: LineSignal, lock: string) {
  return recogniseCommand(line).filter(
    (action) => action.do === 'token-try' && action.lock === lock && isTokenLike(action.token ?? ''),
  );
}

/** Whether a number in this command may be a value of the application. */
function isValueCommand(line: LineSignal): boolean {
  return /^(SET|SETEX|PSETEX|RESTORE|EVAL|EVALSHA|FCALL)/i.test(line.words[0] ?? '');
}
