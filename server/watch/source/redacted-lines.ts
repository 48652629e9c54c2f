import { companionFrom } from '../../../shared/events/kinds/kinds.ts';
import { isDerivedFrom, lockOfChannel, parseReadTimeoutKey } from '../../../shared/events/names/names.ts';
import { recogniseCommand } from '../../../shared/events/recognise/plain-command.ts';
import { recogniseScript } from '../../../shared/events/recognise/recognise-script.ts';
import { isTokenLike } from '../../../shared/events/recognise/token-libraries.ts';
import { HIDDEN, isAboutLock, redactLockScript, redactRead } from '../../../shared/recording/redact-step.ts';
import { cutWord, formatLine } from '../../../shared/signals/monitor-line.ts';
import type { LineSignal, PushSignal } from '../../../shared/signals/signal.ts';
import type { Step } from '../../../shared/signals/step.ts';

const MOST_LINES = 500;
const MOST_JSON = 8192;

/**
 * The Redis lines behind an event of `lock`, redacted so that they may leave the worker. The arguments of a lock script
 * are lock fields and stay. Of any other command, only its name, this lock's name and plain numbers stay.
 */
export function redactedLines(step: Step, lock: string): string[] {
  const isOurs = (_db: number, key: string) => isOf(key, lock);
  switch (step.kind) {
    case 'command': {
      const isLockScript = recogniseScript(step) !== undefined;
      const { head, inner } = isLockScript ? redactLockScript(step) : step;
      const shown = (line: LineSignal) => formatLine(isLockScript ? line : redacted(line, lock));
      const pushes = step.pushes.filter(
        (push) => isAboutLock(push, isOurs) || isDerivedFrom(lock, lockOfChannel(push.channel)?.name),
      );
      return firstOf([head, ...inner], shown).concat(firstOf(pushes, shownPush));
    }
    case 'push':
      return [shownPush(step)];
    case 'bookmark':
      return step.reads
        .filter((read) => read.name === lock)
        .map((read) => {
          const { fields = {}, companions = {} } = redactRead(read, isOurs) ?? {};
          const values = Object.entries(companions).map(([role, found]) => `, ${role} ${shownJson(found)}`);
          const own = `${read.type} ${shownJson(fields)}, pttl ${read.pttl}`;
          return `snapshot db${read.db} ${JSON.stringify(cutWord(read.name))}: ${own}${values.join('')}`;
        });
    case 'failover':
      return [`${step.how === 'promoted' ? 'failover' : 'restart'}: ${step.from} → ${step.to}`];
    case 'blind-spot':
      return [`blind spot ${step.phase}: ${step.reason}`];
    case 'clients':
      return [`CLIENT LIST: ${step.clients.length} connections`];
    case 'time':
      return ['time passed'];
    case 'connection':
    case 'watch':
      return [];
  }
}

/** The first lines, and how many more there are: a script may run a million commands. */
function firstOf<T>(all: readonly T[], shown: (one: T) => string): string[] {
  const lines = all.slice(0, MOST_LINES).map(shown);
  return all.length > MOST_LINES ? [...lines, `… and ${all.length - MOST_LINES} more`] : lines;
}

function shownPush({ channel, message }: PushSignal): string {
  return `> ${cutWord(channel)} ${cutWord(message)}`;
}

/** Fields of a hash or items of a list as JSON, cut to a few KB. */
function shownJson(values: object): string {
  const text = JSON.stringify(values);
  return text.length <= MOST_JSON ? text : `${text.slice(0, MOST_JSON)}… (${text.length} characters)`;
}

function redacted(line: LineSignal, lock: string): LineSignal {
  const tokens = tokensOf(line, lock);
  const isOwn = (word: string) => tokens.has(word) || (tokens.size > 0 && SET_OPTION.test(word));
  const words = line.words.map((word, index) => {
    const isOurs = isOf(word, lock) || isDerivedFrom(lock, lockOfChannel(word)?.name);
    return index === 0 || isOurs || isOwn(word) || (/^-?\d{1,15}$/.test(word) && !isValueCommand(line)) ? word : HIDDEN;
  });
  return { ...line, words };
}

const SET_OPTION = /^(NX|XX|PX|EX|IFEQ)$/i;

/** The token with which a plain command tries to acquire the lock, if it is surely not a value of the application. */
function tokensOf(line: LineSignal, lock: string): ReadonlySet<string> {
  const found = recogniseCommand(line).flatMap((action) =>
    action.do === 'token-try' && action.lock === lock && isTokenLike(action.token ?? '') ? [action.token ?? ''] : [],
  );
  return new Set(found);
}

/** Whether a key is the lock's own key or one of its companion keys. */
function isOf(key: string, lock: string): boolean {
  return key === lock || [companionFrom(key), parseReadTimeoutKey(key)].some((of) => isDerivedFrom(lock, of?.lock));
}

/** A number after these may be an application's value. */
function isValueCommand(line: LineSignal): boolean {
  return /^(SET|SETEX|PSETEX|RESTORE|EVAL|EVALSHA|FCALL)/i.test(line.words[0] ?? '');
}
