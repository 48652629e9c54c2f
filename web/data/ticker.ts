// One timer for the whole page. It runs only while there are listeners.
const TICK_MS = 100;

const listeners = new Set<() => void>();
let timer: number | undefined;
let now = Date.now();

/** Returns this machine's time at the last tick, in ms. */
export function lastTick(): number {
  return now;
}

/** Calls `listener` at each tick. Returns the function that unsubscribes it. */
export function onTick(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    now = Date.now();
    timer = window.setInterval(tick, TICK_MS);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}
