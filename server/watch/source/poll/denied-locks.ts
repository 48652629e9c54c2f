import { textFromBinary } from '../../../../shared/base/bytes-text.ts';
import type { Interpreter } from '../../../../shared/events/interpreter.ts';
import { companionFrom } from '../../../../shared/events/kinds/kinds.ts';
import { isLockName } from '../../../../shared/events/libraries/token-found.ts';
import type { TokenMirror } from '../../../../shared/events/mirror/tokens/token-mirror.ts';
import { lockOfChannel } from '../../../../shared/events/names/names.ts';
import type { AclEntry } from '../../../redis/reads/server-logs.ts';

/** The commands that clients of Redisson's locks need. */
const OF_REDISSON = new Set([
  ...['eval', 'evalsha', 'publish', 'spublish', 'subscribe', 'ssubscribe', 'script|load', 'wait', 'waitaof'],
]);
/** The commands that acquire locks with a token, and all commands that clients of such locks need. */
const ACQUIRING = new Set(['set', 'setnx']);
const OF_TOKENS = new Set([...ACQUIRING, 'eval', 'evalsha', 'fcall', 'del', 'unlink', 'delex', 'delifeq']);

/**
 * Whether an entry of ACL LOG is about a lock, not about commands of Lockscope or another part of the application.
 * `guess`: a user may not use a command that acquires locks with a token, and such locks exist. The entry does not name
 * the key.
 */
export function deniedLock(entry: AclEntry, interpreter: Interpreter): 'sure' | 'guess' | undefined {
  const { reason, object, by, name } = entry;
  if (name === 'lockscope') return undefined;
  if (reason !== 'command') return isOfLock(entry, interpreter) ? 'sure' : undefined;
  if (OF_REDISSON.has(object) && interpreter.clients.uuidAt(by) !== undefined) return 'sure';
  if (OF_TOKENS.has(object) && hasTokenLock(interpreter, ({ tokenAt }) => tokenAt.has(by))) return 'sure';
  return ACQUIRING.has(object) && hasTokenLock(interpreter, () => true) ? 'guess' : undefined;
}

/** Whether a denied key or channel is that of a lock. */
function isOfLock({ reason, object, db }: AclEntry, { keys }: Interpreter): boolean {
  const text = textFromBinary(object);
  if (reason === 'channel') return lockOfChannel(text) !== undefined;
  if (text.startsWith('redisson_') || isLockName(text) || keys.find(db, text)) return true;
  const beside = companionFrom(text);
  return beside !== undefined && !beside.isCommonName;
}

function hasTokenLock({ keys }: Interpreter, isWanted: (tokens: TokenMirror) => boolean): boolean {
  for (const { mirrors } of keys.all()) if (mirrors?.tokens && isWanted(mirrors.tokens)) return true;
  return false;
}
