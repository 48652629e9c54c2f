import { useSyncExternalStore } from 'react';

/** What the user dismissed, by id: kept in `sessionStorage` while this tab is open. */
type Dismissed = {
  readonly get: () => ReadonlySet<string>;
  /** Hides the item with this id while this tab is open. */
  readonly dismiss: (id: string) => void;
  /** Calls `listener` at each change. Returns the function that unsubscribes it. */
  readonly subscribe: (listener: () => void) => () => void;
};

export const dismissedHints = makeDismissed('lockscope.dismissed-hints');
/** Problems that have ended but whose consequence may last. The user can dismiss them. */
export const dismissedProblems = makeDismissed('lockscope.dismissed-problems');

/** Returns the dismissed ids; the component rerenders when they change. */
export function useDismissed({ subscribe, get }: Dismissed): ReadonlySet<string> {
  return useSyncExternalStore(subscribe, get);
}

function makeDismissed(key: string): Dismissed {
  const listeners = new Set<() => void>();
  let dismissed: ReadonlySet<string> = new Set(read(key));
  return {
    get: () => dismissed,
    dismiss(id) {
      dismissed = new Set([...dismissed, id]);
      try {
        sessionStorage.setItem(key, JSON.stringify([...dismissed]));
      } catch {
        // storage is blocked: it stays hidden until the page is reloaded
      }
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function read(key: string): string[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]');
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : [];
  } catch {
    return []; // storage is blocked, or contains something else
  }
}
