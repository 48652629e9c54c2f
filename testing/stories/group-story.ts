import type { LockEvent } from '../../shared/events/event.ts';
import { clientOf } from '../../shared/events/names/names.ts';
import { withGroups } from '../traces/grouped-trace.ts';
import { seconds } from './story.ts';

/**
 * Returns the events that these lines describe: `time source/lock client:thread[:transaction] verb [lease ms]`.
 *
 *   0.000  a  A:1 acquired
 *   0.002  2/pay  B:7 refused
 */
export function groupEvents(text: string): LockEvent[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line, index) => {
    const [time = '', place = '', actor = '', verb = '', lease = '30000'] = line.trim().split(/\s+/);
    const [source, lock] = place.includes('/') ? place.split('/') : ['redis', place];
    const [client = '', ...thread] = actor.split(':');
    const holder = `${client.toLowerCase().charCodeAt(0).toString(16).padStart(8, '0')}-0000-4000-8000-000000000000:${thread.join(':')}`;
    const base = {
      seq: index + 1,
      at: seconds(Number(time)),
      source,
      db: 0,
      lock,
      kind: 'lock',
      certainty: 'observed',
    };
    return { ...base, ...detailOf(verb, holder, Number(lease)) } as LockEvent; // all fields of the type are set
  });
}

function detailOf(verb: string, holder: string, leaseMs: number): object {
  switch (verb) {
    case 'acquired':
      return { type: 'lock.acquired', holder, mode: 'exclusive', holdCount: 1, leaseMs };
    case 'refused':
      return {
        type: 'lock.refused',
        holder,
        mode: 'exclusive',
        ttlMs: 1000,
        attempt: 1,
        asleep: false,
        reason: 'held',
      };
    case 'sleeps':
      return { type: 'lock.refused', holder, mode: 'exclusive', ttlMs: 1000, attempt: 2, asleep: true, reason: 'held' };
    case 'gives-up':
      return { type: 'waiter.dequeued', holder, reason: 'gave-up' };
    case 'released':
      return { type: 'lock.released', holder, mode: 'exclusive', holdCount: 0 };
    case 'unlock-refused':
      return { type: 'unlock.refused', holder, reason: 'not-owner' };
    case 'expired':
      return { type: 'lease.expired', holder, mode: 'exclusive' };
    case 'lost':
      return { type: 'lock.lost', holder, mode: 'exclusive', reason: 'restart', certainty: 'inferred' };
    case 'found':
      return { type: 'lock.found', holders: [{ holder, holdCount: 1, mode: 'exclusive' }], isKept: true };
    case 'leaves':
      return { type: 'client.gone', client: clientOf(holder), addresses: [], name: null, since: seconds(0), lock: '' };
    case 'lease-set':
      return { type: 'lease.renewed', cause: 'command', leaseMs };
    case 'unseen':
      return { type: 'blind-spot.began', reason: 'connection-lost', lock: '' };
    case 'seen-again':
      return { type: 'blind-spot.ended', reason: 'connection-lost', from: seconds(0), lock: '' };
    default:
      throw new Error(`no such verb in stories of groups: ${verb}`);
  }
}

/** The group of each event, with the event's role in it: `groupStep`, `groupEnd`, `groupRound`. */
export function groupsReported(text: string): string[] {
  return withGroups(groupEvents(text)).map(({ group, groupStep, groupEnd, groupRound }) =>
    [group ?? '–', groupStep, groupEnd, groupRound && `round ${groupRound}`].filter(Boolean).join(' '),
  );
}
