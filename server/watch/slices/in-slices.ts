import { soon, steadyMs } from '../../redis/connection/surroundings.ts';

/** Work that yields after each short piece, so that other work can be done in between. */
export type Sliced<T> = Generator<void, T, void>;

/** How long sliced work goes on in one turn of the event loop. */
const SLICE_MS = 5;

/**
 * Runs sliced work, about 5 ms of it in a turn of the event loop. All sliced work takes turns: however much of it is
 * under way, the event loop runs one slice and then everything else. If `signal` aborts, it throws the reason.
 */
export async function inSlices<T>(work: Sliced<T>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    await ownTurn();
    signal?.throwIfAborted();
    const began = steadyMs();
    do {
      const step = work.next();
      if (step.done) return step.value;
    } while (steadyMs() - began < SLICE_MS);
  }
}

/** Elements in a part. */
const PART = 500;

/** A list in parts of 500, to yield after each. */
export function* inParts<T>(all: Iterable<T>): Generator<readonly T[]> {
  let part: T[] = [];
  for (const each of all) {
    part.push(each);
    if (part.length < PART) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}

/** Work that waits for its turn, in the order in which it asked. */
const waiting: (() => void)[] = [];

function ownTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) soon(beginTurn);
  });
}

function beginTurn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) soon(beginTurn);
}
