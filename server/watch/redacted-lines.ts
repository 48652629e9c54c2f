import { isDerivedFrom, lockOfChannel, parseReadTimeoutKey } from '../../shared/events/names.ts';
import { companionFrom } from '../../shared/events/recognise/families.ts';
import { recogniseCommand } from '../../shared/events/recognise/plain-command.ts';
import { recogniseScript } from '../../shared/events/recognise/recognise-script.ts';
import { isTokenLike } from '../../shared/events/recognise/token-libraries.ts';
import { HIDDEN, isAboutLock, redactLockScript, redactRead } from '../../shared/recording/redact-step.ts';
import { formatLine } from '../../shared/signals/monitor-line.ts';
import type { LineSignal } from '../../shared/signals/signal.ts';
import type { Step } from '../../shared/signals/step.ts';

/**
 * The Redis lines behind an event of `lock`, fit to leave the worker: a lock script's own arguments are lock fields
 * and stay; of any other command only its name, this lock's name and plain numbers do.
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
      return [...[head, ...inner].map(shown), ...pushes.map((push) => `> ${push.channel} ${push.message}`)];
    }
    case 'push':
      return [`> ${step.channel} ${step.message}`];
    case 'bookmark':
      return step.reads
        .filter((read) => read.name === lock)
        .map((read) => {
          const { fields = {}, companions = {} } = redactRead(read, isOurs) ?? {};
          const beside = Object.entries(companions).map(([role, values]) => `, ${role} ${JSON.stringify(values)}`);
          const own = `${read.type} ${JSON.stringify(fields)}, pttl ${read.pttl}`;
          return `snapshot db${read.db} ${JSON.stringify(read.name)}: ${own}${beside.join('')}`;
        });
    case 'failover':
      return [`${step.how === 'promoted' ? 'failover' : 'restart'}: ${step.from} → ${step.to}`];
    case 'blind-spot':
      return [`blind spot ${step.phase}: ${step.reason}`];
    case 'clients':
      return [`CLIENT LIST: ${step.clients.length} connections`];
  }
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

/** The token that a plain command tries a lock with, where it is surely none of an application's values. */
function tokensOf(line: LineSignal, lock: string): ReadonlySet<string> {
  const found = recogniseCommand(line).flatMap((action) =>
    action.do === 'token-try' && action.lock === lock && isTokenLike(action.token ?? '') ? [action.token ?? ''] : [],
  );
  return new Set(found);
}

/** Whether a key is a lock's own, or one its kind keeps beside it. */
function isOf(key: string, lock: string): boolean {
  return key === lock || [companionFrom(key), parseReadTimeoutKey(key)].some((of) => isDerivedFrom(lock, of?.lock));
}

/** A number after these may be an application's value. */
function isValueCommand(line: LineSignal): boolean {
  return /^(SET|SETEX|PSETEX|RESTORE|EVAL|EVALSHA|FCALL)/i.test(line.words[0] ?? '');
}
