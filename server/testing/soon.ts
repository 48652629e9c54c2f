import { vi } from 'vitest';

/** Waits until `check` throws no longer, and returns what it returns. A busy machine may take long. */
export function soon<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 60_000 });
}
