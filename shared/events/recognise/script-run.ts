import type { LineSignal } from '../../signals/signal.ts';
import { type CommandStep, type ScriptCall, scriptCallFromHead } from '../../signals/step.ts';
import { isLatchKey } from '../names/names.ts';

/**
 * A script as recognisers see it: its arguments, and the commands it ran.
 *
 *   EVALSHA … 1 orders:42 30000 uuid:1      keys, args
 *     exists orders:42                      lines[0]    names[0] exists
 *     hexists orders:42 uuid:1              lines[1]    names[1] hexists      shape  "exists hexists pttl"
 *     pttl orders:42                        lines[2]    names[2] pttl
 *
 * SELECT and lines on the unlock latch, which may be anywhere in the script, are left out. So is the number of the
 * database in the arguments of a script that begins with SELECT: `EVAL … 1 stock:7 0 TOKEN 4000` has the arguments of
 * any Redlock.
 */
export type ScriptRun = {
  readonly head: LineSignal;
  readonly keys: readonly string[];
  readonly args: readonly string[];
  readonly lines: readonly LineSignal[];
  /** The command of each line, in lower case. */
  readonly names: readonly string[];
  /** The names, joined by spaces. */
  readonly shape: string;
};

/** The script of a step; undefined for a plain command, or if the script used no key. */
export function scriptRunOf(step: CommandStep): ScriptRun | undefined {
  if (step.inner.length === 0) return undefined;
  const call = scriptCallFromHead(step.head);
  if (!call) return undefined;
  let some: LineSignal[] | undefined; // a new list only if a line is left out
  let form = NOTHING_RUN;
  let n = 0;
  for (const line of step.inner) {
    const longer = isLatchKey(line.words[1] ?? '') ? form : formAfter(form, line.words[0] ?? '');
    if (longer === form) some ??= step.inner.slice(0, n);
    else some?.push(line);
    form = longer;
    n++;
  }
  const lines = some ?? step.inner;
  form.spelled ??= spelledOut(form);
  const { names, shape } = form.spelled;
  const own = { keys: call.keys, args: argsWithoutDatabase(call.args, step.inner[0]) };
  const isPlain = own.keys.length === 1 && lines[0]?.words[1] === own.keys[0]; // most scripts: both steps return it as it is
  const { keys, args } = isPlain ? own : withDerivedKey(keysAsUsed(own, lines), lines);
  return keys.length === 0 ? undefined : { head: step.head, keys, args, lines, names, shape };
}

/**
 * The keys and arguments as the script used them: applications' own scripts often pass both in one list.
 *
 *   EVAL … 0 lock:a TOKEN 5000     EVAL … 3 lock:a 5000 TOKEN     their lines use only lock:a as a key
 *   EVAL … 2 lock:a TOKEN 5000     a line sets TOKEN as the value of lock:a
 *
 * Their order is not known, so the token is placed before the numbers.
 */
function keysAsUsed({ keys, args }: ScriptCall, lines: readonly LineSignal[]): ScriptCall {
  const [first] = lines;
  if (!first) return { keys, args };
  const [, key = ''] = first.words;
  const isValue = () =>
    lines.some(({ words }) => words[1] === key && words[2] === keys[1] && SETS.test(words[0] ?? ''));
  const isTogether = keys.length === 0 || (keys.length > 1 && (args.length === 0 || isValue()));
  if (!isTogether) return { keys, args };
  const together = [...keys, ...args];
  const isOnlyKey = together.includes(key) && lines.every(({ words }) => words[1] === key);
  if (!isOnlyKey) return { keys, args };
  const others = together.filter((word) => word !== key);
  return {
    keys: [key],
    args: [...others.filter((word) => !NUMBER.test(word)), ...others.filter((word) => NUMBER.test(word))],
  };
}

const NUMBER = /^-?\d+$/;
const SETS = /^SET(?:NX)?$/i;

/**
 * The key that a script used instead of the one in its call, if it added something to that name. A key whose name
 * contains an argument, for example the count of one holder, is not the lock's own key.
 *
 *   EVAL … 1 orders TOKEN 5000     its lines use {orders} and {orders}:count:TOKEN: the key is {orders}
 */
function withDerivedKey(call: ScriptCall, lines: readonly LineSignal[]): ScriptCall {
  const [name = ''] = call.keys;
  if (call.keys.length !== 1 || name === '' || lines.some(({ words }) => words[1] === name)) return call;
  const derived = lines.find(({ words: [, key = ''] }) => !isBeside(key, call.args))?.words[1];
  if (derived === undefined || !derived.includes(name)) return call;
  const isOnlyKey = lines.every(({ words: [, key = ''] }) => key === derived || isBeside(key, call.args));
  return isOnlyKey ? { ...call, keys: [derived] } : call;
}

/**
 * Whether the name of a key contains an argument of 16 characters or more, for example the token of its holder. A
 * recording hides such a name as `…`.
 */
export function isBeside(key: string, args: readonly string[]): boolean {
  return key === '…' || args.some((arg) => arg.length >= SHORTEST_TOKEN && key.includes(arg));
}

const SHORTEST_TOKEN = 16;

/** The arguments without the database. A script that selects a database gets it as the first or last argument. */
function argsWithoutDatabase(args: readonly string[], first: LineSignal | undefined): readonly string[] {
  if (first === undefined || !isSelect(first)) return args;
  const [, database] = first.words;
  if (args[0] === database) return args.slice(1);
  return args.at(-1) === database ? args.slice(0, -1) : args;
}

/** Whether a line selects a database. */
export function isSelect({ words }: LineSignal): boolean {
  return words[0]?.length === 'select'.length && words[0].toLowerCase() === 'select';
}

/** The command names that a script ran so far: scripts that ran the same commands share one form. */
type Form = {
  readonly before: Form | undefined;
  readonly name: string;
  /** The next forms, by the next command as MONITOR shows it. */
  readonly longer: Map<string, Form>;
  /** The names and the shape of this form, computed when a script first ends with it. */
  spelled?: Pick<ScriptRun, 'names' | 'shape'>;
};

const NOTHING_RUN: Form = { before: undefined, name: '', longer: new Map() };
const MOST_FORMS = 2000;
let forms = 0;

/** The form with one more command; SELECT does not change it. */
function formAfter(form: Form, command: string): Form {
  const known = form.longer.get(command);
  if (known) return known;
  const name = command.toLowerCase();
  const longer = name === 'select' ? form : { before: form, name, longer: new Map() };
  if (forms < MOST_FORMS && command.length < LONGEST_COMMAND) {
    form.longer.set(command, longer);
    forms++;
  }
  return longer;
}

const LONGEST_COMMAND = 20;

function spelledOut(form: Form): Pick<ScriptRun, 'names' | 'shape'> {
  const names: string[] = [];
  for (let step = form; step.before; step = step.before) names.push(step.name);
  names.reverse();
  return { names, shape: names.join(' ') };
}

/** Whether a command publishes a message: PUBLISH, or SPUBLISH in a cluster. */
export function isPublish(name: string | undefined): boolean {
  return name === 'publish' || name === 'spublish';
}
