import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

/** The right to play; `end` passes it on. */
export type Turn = { end(): void };

/** As many versions at once as the machine has cores for: stories mostly wait, but clients must get to run. */
const AT_ONCE = Math.max(2, Math.floor(availableParallelism() / 2));

let playing = 0;

/** Waits until another version may play. */
export async function takeTurn(): Promise<Turn> {
  while (playing >= AT_ONCE) await pause(50);
  playing++;
  return { end: () => playing-- };
}
