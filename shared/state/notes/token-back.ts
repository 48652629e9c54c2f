import type { RedisTime } from '../../base/time.ts';
import type { LockEvent } from '../../events/event.ts';

/** Fenced lock: a fencing token, the holder that got it, and when. */
export type IssuedToken = {
  readonly token: string;
  readonly holder: string;
  readonly at: RedisTime;
  readonly seq: number;
};

/** Fenced lock: the highest fencing token that was seen, and when tokens last did not rise. */
export type TokenBack = {
  readonly highest: IssuedToken;
  /** A hold has begun whose token is not known yet. */
  readonly isTokenOpen?: true;
  /**
   * The token with which the tokens last stopped rising: it was not above the highest one until then, `before`. Absent:
   * the tokens have always risen.
   */
  readonly back?: IssuedToken & {
    readonly before: IssuedToken;
    /** When a token was above `before` again; null: not yet. */
    readonly to: RedisTime | null;
  };
};

/**
 * Notes whether the fencing tokens of a lock rise. A read reports the token of a hold whose acquisition did not show
 * it. A read that corrects a token which was reported before proves nothing.
 */
export function tokenBackAfter(note: TokenBack | undefined, event: LockEvent): TokenBack | undefined {
  const { type, at, seq } = event;
  if (!('fencingToken' in event) || event.fencingToken === undefined || event.holder === undefined) {
    return note && type === 'lock.acquired' ? { ...note, isTokenOpen: true } : note;
  }
  const issued = { token: event.fencingToken, holder: event.holder, at, seq };
  if (note === undefined) return { highest: issued };
  const { highest, back, isTokenOpen } = note;
  const known = { highest, ...(back && { back }) };
  if (BigInt(issued.token) > BigInt(highest.token)) {
    return { highest: issued, ...(back && { back: { ...back, to: back.to ?? at } }) };
  }
  if (back?.to === null) return isTokenOpen ? known : note;
  if (type === 'lock.learned' && !isTokenOpen)
    return issued.token === highest.token ? note : { ...known, highest: issued };
  return { highest, back: { ...issued, before: highest, to: null } };
}
