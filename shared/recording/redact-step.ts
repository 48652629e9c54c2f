import type { Action } from '../events/action.ts';
import type { Companions } from '../events/kinds/companion.ts';
import { lockOfDeadlinesKey, permitIdFrom, releasedIdFrom } from '../events/names/counter-names.ts';
import { isGroupLockField, parseValueField } from '../events/names/group-lock-names.ts';
import {
  holderOfField,
  isDerivedFrom,
  isHolder,
  lockOfChannel,
  NON_REENTRANT,
  parseHolder,
  parseReadTimeoutKey,
  prefixName,
} from '../events/names/names.ts';
import { recogniseCommand } from '../events/recognise/plain-command.ts';
import { QUEUE_COMMANDS } from '../events/recognise/queue-command.ts';
import { recogniseScript } from '../events/recognise/recognise-script.ts';
import { isTokenLike } from '../events/recognise/token-libraries.ts';
import { keyEventFromPush } from '../signals/keyspace-message.ts';
import type { KeyRead, LineSignal, PushSignal } from '../signals/signal.ts';
import { type CommandStep, scriptCallFromHead } from '../signals/step.ts';

/** Replaces everything that is not a lock field. */
export const HIDDEN = '…';

/** Whether a key is known to be a lock. */
export type IsLock = (db: number, name: string) => boolean;

/**
 * Reduces a command to what it did to locks; undefined if it did nothing to any.
 *
 * The interpreter makes the same events from both. A lock script keeps its keys, holders, numbers and channels. Any other
 * command keeps the locks it names, the lease it sets and the lock channels it uses.
 */
export function redactCommand(
  step: CommandStep,
  isLock: IsLock,
  isLockScript: boolean,
  isTokenLock: IsLock = () => false,
): CommandStep | undefined {
  const pushes = step.pushes.filter((push) => isAboutLock(push, isLock));
  if (isLockScript) return { ...redactLockScript(step), pushes };
  const isRelevant = (line: LineSignal) => touchesLock(line, isLock, isTokenLock);
  const inner = step.inner.filter(isRelevant).map((line) => redactLine(line, isLock, isTokenLock));
  const isOwn = step.inner.length === 0 && isRelevant(step.head);
  if (!isOwn && inner.length === 0 && pushes.length === 0) return undefined;
  const head = isOwn ? redactLine(step.head, isLock, isTokenLock) : nameOnly(step.head);
  return { kind: 'command', head, inner, pushes };
}

/** Whether a push is a key event of a lock, or a message on a lock's channel. */
export function isAboutLock(push: PushSignal, isLock: IsLock): boolean {
  const event = keyEventFromPush(push);
  return event ? isLock(event.db, event.key) : lockOfChannel(push.channel) !== undefined;
}

/** Reduces a push about anything but a lock to its kind of event. */
export function redactPush(push: PushSignal, isLock: IsLock): PushSignal {
  if (isAboutLock(push, isLock)) return push;
  const event = keyEventFromPush(push);
  return { ...push, channel: event ? `__keyevent@${event.db}__:${event.event}` : HIDDEN, message: HIDDEN };
}

/** Reduces a read to lock fields; undefined if it shows nothing about a lock. */
export function redactRead(
  read: KeyRead,
  isLock: IsLock,
  isToken: (value: string) => boolean = isTokenLike,
): KeyRead | undefined {
  const fields = Object.entries(read.fields);
  const isHash = read.type === 'hash' && read.pttl !== -2;
  const isShown = fields.every(([field, value]) => isHold(field, value));
  const looksLikeLock = isHash && isShown && fields.some(([field]) => field !== 'mode');
  const companions = read.companions && redactCompanions(read.companions, isToken);
  const beside = companions ? { companions } : undefined;
  if (looksLikeLock) return { ...read, ...beside };
  const hasCompanions = companions !== undefined && Object.values(companions).some((values) => values.length > 0);
  if (!isLock(read.db, read.name) && (read.subscribers ?? 0) === 0 && !hasCompanions) return undefined;
  const kept = fields.filter(([field, value]) => isHold(field, value));
  const rest = fields.length > kept.length ? [[HIDDEN, HIDDEN]] : [];
  return { ...read, fields: Object.fromEntries([...kept, ...rest]), ...beside };
}

/** Reduces the values of the keys beside a lock to holders, numbers, permit ids and tokens. */
function redactCompanions(companions: Companions, isToken: (value: string) => boolean): Companions {
  const kept = Object.entries(companions).map(([role, values]) => {
    if (role === 'library') return [role, values] as const;
    if (role === 'token') return [role, values.map((value) => (isToken(value) ? value : HIDDEN))] as const;
    return [role, values.filter(isHolderOrNumber)] as const;
  });
  return Object.fromEntries(kept);
}

function isHolderOrNumber(text: string): boolean {
  return parseHolder(text) !== undefined || /^-?[\d.e+]{1,25}$/.test(text) || permitIdFrom(text) !== undefined;
}

function isHold(field: string, value: string): boolean {
  if (field === 'mode') return MODE.test(value);
  return (isHolder(holderOfField(field)) && /^\d{1,15}$/.test(value)) || isGroupLockField(field, value);
}

