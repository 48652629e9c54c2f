import type { LockEvent } from '../../shared/events/event.ts';
import { holderOf, seconds } from './story.ts';

/** What CLIENT LIST shows about the clients of these actors, as events. */
export function listed(presence: 'connected' | 'gone', at: number, ...actors: readonly string[]): LockEvent[] {
  return actors.map((actor) => ({
    ...{ type: `client.${presence}`, seq: 0, at: seconds(at), source: 'story', db: 0, lock: '', kind: 'lock' },
    ...{ certainty: 'observed', client: holderOf(actor).split(':')[0], addresses: [], name: null },
    ...{ library: 'redisson', since: seconds(at) },
  })) as LockEvent[]; // all fields of such an event are set
}
