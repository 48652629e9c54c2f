import type { LineSignal } from '../../../signals/signal.ts';
import type { Action } from '../../action.ts';
import { isNameOfForm } from '../../libraries/token-found.ts';
import { isHolder } from '../../names/names.ts';
import {
  actionsOfRow,
  type CommandTable,
  type Effect,
  hasWord,
  NOTHING,
  READS_FIRST,
  rowsFor,
  strangeOr,
} from './command-row.ts';
import { expiryOf, SETS_END } from './ends.ts';
import { endFromOption } from './string-commands.ts';

const EXPIRES_FIELDS: Effect = { keys: 'first', does: fieldExpiry };

/**
 * Commands on hashes. In most Redisson locks each field is a holder, and since Redis 7.4 a field may have an end of its
 * own.
 */
export const HASH_COMMANDS: CommandTable = {
  HINCRBY: { keys: 'first', does: (line) => plainHold(line) ?? IN_FIELD.does(line) },
  HSETNX: strangeOr('hash-field', [1, 2]),
  HSET: { keys: 'first', does: (line) => plainHold(line) ?? ownerInScript(line) ?? actionsOfRow(READS_FIRST, line) },
  ...rowsFor(['HMSET', 'HINCRBYFLOAT'], READS_FIRST),
  HDEL: { keys: 'first', does: (line) => fieldsDeleted(line, line.words.slice(2)) },
  HGETDEL: { keys: 'first', does: (line) => fieldsDeleted(line, fieldWords(line.words).fields) },
  ...rowsFor(['HEXPIRE', 'HPEXPIRE', 'HEXPIREAT', 'HPEXPIREAT'], EXPIRES_FIELDS),
  HPERSIST: { keys: 'first', does: (line) => fieldEnd(line, null) },
  HGETEX: { keys: 'first', does: getAndSetFieldExpiry },
  HSETEX: { keys: 'first', does: setFieldsAndExpiry },
};

/** The key may be a lock of Redisson, so only a field that is named like a lock shows another form of lock. */
const IN_FIELD = strangeOr('hash-field', [2]);

/**
 * `HSET sessions uuid:17 1` of a client: a hash that looks like Redisson's, but Redisson writes such fields only in
 * scripts.
 */
function plainHold({ at, client, words }: LineSignal): readonly Action[] | undefined {
  const isPlain = client !== null && isHolder(words[2] ?? '');
  return isPlain ? [{ at, do: 'may-change', key: words[1] ?? '', isPlainHold: true }] : undefined;
}

/**
 * `hset SEATA_ROW_LOCK_… xid T`, but only in a script that is not understood: plain commands also write data under such
 * names.
 */
function ownerInScript(line: LineSignal): readonly Action[] | undefined {
  return line.client === null ? NAMED_OR_IN_FIELD.does(line) : undefined;
}

const NAMED_OR_IN_FIELD = strangeOr('hash-field', [1, 2]);

function fieldsDeleted({ at, words }: LineSignal, holders: readonly string[]): Action[] {
  return [{ at, do: 'delete', key: words[1] ?? '', command: words[0]?.toUpperCase() ?? '', holders }];
}

/** What follows the key of a command on fields. */
type FieldWords = { readonly fields: readonly string[]; readonly options: readonly string[] };

/**
 * The fields after `FIELDS` and their number, and the words before and after them: since Redis 8.6 at the latest,
 * options may also follow the fields. A field may have the name of an option. `each`: how many words belong to a field.
 */
function fieldWords(words: readonly string[], each: 1 | 2 = 1): FieldWords {
  const from = words.findIndex((word, n) => n > 1 && word.toUpperCase() === 'FIELDS');
  if (from < 0) return { fields: [], options: words.slice(2) };
  const to = from + 2 + each * (Number(words[from + 1]) || 0);
  const fields = words.slice(from + 2, to).filter((_, n) => n % each === 0);
  return { fields, options: [...words.slice(2, from), ...words.slice(to)] };
}

/** HPEXPIRE k ms [NX|XX|GT|LT] FIELDS n f …: with a condition, only a read shows whether it did anything. */
function fieldExpiry(line: LineSignal): readonly Action[] {
  const [name = '', key = ''] = line.words;
  const { fields, options } = fieldWords(line.words);
  const [end = '', ...conditions] = options;
  if (fields.length === 0 || conditions.length > 0) return [{ at: line.at, do: 'may-change', key }];
  const expiresAt = expiryOf(name.toUpperCase(), line.at, end);
  if (expiresAt === undefined) return NOTHING;
  return expiresAt <= line.at ? fieldsDeleted(line, fields) : fieldEnd(line, expiresAt);
}

function getAndSetFieldExpiry(line: LineSignal): readonly Action[] {
  const [option = '', end] = fieldWords(line.words).options;
  const expiresAt = endFromOption(option, end, line.at);
  return expiresAt === undefined ? NOTHING : fieldEnd(line, expiresAt);
}

/**
 * HSETEX k [FNX|FXX] [EX s …|KEEPTTL] FIELDS n f v …: with FNX, a field with the name of a lock is reported as a lock
 * that is not understood.
 */
function setFieldsAndExpiry(line: LineSignal): readonly Action[] {
  const { words, at } = line;
  const key = words[1] ?? '';
  const { fields, options } = fieldWords(words, 2);
  const place = options.findIndex((word) => SETS_END.test(word));
  const expiresAt = place < 0 ? undefined : endFromOption(options[place] ?? '', options[place + 1], at);
  const isLike = hasWord(options, 'FNX') && [key, ...fields].some(isNameOfForm);
  const changes: Action[] = [{ at, do: 'may-change', key }];
  if (isLike) changes.push({ at, do: 'strange-lock', key, form: 'hash-field' });
  return expiresAt == null ? changes : [...changes, ...fieldEnd(line, expiresAt)];
}

function fieldEnd({ at, words }: LineSignal, expiresAt: Parameters<typeof endOf>[2]): Action[] {
  return [endOf(at, words, expiresAt)];
}

function endOf(at: LineSignal['at'], words: readonly string[], expiresAt: LineSignal['at'] | null): Action {
  return { at, do: 'set-field-expiry', key: words[1] ?? '', command: words[0]?.toUpperCase() ?? '', expiresAt };
}
