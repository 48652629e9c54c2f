import type { LineSignal } from '../../signals/signal.ts';
import { type CommandStep, scriptCallFromHead } from '../../signals/step.ts';
import { isLatchKey } from '../names.ts';

/**
 * A script as recognisers see it: what it was given, and what it ran.
 *
 *   EVALSHA … 1 orders:42 30000 uuid:1      keys, args
 *     exists orders:42                      lines[0]    names[0] exists
 *     hexists orders:42 uuid:1              lines[1]    names[1] hexists      shape  "exists hexists pttl"
 *     pttl orders:42                        lines[2]    names[2] pttl
 *
 * Lines about the unlock latch, which may stand anywhere, and the choice of a database are left out.
 */
export type ScriptRun = {
  readonly head: LineSignal;
  readonly keys: readonly string[];
  readonly args: readonly string[];
  readonly lines: readonly LineSignal[];
  /** The command of each line, in lower case. */
  readonly names: readonly string[];
  /** The names, with a blank between. */
  readonly shape: string;
};

/** The script of a step; undefined for a plain command, or a call without a key. */
export function scriptRunOf(step: CommandStep): ScriptRun | undefined {
  if (step.inner.length === 0) return undefined;
  const call = scriptCallFromHead(step.head);
  if (!call || call.keys.length === 0) return undefined;
  const lines: LineSignal[] = [];
  const names: string[] = [];
  let shape = '';
  for (const line of step.inner) {
    if (isLatchKey(line.words[1] ?? '')) continue;
    const name = commandOf(line);
    if (name === 'select') continue;
    shape = lines.length === 0 ? name : `${shape} ${name}`;
    lines.push(line);
    names.push(name);
  }
  return { head: step.head, keys: call.keys, args: call.args, lines, names, shape };
}

const MOST_NAMES = 500;
const knownNames = new Map<string, string>();

/** A line's command in lower case, the same string for the same command. */
export function commandOf(line: LineSignal): string {
  const name = line.words[0] ?? '';
  const known = knownNames.get(name);
  if (known !== undefined) return known;
  const lower = name.toLowerCase();
  if (knownNames.size < MOST_NAMES && name.length < 20) knownNames.set(name, lower);
  return lower;
}

/** Whether a line is a message to a channel, whatever the topology spells it. */
export function isPublish(name: string | undefined): boolean {
  return name === 'publish' || name === 'spublish';
}
