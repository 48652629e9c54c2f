import type { LineSignal } from '../../../signals/signal.ts';
import type { Action } from '../../action.ts';
import { renewalsNotRun } from '../renewal-not-run.ts';
import { type CommandTable, type Effect, NOTHING, rowsFor } from './command-row.ts';

/** Commands on databases, channels and connections, and what clients ask the server. */
export const SERVER_COMMANDS: CommandTable = {
  ...rowsFor(['FLUSHDB', 'FLUSHALL'], onServer(flushActions)),
  SWAPDB: onServer(swapped),
  ...rowsFor(
    ['SUBSCRIBE', 'SSUBSCRIBE'],
    onServer(({ at, words }) => [{ at, do: 'subscribe', channels: words.slice(1) }]),
  ),
  ...rowsFor(['UNSUBSCRIBE', 'SUNSUBSCRIBE'], onServer(unsubscribeActions)),
  ...rowsFor(
    ['RESET', 'QUIT'],
    onServer(({ at }) => [{ at, do: 'unsubscribe-all' }]),
  ),
  ...rowsFor(['PUBLISH', 'SPUBLISH'], onServer(published)),
  WAIT: onServer((line) => waitActions(line, 'WAIT', 1)),
  WAITAOF: onServer((line) => waitActions(line, 'WAITAOF', 2)),
  INFO: onServer(infoActions),
  CLIENT: onServer(({ at, words: [, part = '', name = ''] }) =>
    part.toUpperCase() === 'SETNAME' ? [{ at, do: 'name-connection', name }] : NOTHING,
  ),
  HELLO: onServer(helloActions),
  EVALSHA: onServer(renewalsNotRun),
};

function onServer(does: Effect['does']): Effect {
  return { keys: 'none', does };
}

/** What FLUSHDB and FLUSHALL accept; any other word is a syntax error. A recording may hide the word. */
const FLUSH_OPTION = /^(A?SYNC|…)$/i;

function flushActions({ at, words }: LineSignal): readonly Action[] {
  const [name = '', option, ...more] = words;
  if (more.length > 0 || (option !== undefined && !FLUSH_OPTION.test(option))) return NOTHING;
  const command = name.toUpperCase();
  return [{ at, do: 'flush', allDatabases: command === 'FLUSHALL', command }];
}

function swapped({ at, words }: LineSignal): readonly Action[] {
  const [one, other] = [Number(words[1]), Number(words[2])];
  const isSwap = Number.isInteger(one) && Number.isInteger(other) && one !== other;
  return isSwap ? [{ at, do: 'swap', databases: [one, other], command: 'SWAPDB' }] : NOTHING;
}

function unsubscribeActions({ at, words }: LineSignal): Action[] {
  const channels = words.slice(1);
  return channels.length > 0 ? [{ at, do: 'unsubscribe', channels }] : [{ at, do: 'unsubscribe-all' }];
}

function published({ at, words }: LineSignal): Action[] {
  return [{ at, do: 'publish', channel: words[1] ?? '', message: words[2] ?? '' }];
}

/** `place`: the position of the number of replicas. The time limit follows it. */
function waitActions({ at, words }: LineSignal, command: 'WAIT' | 'WAITAOF', place: number): Action[] {
  const [replicas, limitMs] = [Number(words[place]), Number(words[place + 1])];
  return [{ at, do: 'await-replicas', command, replicas, limitMs }];
}

function infoActions({ at, words }: LineSignal): Action[] {
  const [, section = '', ...more] = words;
  const isOneSection = words.length > 1 && more.length === 0;
  return [{ at, do: 'ask-server', ...(isOneSection && { section: section.toLowerCase() }) }];
}

function helloActions({ at, words }: LineSignal): readonly Action[] {
  const found = words.findIndex((word, n) => n > 0 && word.toUpperCase() === 'SETNAME');
  return found < 0 ? NOTHING : [{ at, do: 'name-connection', name: words[found + 1] ?? '' }];
}
