import { plusMillis, type RedisTime, redisTime } from '../../../base/time.ts';
import { redisMillis } from '../../libraries/redis-millis.ts';

/** Options of GETEX, HGETEX and HSETEX that set or remove an end. */
export const SETS_END = /^[EP]X(?:AT)?$/i;
export const REMOVES_END = /^PERSIST$/i;

/** The end that a command of EXPIRE's family or an option of GETEX sets; undefined if Redis rejects the number. */
export function expiryOf(command: string, at: RedisTime, text: string): RedisTime | undefined {
  const isInstant = command.endsWith('AT');
  const ms = redisMillis(text, /^H?P/.test(command) ? 1 : 1000, isInstant ? undefined : at);
  if (ms === undefined) return undefined;
  return isInstant ? redisTime(ms * 1000) : plusMillis(at, ms);
}

const CONDITIONS: ReadonlySet<string> = new Set(['NX', 'XX', 'GT', 'LT']);

/** Whether Redis accepts these options of EXPIRE: NX alone, or XX with GT or LT. */
export function areConditions(words: readonly string[]): boolean {
  if (words.length === 0) return true;
  if (!words.every((word) => CONDITIONS.has(word))) return false;
  const isNx = words.includes('NX');
  return isNx ? words.every((word) => word === 'NX') : !(words.includes('GT') && words.includes('LT'));
}
