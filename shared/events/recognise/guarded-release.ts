import type { Action } from '../action.ts';
import type { ScriptRun } from './script-run.ts';

/**
 * The first commands of the scripts by which Lockscope releases a lock by force. They compare the holders
 * (`server/release/held-guard.ts`), and then do what Redisson's script does:
 *
 *   time → pttl L → hlen L → hmget L h …   → del L [→ publish]     arguments: Redisson's · end of the lease · h … · their number
 *   time → pttl L → strlen L → get L       → del L                 of a lock with a token
 */
const GUARDS: readonly (readonly string[])[] = [
  ['time', 'pttl', 'hlen', 'hmget'],
  ['time', 'pttl', 'strlen', 'get'],
];
const MOST_HOLDERS = 10_000;

/** The part after the comparison; undefined if a script does not begin with one. */
function behindGuard(run: ScriptRun): ScriptRun | undefined {
  const { keys, args, lines, names } = run;
  const ownLines = lines.slice(1, 4);
  if (names[0] !== 'time' || !ownLines.every(({ words }) => words[1] === keys[0])) return undefined;
  const count = Number(args.at(-1));
  const isGuard = GUARDS.some((guard) => guard.every((name, n) => (names[n] ?? name) === name));
  if (!isGuard || !Number.isInteger(count) || count < 1 || count > MOST_HOLDERS) return undefined;
  const rest = names.slice(4);
  return { ...run, args: args.slice(0, -count - 2), lines: lines.slice(4), names: rest, shape: rest.join(' ') };
}

/**
 * What a guarded release did: what `recognise` returns for the part after the comparison; undefined for any other
 * script. Empty: other threads held the lock, so the script did nothing.
 */
export function guardedRelease(
  run: ScriptRun,
  recognise: (run: ScriptRun) => readonly Action[] | undefined,
): readonly Action[] | undefined {
  const rest = behindGuard(run);
  if (!rest) return undefined;
  const [deleted] = rest.lines;
  if (!deleted) return [];
  const [lock = ''] = run.keys;
  // without a channel, the rest is a single DEL: only the guard before it shows that this is a release by force
  const kind = run.names[2] === 'strlen' ? 'token-lock' : 'spin-lock';
  if (rest.shape === 'del' && run.keys.length === 1) {
    return [{ do: 'force-release', at: deleted.at, lock, kind, hasFound: true }];
  }
  return recognise(rest);
}
