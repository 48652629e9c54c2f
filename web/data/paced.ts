type Store<T> = { readonly get: () => T; readonly subscribe: (listener: () => void) => () => void };

/**
 * A view of a store that changes at most every `everyMs`: a change after a pause is passed on at once, later ones
 * together at the end of the interval.
 *
 *   store   | |||||||||      |
 *   view    | |    |    |    |
 */
export function pacedBy<T>(store: Store<T>, everyMs: number): Store<T> {
  let shown = store.get();
  let shownAt = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Set<() => void>();
  const show = () => {
    timer = undefined;
    if (shown === store.get()) return;
    shown = store.get();
    shownAt = performance.now();
    for (const listener of listeners) listener();
  };
  const changed = () => {
    const wait = shownAt + everyMs - performance.now();
    if (wait <= 0) show();
    else timer ??= setTimeout(show, wait);
  };
  let stop: (() => void) | undefined;
  return {
    get: () => {
      if (listeners.size === 0) shown = store.get(); // nothing keeps it up to date
      return shown;
    },
    subscribe: (listener) => {
      listeners.add(listener);
      stop ??= store.subscribe(changed);
      changed();
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        stop?.();
        stop = undefined;
        clearTimeout(timer);
        timer = undefined;
      };
    },
  };
}
