import { isHashOfJobs } from '../../events/libraries/unique-jobs.ts';
import {
  holderOfField,
  isHolder,
  isLockField,
  latchFromKey,
  lockOfChannel,
  prefixName,
} from '../../events/names/names.ts';
import { REMOVES_END, SETS_END } from '../../events/recognise/commands/ends.ts';
import { recogniseCommand } from '../../events/recognise/plain-command.ts';
import { fieldEventFromPush } from '../../signals/field-message.ts';
import { keyEventFromPush } from '../../signals/keyspace-message.ts';
import type { LineSignal, PushSignal } from '../../signals/signal.ts';
import { type CommandStep, scriptCallFromHead } from '../../signals/step.ts';
import { HIDDEN, type IsLock, isField, isTokenAction, ownWords } from './lock-words.ts';
import { redactLockScript } from './redact-script.ts';

/**
 * Reduces a command to what it means for locks; undefined if it means nothing for any lock.
 *
 * The interpreter makes the same events from the reduced command as from the whole one. A lock script keeps its keys,
 * holders, numbers and channels. Any other command keeps the locks it names, the lease it sets and the lock channels it
 * uses.
 */
export function redactCommand(
  step: CommandStep,
  isLock: IsLock,
  isLockScript: boolean,
  isTokenLock: IsTokenLock = () => false,
): CommandStep | undefined {
  const own = isLockScript ? (scriptCallFromHead(step.head)?.keys ?? []) : []; // a lock may have several keys
  const isOurs: IsLock = (db, name) => own.includes(name) || isLock(db, name);
  const pushes = step.pushes.filter((push) => isAboutLock(push, isOurs));
  if (isLockScript) return { ...redactLockScript(step), pushes };
  const isRelevant = (line: LineSignal) => touchesLock(line, isLock, isTokenLock);
  const inner = step.inner.filter(isRelevant).map((line) => redactLine(line, isLock, isTokenLock));
  const isOwn = step.inner.length === 0 && isRelevant(step.head);
  if (!isOwn && inner.length === 0 && pushes.length === 0) return undefined;
  const head = isOwn ? redactLine(step.head, isLock, isTokenLock) : nameAndTokens(step, isTokenLock);
  return { kind: 'command', head, inner, pushes };
}

/**
 * Whether a push is a key event of a lock, names the fields of holders in its hash, or is a message on a lock's
 * channel.
 */
export function isAboutLock(push: PushSignal, isLock: IsLock): boolean {
  const fields = fieldEventFromPush(push, isLock);
  if (fields === 'malformed') return false;
  // If a field may be a value of the application, the notification is left out: without its fields it shows nothing.
  if (fields) return isLock(fields.db, fields.key) && fields.fields.every(isLockField);
  const event = keyEventFromPush(push);
  return event ? isLock(event.db, event.key) : lockOfChannel(push.channel) !== undefined;
}

/** Reduces a push about anything but a lock to its kind of event. Returns a push about a lock as it is. */
export function redactPush(push: PushSignal, isLock: IsLock): PushSignal {
  if (isAboutLock(push, isLock)) return push;
  const event = keyEventFromPush(push);
  return { ...push, channel: event ? `__keyevent@${event.db}__:${event.event}` : HIDDEN, message: HIDDEN };
}

function touchesLock(line: LineSignal, isLock: IsLock, isTokenLock: IsTokenLock): boolean {
  return recogniseCommand(line).some((action) => {
    switch (action.do) {
      case 'delete':
      case 'set-expiry':
      case 'set-field-expiry':
        return isLock(line.db, action.key);
      case 'may-change':
        return action.isPlainHold === true || isLock(line.db, action.key);
      case 'arrive':
        return isLock(action.here ?? line.db, action.key);
      case 'token-try':
        return isTokenLock(line.db, action.lock) || (action.ifKeyIs === 'any' && isLock(line.db, action.lock));
      case 'token-sleep':
        return isTokenLock(line.db, action.lock ?? action.channel);
      case 'remove-members':
        return isLock(line.db, action.lock);
      case 'answer-unlock':
        return isLock(line.db, latchFromKey(action.latch)?.lock ?? '');
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
      case 'await-replicas':
      case 'ask-server':
        return true;
      default:
        return false;
    }
  });
}

