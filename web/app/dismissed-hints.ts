/** Hints the reader does not want to see again, as long as this tab is open. */
const STORAGE_KEY = 'lockscope.dismissed-hints';

const listeners = new Set<() => void>();
let dismissed: ReadonlySet<string> = new Set(read());

/** The ids of the hints dismissed. */
export function dismissedHints(): ReadonlySet<string> {
  return dismissed;
}

/** Hides a hint. */
export function dismissHint(id: string): void {
  dismissed = new Set([...dismissed, id]);
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify([...dismissed]));
  } catch {
    // storage is not allowed here: the hint stays away until the page is loaded again
  }
  for (const listener of listeners) listener();
}

/** Calls `listener` at each change until the function given back is called. */
export function onDismissedHints(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function read(): string[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : [];
  } catch {
    return []; // storage is not allowed here, or somebody else wrote to it
  }
}
