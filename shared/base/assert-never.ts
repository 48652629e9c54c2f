/** Ends a switch over a union. Throws: a value that gets here belongs to a case that is missing. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}