const EXPIRY = /^(P?EXPIRE(AT)?|GETEX)$/i;
const FIELD_EXPIRY = /^(HP?EXPIRE(AT)?|H[GS]ETEX|HPERSIST)$/i;

const ON_CHANNELS = /^S?(UN)?SUBSCRIBE$/i;
const SWAP = /^SWAPDB$/i;
const TO_CHANNEL = /^S?PUBLISH$/i;
const SERVER_COMMAND = /^(WAIT|WAITAOF|INFO)$/i;
const SECTION = /^(ALL|REPLICATION)$/i;
const isPlain = (word: string) => /^\d{1,9}$/.test(word) || SECTION.test(word);

/** Words that change what a command does to a key. */
const OPTIONS = /^(NX|XX|GT|LT|REPLACE|DB|GET|KEEPTTL|IF(D?EQ|D?NE)|A?SYNC|FIELDS|F[NX]X)$/i;

/** Whether a key is a lock with a token; with `heldBy`: whether this token holds it. */
type IsTokenLock = (db: number, name: string, heldBy?: string) => boolean;

/** The tokens that a command writes into a key that already has them, because they hold that lock. */
function tokensSetAgain(line: LineSignal, isTokenLock: IsTokenLock): string[] {
  return recogniseCommand(line).flatMap((action) => {
    const value = action.do === 'delete' ? action.value : undefined;
    return action.do === 'delete' && value !== undefined && isTokenLock(line.db, action.key, value) ? [value] : [];
  });
}

/** Jobs that a command removes from the hash of jobs that hold a lock. */
function jobsDeleted(line: LineSignal): readonly string[] {
  return recogniseCommand(line).flatMap((action) =>
    action.do === 'delete' && isHashOfJobs(action.key) ? (action.holders ?? []) : [],
  );
}

/** The locks that appear because a command moves or copies them, perhaps to another database. */
function arrivingLocks(line: LineSignal, isLock: IsLock): string[] {
  const arrivals = recogniseCommand(line).filter((action) => action.do === 'arrive');
  return arrivals.filter(({ key, here }) => isLock(here ?? line.db, key)).map(({ key }) => key);
}

function isQueueEdit(line: LineSignal): boolean {
  return recogniseCommand(line).some((action) => action.do === 'queue-edit');
}

/** The index of the word that is the number of a database: after MOVE and its key, or after the option DB of COPY. */
function placeOfDatabase([name = '', ...words]: readonly string[]): number | undefined {
  if (/^MOVE$/i.test(name)) return 2;
  const option = /^COPY$/i.test(name) ? words.findLastIndex((word, n) => n > 1 && /^DB$/i.test(word)) : -1;
  return option < 0 ? undefined : option + 2;
}

