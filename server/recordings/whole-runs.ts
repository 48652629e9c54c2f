import { scriptVersionFromHead } from '../../shared/events/libraries/script-versions.ts';
import { recogniseScript } from '../../shared/events/recognise/recognise-script.ts';
import { scriptRunOf } from '../../shared/events/recognise/script-run.ts';
import type { LineSignal } from '../../shared/signals/signal.ts';

const LOCK = /^exists(?: (?:hincrby|hset)(?: pexpire)?| hexists(?: hincrby(?: pexpire)?| pttl)?)?$/;

/** The commands that a script of Redisson may run, by its operation. An error may end a script early. */
const RUNS: readonly (readonly [operation: RegExp, run: RegExp])[] = [
  [/^(?:non-reentrant )?lock\b/, LOCK],
  [/^fenced lock/, /^exists(?: hexists)?(?: incr(?: hincrby(?: pexpire)?)?| pttl)?$/],
  [/^unlock$/, /^(?:exists|(?:exists )?hexists(?: hincrby (?:pexpire|del(?: s?publish)?))?|exists s?publish)$/],
  [/^spin unlock$/, /^hexists(?: hincrby (?:pexpire|del))?$/],
  [/^renew /, /^hexists(?: p?expire)?(?: hexists(?: p?expire)?)*$/],
  [/^write lock$/, /^hget(?: hset(?: hset(?: pexpire)?)?| hexists(?: hincrby pttl(?: pexpire)?| pttl)?| pttl)?$/],
  [/^write unlock$/, /^hget(?: s?publish| hexists(?: hincrby (?:pexpire|hdel hlen (?:del s?publish|hset)))?)?$/],
  [/^read unlock/, /^hget(?: s?publish| hexists(?: hincrby h?del\b.*)?)?$/],
  [/^read (?:lock|renew)/, /^hget\b/],
  [/^fair unlock/, /^lindex\b(?:(?!.* hincrby\b)|.* hexists hincrby (?:pexpire$|del\b))/],
  [/^fair (?:lock|try-once)/, /^lindex\b(?!.*(?<!hexists )hincrby)/],
  [/^group (?:lock|try-once|unlock|renew)/, /^exists\b/],
];

/**
 * Whether the lines after the call of a script belong to the script. That can be checked only for Redisson's scripts
 * for locks: other scripts count as whole. In a text from which lines were removed, as by `grep UUID` or `grep -v del`,
 * or in which lines of two servers were sorted by time, the lines of some scripts fit no script of Redisson. The same
 * is true if the ids of holders were replaced.
 *
 *   EVALSHA 149c… 1 stock:7 30000 aaaa…:31      whole: exists, hincrby, pexpire
 *     hincrby stock:7 aaaa…:31 1                not whole: without "exists" before it
 */
export function isWholeRun([head, ...inner]: readonly LineSignal[]): boolean {
  if (!head || inner.length === 0) return true;
  const operation = scriptVersionFromHead(head)?.operation ?? '';
  const form = RUNS.find(([name]) => name.test(operation))?.[1];
  const step = { kind: 'command', head, inner, pushes: [] } as const;
  const run = form && scriptRunOf(step);
  if (!run || run.shape === '') return true;
  const isOwn = run.lines.every(({ words: [, word = ''] }) => run.keys.some((key) => word.includes(key)));
  return isOwn && form.test(run.shape) && (run.args.length === 0 || recogniseScript(step) !== undefined);
}
