import { isDerivedFrom, lockOfChannel } from '../../../shared/events/names/names.ts';
import { recogniseScript } from '../../../shared/events/recognise/recognise-script.ts';
import { renewalsNotRun } from '../../../shared/events/recognise/renewal-not-run.ts';
import { isKeyOf } from '../../../shared/recording/redact/lock-words.ts';
import { isAboutLock, redactPush } from '../../../shared/recording/redact/redact-command.ts';
import { redactRead } from '../../../shared/recording/redact/redact-read.ts';
import { redactLockScript } from '../../../shared/recording/redact/redact-script.ts';
import { shownLine } from '../../../shared/recording/redact/shown-line.ts';
import { fieldEventFromPush } from '../../../shared/signals/field-message.ts';
import { cutWord, formatLine } from '../../../shared/signals/monitor-line.ts';
import type { LineSignal, PushSignal } from '../../../shared/signals/signal.ts';
import type { CommandStep, Step } from '../../../shared/signals/step.ts';

const MOST_LINES = 500;
const MOST_JSON = 8192;

/**
 * The Redis lines behind an event of `lock`, redacted so that they may leave the worker. The arguments of a lock script
 * are lock fields and stay. Of any other command, only its name, this lock's name and plain numbers stay.
 */
export function redactedLines(step: Step, lock: string): string[] {
  const isOurs = (_db: number, key: string) => isKeyOf(lock, key);
  switch (step.kind) {
    case 'command': {
      const isLockScript = recogniseScript(step) !== undefined || isRenewalNotRun(step);
      const { head, inner } = isLockScript ? redactLockScript(step) : step;
      const shown = (line: LineSignal) => formatLine(isLockScript ? line : shownLine(line, lock));
      const pushes = step.pushes.filter(
        (push) => isAboutLock(push, isOurs) || isDerivedFrom(lock, lockOfChannel(push.channel)?.name),
      );
      return firstOf([head, ...inner], shown).concat(firstOf(pushes, shownPush));
    }
    case 'push':
      // the fields of an application's hash are private
      return [shownPush(fieldEventFromPush(step) === undefined ? step : redactPush(step, isOurs))];
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
    case 'server':
      return [`reports of the server: ${shownJson({ ...step, at: undefined, kind: undefined })}`];
    case 'note':
      return [`note: ${shownJson({ ...step, at: undefined, kind: undefined })}`];
    case 'time':
      return ['time passed'];
    case 'connection':
    case 'watch':
      return [];
  }
}

/** Whether the step is a renewal whose script Redis does not have. */
function isRenewalNotRun({ head, inner }: CommandStep): boolean {
  return inner.length === 0 && renewalsNotRun(head).length > 0;
}

/** The first lines, and how many more there are: a script may run a million commands. */
function firstOf<T>(all: readonly T[], shown: (element: T) => string): string[] {
  const lines = all.slice(0, MOST_LINES).map(shown);
  return all.length > MOST_LINES ? [...lines, `… and ${all.length - MOST_LINES} more`] : lines;
}

function shownPush({ channel, message }: PushSignal): string {
  return `> ${cutWord(channel)} ${cutWord(message)}`;
}

/** Fields of a hash or items of a list as JSON, cut to 8,192 characters. */
function shownJson(values: object): string {
  const text = JSON.stringify(values);
  return text.length <= MOST_JSON ? text : `${text.slice(0, MOST_JSON)}… (${text.length} characters)`;
}
