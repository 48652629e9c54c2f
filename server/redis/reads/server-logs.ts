import type { Denial } from '../../../shared/signals/server-signal.ts';
import type { Reply } from '../connection/reply.ts';

export type AclEntry = Omit<Denial, 'times'> & { readonly count: number; readonly db: number; readonly name: string };

/** A command in SLOWLOG, without its arguments, which are data of the application. */
type SlowEntry = {
  /** When the command ended, in seconds by Redis's clock. */
  readonly endedAt: number;
  readonly micros: number;
  readonly command: string;
  readonly by: string;
};

const REASONS = ['command', 'key', 'channel'] as const;
const CONTEXTS = ['toplevel', 'multi', 'lua', 'module'] as const;

/** Reads the reply to ACL LOG (https://redis.io/docs/latest/commands/acl-log/), without refused logins. */
export function denialsFromLog(reply: Reply | undefined): AclEntry[] {
  if (!Array.isArray(reply)) return [];
  return reply.flatMap((entry): AclEntry[] => {
    const fields = fieldsOf(entry);
    const reason = REASONS.find((each) => each === fields.get('reason'));
    const context = CONTEXTS.find((each) => each === fields.get('context'));
    if (reason === undefined || context === undefined) return [];
    const info = new Map(
      String(fields.get('client-info') ?? '')
        .split(' ')
        .map((pair) => pair.split('=', 2) as [string, string]),
    );
    const command = info.get('cmd');
    return [
      {
        reason,
        context,
        user: String(fields.get('username') ?? ''),
        object: String(fields.get('object') ?? ''),
        count: Number(fields.get('count') ?? 0),
        by: info.get('addr') ?? '',
        ...(command === undefined ? undefined : { command }),
        db: Number(info.get('db') ?? 0),
        name: info.get('name') ?? '',
      },
    ];
  });
}

/** Reads the reply to SLOWLOG GET (https://redis.io/docs/latest/commands/slowlog-get/). */
export function slowFromLog(reply: Reply | undefined): SlowEntry[] {
  if (!Array.isArray(reply)) return [];
  return reply.flatMap((entry): SlowEntry[] => {
    if (!Array.isArray(entry)) return [];
    const [, endedAt, micros, words, by] = entry;
    if (typeof endedAt !== 'number' || typeof micros !== 'number' || !Array.isArray(words)) return [];
    return [{ endedAt, micros, command: String(words[0] ?? '').toUpperCase(), by: String(by ?? '') }];
  });
}

/** The fields of an entry, which is a flat list of names and values. */
function fieldsOf(entry: Reply): Map<string, Reply> {
  const fields = new Map<string, Reply>();
  const flat = Array.isArray(entry) ? entry : [];
  for (let n = 0; n + 1 < flat.length; n += 2) fields.set(String(flat[n]), flat[n + 1] ?? null);
  return fields;
}
