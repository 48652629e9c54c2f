type Store<T> = { readonly get: () => T; readonly subscribe: (listener: () => void) => () => void };

/**
 * A view changes at most every `least` ms. If drawing would take more than `share` of the time, the interval grows, up
 * to `most` ms.
 */
type Pace = { readonly least: number; readonly most: number; readonly share: number };

/** At most every 45 ms. If drawing would then take more than a tenth of the time, less often, down to every 100 ms. */
export const LIVE_PACE: Pace = { least: 45, most: 100, share: 0.1 };

/** The weight of the newest cost in the average. */
const NEWEST_PART = 0.3;

/**
 * A view of a store that changes at its pace: a change after a pause is passed on at once, and later changes together
 * at the end of the interval.
 *
 *   store   | |||||||||      |
 *   view    | |    |    |    |
 */
export function pacedBy<T>(store: Store<T>, { least, most, share }: Pace): Store<T> {
  let shown = store.get();
  let shownAt = Number.NEGATIVE_INFINITY;
  /** How long it takes to draw a change, in ms, on average. */
  let cost = least * share;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Set<() => void>();
  const noteCost = () => {
    cost += NEWEST_PART * (performance.now() - shownAt - cost);
  };
  const show = () => {
    timer = undefined;
    if (shown === store.get()) return;
    shown = store.get();
    shownAt = performance.now();
    for (const listener of listeners) listener();
    queueMicrotask(noteCost); // React draws in a microtask, which the listeners have queued
  };
  const changed = () => {
    const wait = shownAt + Math.min(most, Math.max(least, cost / share)) - performance.now();
    if (wait <= 0) show();
    else timer ??= setTimeout(show, wait);
  };
  let stop: (() => void) | undefined;
  return {
    get: () => {
      if (listeners.size === 0) shown = store.get(); // without listeners, `shown` is not kept up to date
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
