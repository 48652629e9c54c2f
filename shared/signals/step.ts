import type { ServerSignal } from './server-signal.ts';
import type {
  BlindSpotSignal,
  BookmarkSignal,
  ClientsSignal,
  ConnectionSignal,
  FailoverSignal,
  LineSignal,
  NoteSignal,
  PushSignal,
  TimeSignal,
  WatchSignal,
} from './signal.ts';

/** One command that Redis ran: a plain command, or a script with everything it caused. */
export type CommandStep = {
  readonly kind: 'command';
  /** The line of the client. */
  readonly head: LineSignal;
  /** The commands the script ran, in order; empty for a plain command. */
  readonly inner: readonly LineSignal[];
  /** Messages pushed while the command ran. */
  readonly pushes: readonly PushSignal[];
};

/** All inputs of an interpreter. A recording contains them as signals. */
export type Step =
  | CommandStep
  | PushSignal
  | BookmarkSignal
  | BlindSpotSignal
  | FailoverSignal
  | ClientsSignal
  | ServerSignal
  | NoteSignal
  | WatchSignal
  | ConnectionSignal
  | TimeSignal;

const SCRIPT_COMMANDS = new Set(['EVAL', 'EVALSHA', 'EVAL_RO', 'EVALSHA_RO', 'FCALL', 'FCALL_RO']);

const LOWER_CASE = 32;
const LETTER_E = 101;
const LETTER_F = 102;

/** Whether a line calls a script, so that `lua` lines may follow it. */
export function isScriptHead(line: LineSignal): boolean {
  const name = line.words[0] ?? '';
  if (name === 'EVALSHA' || name === 'EVAL') return true; // nearly every script
  const letter = name.charCodeAt(0) | LOWER_CASE;
  if (letter !== LETTER_E && letter !== LETTER_F) return false; // returns here for nearly every line
  return SCRIPT_COMMANDS.has(name) || SCRIPT_COMMANDS.has(name.toUpperCase());
}

/** The call of a script: its KEYS and its ARGV. */
export type ScriptCall = { readonly keys: readonly string[]; readonly args: readonly string[] };

/** Reads KEYS and ARGV from the head of a script; undefined if the line is not a well-formed script call. */
export function scriptCallFromHead(head: LineSignal): ScriptCall | undefined {
  if (!isScriptHead(head)) return undefined;
  const count = Number(head.words[2]);
  if (!Number.isInteger(count) || count < 0 || 3 + count > head.words.length) return undefined;
  return { keys: head.words.slice(3, 3 + count), args: head.words.slice(3 + count) };
}

/** The SHA of a script, whether it was called by its text or by its SHA. For a function, its name in lower case. */
export function scriptShaOf(head: LineSignal): string {
  const script = head.words[1] ?? '';
  return script.startsWith('<script ') ? script.slice('<script '.length, -1) : script.toLowerCase();
}
