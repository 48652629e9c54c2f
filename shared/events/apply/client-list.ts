import type { ClientsSignal } from '../../signals/signal.ts';
import type { Context } from '../context.ts';
import type { Presence } from '../mirror/presence.ts';
import { presumeGone } from './passing-time.ts';

/** Applies a CLIENT LIST: reports the clients that connected or are gone, then presumes the waiters of gone clients gone. */
export function applyClientList(to: Context, presence: Presence, step: ClientsSignal): void {
  if (step.isUnavailable) return presence.blindSpotBegan(step.at);
  const { gone, lost } = to.clients.gone(step.clients, step.at);
  for (const address of gone) to.waits.listeners.forget(address);
  presence.take(step, lost);
  for (const wait of to.waits.abandoned()) presumeGone(to, wait, step.at);
}
