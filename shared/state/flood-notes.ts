import { type Millis, millisBetween, type RedisTime } from '../base/time.ts';
import type { LockEvent } from '../events/event.ts';
import { clientOf, isHolder } from '../events/names/names.ts';

/** Refused attempts of one client without a pause between them. */
export type Flood = {
  /** The client, or the connection of a client that makes a new token for each attempt. */
  readonly by: string;
  /** Who asked first. */
  readonly holder: string;
  readonly since: RedisTime;
  readonly seq: number;
  readonly lastAt: RedisTime;
  readonly attempts: number;
};

/** A client that pauses for longer between two attempts does not flood. */
const PAUSE: Millis = 20;
/** A run with this many attempts is not replaced by another client's while it goes on. */
const LONG = 50;

/** Counts refused attempts in quick succession. Of several such clients, the first one is counted. */
export function floodAfter(flood: Flood | undefined, event: LockEvent): Flood | undefined {
  if (event.type !== 'lock.refused') return flood;
  const { at, seq, holder } = event;
  const by = isHolder(holder) ? clientOf(holder) : (event.by ?? holder);
  const goesOn = flood !== undefined && millisBetween(flood.lastAt, at) <= PAUSE;
  if (goesOn && flood.by === by) return { ...flood, lastAt: at, attempts: flood.attempts + 1 };
  if (goesOn && flood.attempts >= LONG) return flood;
  return { by, holder, since: at, seq, lastAt: at, attempts: 1 };
}
