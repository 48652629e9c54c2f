/** One of a few values the reader chose, kept for the next visit. */
export type StoredChoice<T extends string> = {
  readonly values: readonly T[];
  readonly get: () => T;
  /** Takes effect now and at the next visit. */
  readonly choose: (value: T) => void;
  /** Calls `listener` after each change until the function given back is called. */
  readonly subscribe: (listener: () => void) => () => void;
};

/**
 * A choice among `values`, the first of them until another was chosen. What is stored and no longer one of them counts
 * as never chosen. Where nothing may be stored, a choice holds until the page is closed.
 */
export function makeStoredChoice<T extends string>(name: string, values: readonly [T, ...T[]]): StoredChoice<T> {
  const key = `lockscope.${name}`;
  const listeners = new Set<() => void>();
  let chosen = values.find((value) => value === readStored(key)) ?? values[0];
  return {
    values,
    get: () => chosen,
    choose: (value) => {
      if (value === chosen) return;
      chosen = value;
      store(key, value);
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // storage is not allowed here
  }
}

function store(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // storage is not allowed here: the choice holds until the page is closed
  }
}
