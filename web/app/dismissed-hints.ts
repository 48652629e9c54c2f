/** Hints that the reader dismissed, kept in `sessionStorage` while this tab is open. */
const STORAGE_KEY = 'lockscope.dismissed-hints';

const listeners = new Set<() => void>();
let dismissed: ReadonlySet<string> = new Set(read());

/** The ids of the dismissed hints. */
export function dismissedHints(): ReadonlySet<string> {
  return dismissed;
}

/** Hides a hint while this tab is open. */
export function dismissHint(id: string): void {
  dismissed = new Set([...dismissed, id]);
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify([...dismissed]));
  } catch {
    // storage is blocked: the hint stays hidden until the page is reloaded
  }
  for (const listener of listeners) listener();
}

/** Calls `listener` at each change. Returns the function that unsubscribes it. */
export function onDismissedHints(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function read(): string[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : [];
  } catch {
    return []; // storage is blocked, or contains something else
  }
}
