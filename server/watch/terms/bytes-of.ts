const OBJECT_BYTES = 40;
const FIELD_BYTES = 12;
const TEXT_BYTES = 24;

/** About how many bytes a plain value takes in memory, all of its lists and texts included. */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string') return TEXT_BYTES + value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let bytes = OBJECT_BYTES;
  const fields = value as Record<string, unknown>; // the names of a list are its indexes
  for (const name in fields) bytes += FIELD_BYTES + bytesOf(fields[name]);
  return bytes;
}
