import { setTimeout } from 'node:timers/promises';

/** Settles after a while; rejects with the reason of the signal once that is given, or was before. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await setTimeout(ms, undefined, { signal });
  } catch {
    throw signal.reason;
  }
}
