import { setTimeout } from 'node:timers/promises';

/** Settles after `ms`. Rejects with the signal's reason if the signal is aborted before or meanwhile. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await setTimeout(ms, undefined, { signal });
  } catch {
    throw signal.reason;
  }
}
