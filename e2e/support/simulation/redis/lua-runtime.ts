/**
 * A value of Lua, as a script of Redis uses it. `undefined` is nil; a table is an array, or an object with named
 * fields.
 */
export type LuaValue = string | number | boolean | undefined | LuaValue[] | { readonly [field: string]: LuaValue };

/** What translated scripts call. Lua converts between numbers and texts where JavaScript does not. */
export const RUNTIME = {
  isTrue: (value: LuaValue): boolean => value !== undefined && value !== false,
  and: (left: LuaValue, right: () => LuaValue): LuaValue => (RUNTIME.isTrue(left) ? right() : left),
  or: (left: LuaValue, right: () => LuaValue): LuaValue => (RUNTIME.isTrue(left) ? left : right()),
  number,
  text,
  length: (value: LuaValue): number => (typeof value === 'string' || Array.isArray(value) ? value.length : 0),
  get: (table: LuaValue, key: LuaValue): LuaValue => {
    if (Array.isArray(table) && typeof key === 'number') return table[key - 1];
    return (table as Record<string, LuaValue>)[String(key)]; // a table with names as keys: Lua would throw for anything else
  },
  set: (table: LuaValue, key: LuaValue, value: LuaValue): void => {
    if (Array.isArray(table) && typeof key === 'number') table[key - 1] = value;
    else (table as Record<string, LuaValue>)[String(key)] = value; // a table, as above
  },
  tonumber: (value: LuaValue): number | undefined => {
    const found = typeof value === 'number' ? value : typeof value === 'string' ? Number(value) : Number.NaN;
    return Number.isNaN(found) || value === '' ? undefined : found;
  },
  max: (...values: LuaValue[]): number => Math.max(...values.map(number)),
  min: (...values: LuaValue[]): number => Math.min(...values.map(number)),
  floor: (value: LuaValue): number => Math.floor(number(value)),
} as const;

function number(value: LuaValue): number {
  const found = RUNTIME.tonumber(value);
  if (found === undefined) throw new Error(`a script calculates with ${JSON.stringify(value)}`);
  return found;
}

function text(value: LuaValue): string {
  if (typeof value !== 'string' && typeof value !== 'number') {
    throw new Error(`a script joins ${JSON.stringify(value)} to a text`);
  }
  return String(value);
}
