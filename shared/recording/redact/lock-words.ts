import type { Action } from '../../events/action.ts';
import { companionFrom } from '../../events/kinds/kinds.ts';
import { isGroupLockField } from '../../events/names/group-lock-names.ts';
import {
  holderOfField,
  isDerivedFrom,
  isHolder,
  NON_REENTRANT,
  parseReadTimeoutKey,
} from '../../events/names/names.ts';
import { WRITER } from '../../events/recognise/set-of-holders.ts';

/*
 * Which words of Redis commands and replies are lock fields. Everything else is a value of the application and hidden,
 * in recordings and on the page: all redaction uses this file.
 */

/** Replaces everything that is not a lock field. */
export const HIDDEN = '…';

/** Whether a key is known to be a lock. */
export type IsLock = (db: number, name: string) => boolean;

const MODE = /^(mode|read|write)$/;

/**
 * Words that are lock fields only because of how a script or command used them, for example tokens, values of a group
 * lock, ids of permits, and channels of other libraries.
 */
export function ownWords(actions: readonly Action[]): ReadonlySet<string> {
  const words = new Set<string>();
  for (const action of actions) {
    if ('values' in action) for (const each of action.values) words.add(typeof each === 'string' ? each : each.value);
    if (action.do === 'group-renew' || action.do === 'renew-nothing')
      for (const value of action.asked ?? []) words.add(value);
    if (action.do === 'lease-permits' || action.do === 'remove-members') {
      // redis-semaphore numbers the permits of one id: `ID_0`
      for (const id of action.ids) words.add(id).add(id.replace(/_\d+$/, ''));
    }
    if ('member' in action) words.add(action.member);
    if ('bound' in action || action.do === 'remove-members') words.add(WRITER);
    if (action.do === 'refuse-lease' && action.renewed !== undefined) words.add(action.renewed);
    if (action.do === 'token-sleep') words.add(action.lock ?? action.channel).add(action.channel);
    else if (action.do === 'token-wake') words.add(action.lock).add(action.channel).add(action.message);
    else if (isTokenAction(action)) words.add(action.lock).add(action.token ?? action.lock);
    if (action.do === 'token-try' && action.compared !== undefined) words.add(action.compared);
  }
  if (words.size > 0) for (const option of SET_OPTIONS) words.add(option).add(option.toLowerCase());
  return words;
}

/** Options of a SET that writes a token. */
const SET_OPTIONS = ['NX', 'XX', 'PX', 'EX', 'PXAT', 'EXAT', 'KEEPTTL', 'GET', 'IFEQ'];

type TokenAction = Exclude<Extract<Action, { do: `token-${string}` }>, { do: 'token-wake' | 'token-sleep' }>;

/** Whether an action acquires, keeps or releases a lock with a token. */
export function isTokenAction(action: Action): action is TokenAction {
  return action.do.startsWith('token-') && action.do !== 'token-wake' && action.do !== 'token-sleep';
}

/** The beginning of a key or channel that Redisson derives from a lock's name. */
export const OWN_PREFIX = /^redisson_[a-z_]+[:{]/;
const NUMBER = /^-?\d{0,20}$/;
const SHA = /^(?:<script )?[0-9a-f]{40}>?$/i;
const PUBLISH = /^(s?publish|px)$/i;

/**
 * Whether a word has the form of an argument of Redisson's own scripts: a number, a holder, a mode, a SHA, a command
 * that publishes, or a key or channel with a prefix of Redisson.
 */
export function isField(word: string): boolean {
  if (word.length < 20 && NUMBER.test(word)) return true;
  return (
    isHolder(holderOfField(word)) ||
    MODE.test(word) ||
    word === NON_REENTRANT ||
    SHA.test(word) ||
    OWN_PREFIX.test(word) ||
    PUBLISH.test(word)
  );
}

/** Whether a field of a hash and its value are a hold, or the mode of a read-write lock. */
export function isHold(field: string, value: string): boolean {
  if (field === 'mode') return MODE.test(value);
  return (isHolder(holderOfField(field)) && /^\d{1,15}$/.test(value)) || isGroupLockField(field, value);
}

/** Whether a key is the lock's own key or one of its companion keys. */
export function isKeyOf(lock: string, key: string): boolean {
  return key === lock || [companionFrom(key), parseReadTimeoutKey(key)].some((of) => isDerivedFrom(lock, of?.lock));
}
