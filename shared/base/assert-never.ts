/** Ends a `switch` over a union. The compiler reports a missing case. A value that gets here nevertheless throws. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}
