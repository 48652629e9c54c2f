import { count } from '../base/count.ts';
import type { FindingTexts } from './finding-values.ts';

/** English texts of findings about what Lockscope can see. */
export const sight = {
  'key-events': ({ flags }) => ({
    title: 'Redis sends key events',
    why: `Level events sees every change of a lock, when it happens (${flags}).`,
    advice: '',
  }),
  'key-events-with-fields': ({ flags }) => ({
    title: 'Redis sends key events with the fields of hashes',
    why: `Level events sees every change of a lock, and who acquired a known lock of Redisson without a read (${flags}). It reads these notifications as the documentation of Redis 8.8 describes them: no such server was tried.`,
    advice: '',
  }),
  'key-events-without-fields': ({ flags }) => ({
    title: 'Redis sends key events, without the fields of hashes',
    why: `Level events sees every change of a lock, and reads who holds it (${flags}). Since Redis 8.8, flag T adds the fields of hashes: they name the holders of known locks of Redisson, so short holds of these are seen as well. It was built by the documentation, and no such server was tried.`,
    advice:
      'Add T if you want that. Redis then also publishes the names of all fields that any HSET, HINCRBY or HDEL changes.',
  }),
  'key-events-twice': ({ flags }) => ({
    title: 'Redis sends every key event twice',
    why: `Level events sees every change of a lock. The flags ${flags} have K and E: Redis publishes two messages for each change, and Lockscope needs one.`,
    advice: 'If nothing else uses the messages of K, leave it out.',
  }),
  'key-events-tracked': ({ flags }) => ({
    title: 'Redis sends no key events of locks',
    why: `The flags are "${flags}". Level events uses client tracking instead: changes of known locks are seen at once, new locks are found by scan.`,
    advice: 'Set the flags, or start Lockscope with --configure-notifications.',
  }),
  'key-events-missing': ({ flags }) => ({
    title: 'Changes of locks are not seen when they happen',
    why: `The flags of key events are "${flags}", and this user may not use client tracking.`,
    advice: 'Set the flags, or start Lockscope with --configure-notifications.',
  }),
  'monitor-allowed': () => ({
    title: 'MONITOR is allowed',
    why: 'Level monitor sees waiters, refused attempts and the client behind each command. What it costs can be measured.',
    advice: '',
  }),
  'monitor-on-replica': () => ({
    title: 'Level monitor needs the master',
    why: 'MONITOR of a replica shows what its master sends, not which client asked.',
    advice: 'Give Lockscope the URL of the master.',
  }),
  'monitor-missing': ({ why, quote }) => ({
    title: 'MONITOR is not available',
    why:
      why === 'no-permission'
        ? 'This user may not run it. Without it, the names of waiters and refused attempts are not seen.'
        : why === 'no-command'
          ? 'This server has no such command: it was renamed or removed. Without it, the names of waiters and refused attempts are not seen.'
          : `Redis answered "${quote}". Without it, the names of waiters and refused attempts are not seen.`,
    advice: why === 'no-command' ? 'Rights cannot change that: see rename-command in its configuration.' : '',
  }),
  'may-write': ({ user }) => ({
    title: 'This user may write',
    why: `Lockscope only reads, and the user ${user} may also write and delete. A user with fewer rights makes that certain.`,
    advice: 'Make a user for Lockscope. In a cluster, see docs/operating.md for two more rules.',
  }),
  'reads-only': ({ user }) => ({
    title: 'This user cannot write',
    why: `The user ${user} may not run SET.`,
    advice: '',
  }),

  'clients-seen': ({ connections, named, libraries, more, hasLibraries }) => ({
    title:
      libraries.length > 0
        ? `Libraries: ${libraries.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
        : 'No client names its library',
    why:
      `${count(connections, 'connection')}, ${named} with a name. ` +
      (hasLibraries
        ? 'Only clients that send CLIENT SETINFO are seen: Redisson never does. Lockscope derives its version from its scripts, on the page of each client.'
        : 'Before Redis 7.2, Redis does not list libraries. Lockscope derives the version of Redisson from its scripts, on the page of each client.'),
    advice: '',
  }),
  'clients-too-many': ({ clients, most }) => ({
    title: 'Versions of clients: not asked',
    why: `${clients} clients are connected. CLIENT LIST blocks Redis for each of them, so above ${most} it is not sent.`,
    advice: '',
  }),
  version: ({ server, version }) => ({
    title: `${server === 'redis' ? 'Redis' : server} ${version} speaks RESP3`,
    why: 'Replies, messages and MONITOR lines arrive on one connection, in the order in which they happened.',
    advice: '',
  }),
} satisfies Partial<FindingTexts['texts']>;
