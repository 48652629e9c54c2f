import { readFileSync } from 'node:fs';
import type { RunningRedis } from './servers/redis.ts';

/*
 * The user that docs/operating.md recommends: it sees everything at every level, and may not write. Its further rule
 * for --allow-release is left out here: `release-lock.live.test.ts` tries it.
 */

const GUIDE = new URL('../../docs/operating.md', import.meta.url);

/** The rules of the guide, as words of ACL SETUSER. */
export const RULES = [...readFileSync(GUIDE, 'utf8').matchAll(/^ACL SETUSER lockscope ([^#\n]*)(.*)$/gm)]
  .filter(([, , use]) => !use?.includes('--allow-release'))
  .map(([, rules]) => String(rules).replace('>PASSWORD', '>pw').trim().split(/\s+/));

/** Makes the recommended user on this server. Returns the URL with its login. */
export async function makeRecommendedUser({ command, port }: RunningRedis): Promise<string> {
  for (const rules of RULES) {
    const set = (words: readonly string[]) => command('ACL', 'SETUSER', 'lockscope', ...words);
    // Redis 6.0 has no rules for channels.
    await set(rules).catch(() => set(rules.filter((word) => !/^&|channels$/.test(word))));
  }
  return `redis://lockscope:pw@127.0.0.1:${port}`;
}

/** The commands, keys and channels that Redis denied, without ACL, by which Lockscope asks for its own rights. */
export async function deniedBy({ command }: RunningRedis): Promise<unknown[]> {
  const reply = await command('ACL', 'LOG');
  const objects = [...JSON.stringify(reply).matchAll(/"object"[,:]"([^"]*)"/g)].map(([, object]) => object);
  return objects.filter((object) => !/^acl(?:\||$)/.test(object ?? ''));
}
