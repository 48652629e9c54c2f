import type { ClientsSignal } from '../../signals/signal.ts';
import type { Context } from '../context.ts';
import type { Presence } from '../mirror/presence.ts';
import { presumeGone } from './passing-time.ts';

/** Takes CLIENT LIST in: reports which clients came and went, then the waiters that went with them. */
export function applyClientList(to: Context, presence: Presence, step: ClientsSignal): void {
  if (step.isUnavailable) return presence.blindSpotBegan(step.at);
  const { gone, lost } = to.clients.gone(step.clients, step.at);
  for (const address of gone) to.waits.listeners.forget(address);
  presence.take(step, lost);
  for (const wait of to.waits.abandoned()) presumeGone(to, wait, step.at);
}
