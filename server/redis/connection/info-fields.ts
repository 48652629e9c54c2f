import type { ServerRole } from '../../../shared/base/server-role.ts';

/** The values of the `name:value` lines in a reply to INFO, by name; empty if INFO was refused. */
export function fieldsFromInfo(reply: unknown): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  if (typeof reply !== 'string') return fields;
  for (const line of reply.split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 1));
  }
  return fields;
}

/** The role in the fields of a reply to INFO; undefined if they have none, for example because INFO was refused. */
export function roleFromFields(fields: ReadonlyMap<string, string>): ServerRole | undefined {
  const role = fields.get('role');
  return role === undefined ? undefined : role === 'master' ? 'master' : 'replica';
}
