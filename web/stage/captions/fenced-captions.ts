import { clientOf } from '../../../shared/events/names/names.ts';
import { hasWatchdog } from '../script/run.ts';
import type { CaptionsOfKind } from './caption-story.ts';

/** Captions of a fenced lock: the token of each hold, and holders that continue with an old token. */
export const fencedCaption: CaptionsOfKind = ({ run, reported: { moment, before }, who }) => {
  if (moment.kind === 'fault') {
    const belief = before.beliefs.find(({ holder }) => clientOf(holder) === moment.fault.uuid);
    const token = belief && before.tokens.get(belief.holder);
    const newest = before.lock?.fencingToken;
    if (moment.fault.name !== 'thawed' || !belief || token === undefined || newest == null) return undefined;
    return { is: 'thawed-with-token', who: who(belief.holder), token, newest };
  }
  if (moment.kind !== 'event') return undefined;
  const { event } = moment;
  switch (event.type) {
    case 'lock.learned':
      if (event.fencingToken === undefined || event.holder === undefined) return undefined;
      return { is: 'token-given', who: who(event.holder), token: event.fencingToken };
    case 'lock.acquired': {
      const { fencingToken: token, holder, leaseMs, wokenBy } = event;
      if (token === undefined || wokenBy === 'message') return undefined;
      const other = before.beliefs.find((belief) => belief.holder !== holder)?.holder;
      const old = other === undefined ? undefined : before.tokens.get(other);
      if (other !== undefined && old !== undefined) {
        return { is: 'overtaken-with-token', who: who(holder), token, other: who(other), old };
      }
      if (leaseMs !== undefined && !hasWatchdog(run, leaseMs)) {
        return { is: 'taken-short-with-token', who: who(holder), token, ms: leaseMs };
      }
      return { is: 'taken-with-token', who: who(holder), token };
    }
    case 'unlock.refused': {
      const token = before.tokens.get(event.holder);
      const isOld = token !== undefined && token !== before.lock?.fencingToken;
      return isOld ? { is: 'late-with-token', who: who(event.holder), token } : undefined;
    }
    default:
      return undefined;
  }
};
