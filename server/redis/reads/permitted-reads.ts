import { binaryFromText } from '../../../shared/base/bytes-text.ts';
import type { Right } from '../../../shared/doctor/rights/rights.ts';
import type { Companion } from '../../../shared/events/kinds/companion.ts';
import type { Capabilities } from '../connection/capabilities.ts';
import { RedisError, type Reply } from '../connection/reply.ts';
import { isRefusal, type RefusedRights } from '../rights/refused-rights.ts';
import type { KeyToRead } from './key-reads.ts';

/** Whether a reply, or one in the reply to EXEC, shows that this user may not run a command. */
export function hasRefusal(reply: Reply): boolean {
  if (Array.isArray(reply)) return reply.some(hasRefusal);
  return reply instanceof RedisError && isRefusal(reply);
}

/** What can be read in addition to the keys, without what this user may not read. */
export function abilitiesOf(capabilities: Capabilities, rights: RefusedRights): Capabilities {
  const mayCount = rights.mayRun('pubsub|numsub') && (!capabilities.isSharded || rights.mayRun('pubsub|shardnumsub'));
  return {
    ...capabilities,
    canCountListeners: capabilities.canCountListeners && mayCount,
    showsRole: capabilities.showsRole === true && rights.mayRun('info'),
  };
}

/** The commands that read companions of each type. */
const COMPANION_RIGHTS = {
  list: ['lrange', 'llen'],
  zset: ['zrange', 'zcard'],
  string: ['getrange'],
} as const satisfies Readonly<Record<Companion['type'], readonly Right[]>>;

/**
 * A key with the companions that may be read; undefined if the key itself may not. The own key of a lock that is not a
 * hash is one of its companions: without it, a read would show that the lock is gone.
 */
export function permittedPart(key: KeyToRead, rights: RefusedRights): KeyToRead | undefined {
  const mayRead = (name: string) => rights.mayRead(binaryFromText(name));
  if (key.movedTo !== undefined || key.companions === undefined) {
    return key.movedTo !== undefined || mayRead(key.name) ? key : undefined;
  }
  const isPermitted = ({ type, keyOf }: Companion) =>
    COMPANION_RIGHTS[type].every((right) => rights.mayRun(right)) && mayRead(keyOf(key.name));
  const companions = key.companions.filter(isPermitted);
  const isWhole = key.companions.every((companion) => !companion.isOwnKey || companions.includes(companion));
  return mayRead(key.name) && isWhole ? { ...key, companions } : undefined;
}
