import type { LineSignal } from '../../shared/signals/signal.ts';
import { nameOf } from './names.ts';
import type { Content } from './redis-model.ts';
import type { Copy } from './replay.ts';

/** The clock of Redis and the time of a line differ by up to this, in microseconds. */
export const CLOCK = 3000;

/**
 * When a step began, and its lines. `slack`: by how much the key may have ended before its computed end (microseconds).
 */
type Moment = { readonly at: number; readonly lines: readonly LineSignal[]; readonly slack: number };

/**
 * Whether Redis had expired a key when the lines of a step ran, if Redis publishes no expiry. Near the end of the key,
 * only the next command of a script can show it. Without that, the key counts as existing.
 */
export function isOver({ content, expiresAt }: Copy, name: string, { at, lines, slack }: Moment): boolean {
  // a script runs at one instant of Redis's clock, somewhat before its first line
  const latest = Math.max(at, lines[0]?.at ?? at);
  if (expiresAt === null || expiresAt > latest + CLOCK + slack) return false;
  if (expiresAt < at - CLOCK) return true;
  const n = lines.findIndex(({ words }) => words[1] === name);
  const [look, next] = [lines[n]?.words ?? [], lines[n + 1]?.words ?? []];
  const isNext = (command: string) => nameOf(next) === command && next[1] === name;
  // a force-unlock deletes the key, and publishes only if there was one
  if (nameOf(look) === 'del' && lines[n]?.client === null)
    return !lines.some(({ words }) => nameOf(words).endsWith('publish'));
  // the renewal of a reader reads its count, other renewals ask whether their field exists
  if (nameOf(look) === 'hget' && look[2] !== 'mode' && hasField(content, look[2])) return !isNext('pexpire');
  if (lines.length === 1) return isRefusedRenewal(look, lines[n], content);
  if (nameOf(look) === 'exists') return !isNext('hexists');
  if (nameOf(look) === 'hget') return isNext('hset') || nameOf(next) === 'publish';
  return nameOf(look) === 'hexists' && hasField(content, look[2]) && !isNext('hincrby') && !isNext('pexpire');
}

/** Whether a renewal found its hold and yet did not set its lease. */
function isRefusedRenewal(look: readonly string[], line: LineSignal | undefined, content: Content): boolean {
  return line?.client === null && nameOf(look) === 'hexists' && hasField(content, look[2]);
}

function hasField(content: Content, field = ''): boolean {
  return content.type === 'hash' && content.fields.has(field);
}