/** A lock script with its keys, holders, numbers and channels; its other arguments are hidden. */
export function redactLockScript(step: CommandStep): CommandStep {
  const keys = scriptCallFromHead(step.head)?.keys ?? [];
  const own = ownWords(recogniseScript(step) ?? []);
  const hasPermits = keys.some((key) => keys.includes(lockOfDeadlinesKey(key) ?? ''));
  const isPermit = (word: string) => hasPermits && releasedIdFrom(word) !== undefined;
  const isOwn = (word: string) =>
    own.has(parseValueField(word)?.value ?? word) || isField(word) || isTimeoutOf(word, keys) || isPermit(word);
  const shown = (line: LineSignal, isKept: boolean): LineSignal => {
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

/** Whether a key is a reader's timeout key of one of these locks. */
function isTimeoutOf(key: string, locks: readonly string[]): boolean {
  const timeout = parseReadTimeoutKey(key);
  return timeout !== undefined && locks.some((lock) => isDerivedFrom(lock, timeout.lock));
}

const MODE = /^(mode|read|write)$/;

/** Words that are lock fields only because of how a script or command used them: tokens, and channels of other libraries. */
function ownWords(actions: readonly Action[]): ReadonlySet<string> {
  const words = new Set<string>();
  for (const action of actions) {
    if ('values' in action) for (const each of action.values) words.add(typeof each === 'string' ? each : each.value);
    if (action.do === 'group-renew') for (const value of action.asked) words.add(value);
    if (action.do === 'token-wake') words.add(action.lock).add(action.channel).add(action.message);
    else if (isTokenAction(action)) words.add(action.lock).add(action.token ?? action.lock);
  }
  if (words.size > 0) for (const option of SET_OPTIONS) words.add(option).add(option.toLowerCase());
  return words;
}

const SET_OPTIONS = ['NX', 'XX', 'PX', 'EX', 'IFEQ'];

type TokenDid = Exclude<Extract<Action, { do: `token-${string}` }>, { do: 'token-wake' }>;

function isTokenAction(action: Action): action is TokenDid {
  return action.do.startsWith('token-') && action.do !== 'token-wake';
}

const OWN_PREFIX = /^redisson_[a-z_]+[:{]/;
const NUMBER = /^-?\d{0,20}$/;
const SHA = /^(?:<script )?[0-9a-f]{40}>?$/i;
const PUBLISH = /^(s?publish|px)$/i;

/** Whether a word is an argument of Redisson's own scripts that does not depend on the lock's name. */
function isField(word: string): boolean {
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

function touchesLock(line: LineSignal, isLock: IsLock, isTokenLock: IsLock): boolean {
  return recogniseCommand(line).some((action) => {
    switch (action.do) {
      case 'delete':
      case 'set-expiry':
        return isLock(line.db, action.key);
      case 'token-try':
        return isTokenLock(line.db, action.lock) || (action.ifKeyIs === 'any' && isLock(line.db, action.lock));
      case 'queue-edit':
        return isLock(line.db, line.words[1] ?? '');
      case 'subscribe':
      case 'unsubscribe':
        return action.channels.some((channel) => lockOfChannel(channel));
      case 'publish':
        return lockOfChannel(action.channel) !== undefined;
      case 'flush':
      case 'swap':
      case 'unsubscribe-all':
      case 'date-client':
        return true;
      default:
        return false;
    }
  });
}

const EXPIRY = /^P?EXPIRE(AT)?$/i;
const ON_CHANNELS = /^S?(UN)?SUBSCRIBE$/i;
const SWAP = /^SWAPDB$/i;
const TO_CHANNEL = /^S?PUBLISH$/i;

/** Words that change what a command does to a key. */
const OPTIONS = /^(NX|XX|GT|LT|REPLACE)$/i;

function redactLine(line: LineSignal, isLock: IsLock, isTokenLock: IsLock): LineSignal {
  const [name = '', first = '', ...more] = line.words;
  const shownField = (word: string) =>
    isLock(line.db, word) || isHolder(holderOfField(word)) || OPTIONS.test(word) ? word : shownLatch(word);
  const shownChannel = (channel: string) => (lockOfChannel(channel) ? channel : HIDDEN);
  const arguments_ = line.words.slice(1);
  const own = ownWords(
    recogniseCommand(line).filter((action) => isTokenAction(action) && isTokenLock(line.db, action.lock)),
  );
  if (own.size > 0) {
    return { ...line, words: line.words.map((word, n) => (n === 0 || own.has(word) || isField(word) ? word : HIDDEN)) };
  }
  if (arguments_.length === 0) return line;
  if (SWAP.test(name))
    return { ...line, words: [name, ...arguments_.map((word) => (/^\d{1,9}$/.test(word) ? word : HIDDEN))] };
  if (ON_CHANNELS.test(name)) return { ...line, words: [name, ...arguments_.map(shownChannel)] };
  if (TO_CHANNEL.test(name) && lockOfChannel(first)) return line;
  if (QUEUE_COMMANDS.includes(name.toUpperCase()) && isLock(line.db, first)) {
    return { ...line, words: [name, first, ...more.map((word) => (isField(word) ? word : HIDDEN))] };
  }
  if (EXPIRY.test(name) && isLock(line.db, first)) {
    const shown = more.map((word) => (/^-?\d{1,17}$/.test(word) || OPTIONS.test(word) ? word : HIDDEN));
    return { ...line, words: [name, first, ...shown] };
  }
  return { ...line, words: [name, ...arguments_.map(shownField)] };
}

/** Hides an unlock latch, except for the client's uuid if its name ends with one. */
function shownLatch(key: string): string {
  const [, client] = LATCH_OF_CLIENT.exec(key) ?? [];
  return client === undefined ? HIDDEN : prefixName('redisson_unlock_latch', HIDDEN) + client;
}

const LATCH_OF_CLIENT = /^redisson_unlock_latch:.*(:[0-9a-f]{8}-[0-9a-f-]{27})$/s;

/** Hides the arguments of a command that is kept only for what it caused. */
function nameOnly(line: LineSignal): LineSignal {
  return line.words.length < 2 ? line : { ...line, words: [line.words[0] ?? '', HIDDEN] };
}
