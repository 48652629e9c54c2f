/** The fields of a JSON object; undefined for any other value. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  // checked here: a value of JSON that is an object and not a list has fields by name
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}

/** The items of a JSON list; an empty list for any other value. */
export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** A whole number, also one in a text; null for any other value. */
export function wholeNumberOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
}
