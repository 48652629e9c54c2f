/** A setting with a few possible values, kept in `localStorage` for the next visit. */
export type StoredChoice<T extends string> = {
  readonly values: readonly T[];
  readonly get: () => T;
  /** Takes effect now and at the next visit. */
  readonly choose: (value: T) => void;
  /** Calls `listener` after each change. Returns the function that unsubscribes it. */
  readonly subscribe: (listener: () => void) => () => void;
};

/**
 * Creates a choice among `values`; the first one is the default. A stored value that is not in `values` is ignored. If
 * storage is blocked, the choice lasts until the page is closed.
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
    return null; // storage is blocked
  }
}

function store(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // storage is blocked: the choice lasts until the page is closed
  }
}