function redactLine(line: LineSignal, isLock: IsLock, isTokenLock: IsTokenLock): LineSignal {
  const [name = '', first = '', ...more] = line.words;
  const jobs = jobsDeleted(line);
  const shownField = (word: string) =>
    jobs.includes(word) || isLock(line.db, word) || isHolder(holderOfField(word)) || OPTIONS.test(word)
      ? word
      : shownLatch(word, line.db, isLock);
  const shownChannel = (channel: string) => (lockOfChannel(channel) ? channel : HIDDEN);
  const arguments_ = line.words.slice(1);
  const own = ownWords(
    recogniseCommand(line).filter(
      (action) =>
        (isTokenAction(action) && isTokenLock(line.db, action.lock)) ||
        (action.do === 'token-sleep' && isTokenLock(line.db, action.lock ?? action.channel)) ||
        (action.do === 'remove-members' && isLock(line.db, action.lock)),
    ),
  );
  if (own.size > 0) {
    const isKey = (word: string, n: number) => n === 1 && isLock(line.db, word);
    return {
      ...line,
      words: line.words.map((word, n) => (n === 0 || isKey(word, n) || own.has(word) || isField(word) ? word : HIDDEN)),
    };
  }
  if (arguments_.length === 0) return line;
  if (recogniseCommand(line).some((action) => action.do === 'may-change' && action.isPlainHold)) {
    return { ...line, words: [name, first, ...more.map((word) => (isField(word) ? word : HIDDEN))] };
  }
  if (SWAP.test(name) || SERVER_COMMAND.test(name)) {
    return { ...line, words: [name, ...arguments_.map((word) => (isPlain(word) ? word : HIDDEN))] };
  }
  if (ON_CHANNELS.test(name)) return { ...line, words: [name, ...arguments_.map(shownChannel)] };
  if (TO_CHANNEL.test(name) && lockOfChannel(first)) return line;
  if (isQueueEdit(line) && isLock(line.db, first)) {
    return { ...line, words: [name, first, ...more.map((word) => (isField(word) ? word : HIDDEN))] };
  }
  if (EXPIRY.test(name) && isLock(line.db, first)) {
    const shownForms = [/^-?\d{1,19}$/, OPTIONS, SETS_END, REMOVES_END];
    const isShown = (word: string) => shownForms.some((form) => form.test(word));
    const shown = more.map((word) => (isShown(word) ? word : HIDDEN));
    return { ...line, words: [name, first, ...shown] };
  }
  if (FIELD_EXPIRY.test(name) && isLock(line.db, first)) {
    const isShown = (word: string) =>
      isField(word) || OPTIONS.test(word) || SETS_END.test(word) || REMOVES_END.test(word);
    return { ...line, words: [name, first, ...more.map((word) => (isShown(word) ? word : HIDDEN))] };
  }
  const place = placeOfDatabase(line.words);
  const arrived = arrivingLocks(line, isLock);
  const tokens = tokensSetAgain(line, isTokenLock);
  const isSet = /^SET$/i.test(name);
  const isSetEx = /^P?SETEX$/i.test(name);
  const isEnd = (word: string, n: number) =>
    (isSetEx && n === 1 && /^\d{1,19}$/.test(word)) ||
    (isSet && n > 1 && (SETS_END.test(word) || /^\d{1,19}$/.test(word)));
  const isShown = (word: string, n: number) =>
    arrived.includes(word) || tokens.includes(word) || (n + 1 === place && isPlain(word)) || isEnd(word, n);
  return { ...line, words: [name, ...arguments_.map((word, n) => (isShown(word, n) ? word : shownField(word)))] };
}

/** Hides an unlock latch of an unknown lock, except for the client's uuid if its name ends with one. */
function shownLatch(key: string, db: number, isLock: IsLock): string {
  if (isLock(db, latchFromKey(key)?.lock ?? '')) return key;
  const [, client] = LATCH_OF_CLIENT.exec(key) ?? [];
  return client === undefined ? HIDDEN : prefixName('redisson_unlock_latch', HIDDEN) + client;
}

const LATCH_OF_CLIENT = /^redisson_unlock_latch:.*(:[0-9a-f]{8}-[0-9a-f-]{27})$/s;

/**
 * The head of a script that is kept only for what it caused. Its arguments are hidden, except for tokens of a lock
 * whose value it replaced.
 */
function nameAndTokens({ head, inner }: CommandStep, isTokenLock: IsTokenLock): LineSignal {
  const [name = '', ...hidden] = head.words;
  if (hidden.length === 0) return head;
  const replaced = inner.flatMap((line) =>
    recogniseCommand(line).flatMap((action) => (action.do === 'delete' ? { db: line.db, key: action.key } : [])),
  );
  const tokens = head.words.slice(3).filter((word) => replaced.some(({ db, key }) => isTokenLock(db, key, word)));
  return { ...head, words: [name, HIDDEN, ...(tokens.length > 0 ? [HIDDEN, ...tokens] : [])] };
}
