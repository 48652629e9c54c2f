import type { ClientRow } from '../../../shared/signals/signal.ts';

/** CLIENT LIST blocks Redis for 2 to 4 µs for each client: with more clients than this, the command is not sent. */
export const MOST_LISTED_CLIENTS = 2000;

/** A row of CLIENT LIST, with two fields of our own connections that only the guard needs. */
export type ListedClient = ClientRow & { readonly id: number; readonly outputBytes: number };

/** Reads the reply of CLIENT LIST (https://redis.io/docs/latest/commands/client-list/). */
export function clientsFromList(text: string): ListedClient[] {
  const clients: ListedClient[] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const fields = new Map<string, string>();
    for (const pair of line.split(' ')) {
      const at = pair.indexOf('=');
      if (at > 0) fields.set(pair.slice(0, at), pair.slice(at + 1));
    }
    const library = fields.get('lib-name') ?? '';
    clients.push({
      id: Number(fields.get('id') ?? 0),
      address: fields.get('addr') ?? '',
      name: fields.get('name') ?? '',
      library: library === '' ? '' : `${library} ${fields.get('lib-ver') ?? ''}`.trim(),
      ageSeconds: Number(fields.get('age') ?? 0),
      idleSeconds: Number(fields.get('idle') ?? 0),
      outputBytes: Number(fields.get('omem') ?? 0),
      ...(/[SMO]/.test(fields.get('flags') ?? '') ? { isServer: true } : {}),
    });
  }
  return clients;
}

/** Commands that never wait for a key. */
const NEVER_BLOCKING =
  /^(?:eval|evalsha|fcall|set|del|unlink|hset|hdel|hincrby|pexpire|expire|publish|spublish|incr|decr)$/;

/** Whether a CLIENT PAUSE makes a client wait: Redis has blocked it, although its command never waits for a key. */
export function hasPausedClient(text: string): boolean {
  return text.split('\n').some((line) => {
    const flags = / flags=(\S*)/.exec(line)?.[1] ?? '';
    return flags.includes('b') && NEVER_BLOCKING.test(/ cmd=(\S*)/.exec(line)?.[1] ?? '');
  });
}
