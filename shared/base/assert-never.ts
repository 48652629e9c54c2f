/** Ends a switch over a union: a value that reaches it proves a missing case. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}
