import { setImmediate } from 'node:timers/promises';

/** Work that yields after each short piece, so that other work can be done in between. */
export type Sliced<T> = Generator<void, T, void>;

/** The longest stretch of work between two turns of the event loop. */
const SLICE_MS = 15;

/** Does sliced work, and lets the event loop do other work every 15 ms. Throws the reason of `signal` when it aborts. */
export async function inSlices<T>(work: Sliced<T>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    signal?.throwIfAborted();
    const began = performance.now();
    do {
      const step = work.next();
      if (step.done) return step.value;
    } while (performance.now() - began < SLICE_MS);
    await setImmediate();
  }
}
