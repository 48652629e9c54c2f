import type { z } from 'zod';

/**
 * Returns what a schema reads from `body`. Throws if `body` breaks it, or has a field that the schema does not name.
 */
export function strictly<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const read = schema.parse(body);
  const unknown = unknownFields(read, body, '');
  if (unknown.length > 0) throw new Error(`fields that the schema does not name: ${unknown.slice(0, 5).join(', ')}`);
  return read;
}

/** The paths of all fields of `body` that are missing in `read`. */
function unknownFields(read: unknown, body: unknown, path: string): string[] {
  if (typeof body !== 'object' || body === null) return [];
  if (typeof read !== 'object' || read === null) return [path];
  const known = new Map<string, unknown>(Object.entries(read));
  return Object.entries(body).flatMap(([name, value]) =>
    known.has(name) ? unknownFields(known.get(name), value, `${path}.${name}`) : [`${path}.${name}`],
  );
}
