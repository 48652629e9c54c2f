import { byName } from '../../base/by-name.ts';
import type { Companions } from '../../events/kinds/companion.ts';
import { isTokenLike } from '../../events/libraries/token-libraries.ts';
import { isHashOfJobs } from '../../events/libraries/unique-jobs.ts';
import { permitIdFrom } from '../../events/names/counter-names.ts';
import { parseHolder } from '../../events/names/names.ts';
import type { KeyRead } from '../../signals/signal.ts';
import { HIDDEN, type IsLock, isHold } from './lock-words.ts';

/** Reduces a read to lock fields; undefined if it shows nothing about a lock. */
export function redactRead(
  read: KeyRead,
  isLock: IsLock,
  isToken: (value: string) => boolean = isTokenLike,
): KeyRead | undefined {
  const fields = Object.entries(read.fields);
  // each field is the id of a job; the values show nothing about the lock
  if (isHashOfJobs(read.name)) return { ...read, fields: byName(fields.map(([job]) => [job, HIDDEN] as const)) };
  const isHash = read.type === 'hash' && read.pttl !== -2;
  const isShown = fields.every(([field, value]) => isHold(field, value));
  const looksLikeLock = isHash && isShown && fields.some(([field]) => field !== 'mode');
  const companions = read.companions && redactCompanions(read.companions, isToken);
  const beside = companions ? { companions } : undefined;
  if (looksLikeLock) return { ...read, ...beside };
  const hasCompanions = companions !== undefined && Object.values(companions).some((values) => values.length > 0);
  if (!isLock(read.db, read.name) && (read.subscribers ?? 0) === 0 && !hasCompanions) return undefined;
  const kept = fields.filter(([field, value]) => isHold(field, value));
  const rest = fields.length > kept.length ? [[HIDDEN, HIDDEN] as const] : [];
  return { ...read, fields: byName([...kept, ...rest]), ...beside };
}

/** Reduces the values of the keys beside a lock to holders, numbers, permit ids and tokens. */
function redactCompanions(companions: Companions, isToken: (value: string) => boolean): Companions {
  const kept = Object.entries(companions).map(([role, values]) => {
    if (role === 'library') return [role, values] as const;
    if (role === 'token') return [role, values.map((value) => (isToken(value) ? value : HIDDEN))] as const;
    return [role, values.filter(isHolderOrNumber)] as const;
  });
  return Object.fromEntries(kept);
}

function isHolderOrNumber(text: string): boolean {
  return parseHolder(text) !== undefined || /^-?[\d.e+]{1,25}$/.test(text) || permitIdFrom(text) !== undefined;
}
