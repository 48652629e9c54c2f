import type { Lock } from '../../shared/wire/lock.ts';
import type { ToldEvent } from '../support/clients/lockscope.ts';
import type { JavaThread } from '../support/clients/redisson-thread.ts';
import type { Picture } from './picture.ts';

/** A real Redisson client, as one scenario sees it: its threads are of this scenario alone. */
export type Actor = {
  readonly name: string;
  readonly uuid: string;
  thread(letter: string): JavaThread;
};

/** A client that no other scenario uses, so that it may come to harm. */
export type KillableClient = Actor & {
  /** SIGSTOP, until `thaw`. */
  freeze(): void;
  thaw(): void;
  /** SIGKILL: no goodbye to Redis. */
  kill(): Promise<void>;
};

/** What a scenario plays on: real clients, real servers, and Lockscope watching. */
export type Stage = {
  /**
   * The client of that name, which other scenarios use at the same time. `app…` has the usual watchdog timeout of
   * 30 s, `short` one of 3 s.
   */
  client(name: 'app1' | 'app2' | 'short'): Promise<Actor>;
  /** A client of this scenario's own, with a watchdog timeout of 3 s. */
  victim(): Promise<KillableClient>;
  /** Waits until Lockscope shows the lock so; gives back what it shows. */
  sees(lock: string, picture: Picture): Promise<Lock>;
  /** Waits until that event, with these fields, has been told of the lock; gives it back. */
  told(lock: string, type: ToldEvent['type'], holder?: JavaThread, fields?: object): Promise<ToldEvent>;
  /** Everything told of the lock until now. */
  story(lock: string): Promise<ToldEvent[]>;
};

/** One story, played by real clients. What Lockscope tells of it is compared with what they saw when it is over. */
export type Scenario = {
  /** Its locks begin with it and a colon, or have names that no other scenario uses. */
  id: string;
  /** The kind that not every version has: where it lacks, the scenario is left out. */
  needs?: string;
  /** Versions in which it goes otherwise, and why. */
  goesOtherwise?: { in: RegExp; because: string };
  play: (stage: Stage) => Promise<void>;
};

/** An unlock by a thread that does not hold the lock, while somebody else does. */
export const NOT_HELD = /^! IllegalMonitorStateException/;

/** An unlock of a lock that nobody holds: releases up to 3.10.5 do not notice. */
export const NOT_HELD_BY_ANYBODY = /^(ok$|! IllegalMonitorStateException)/;
