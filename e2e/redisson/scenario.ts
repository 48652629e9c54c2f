import type { Lock } from '../../shared/wire/locks/lock.ts';
import type { JavaThread } from '../support/clients/redisson-thread.ts';
import type { ReportedEvent } from '../support/lockscope/lockscope.ts';
import type { Picture } from './picture.ts';

/** A real Redisson client, with threads that only this scenario uses. */
export type ScenarioClient = {
  readonly name: string;
  readonly uuid: string;
  thread(letter: string): JavaThread;
};

/** A client that no other scenario uses, so it may be frozen and killed. */
export type KillableClient = ScenarioClient & {
  /** SIGSTOP, until `thaw`. */
  freeze(): void;
  thaw(): void;
  /** SIGKILL: the client does not close its connections. */
  kill(): Promise<void>;
};

/** What a scenario can use: real clients on real servers, and a Lockscope that watches. */
export type ScenarioSetup = {
  /**
   * The client of that name, which other scenarios use at the same time. `app…` has the usual watchdog timeout of
   * 30 s, `short` one of 6 s.
   */
  client(name: 'app1' | 'app2' | 'short'): Promise<ScenarioClient>;
  /** A client that only this scenario uses, with a watchdog timeout of 6 s. */
  victim(): Promise<KillableClient>;
  /** Waits until Lockscope shows the lock like this. Returns what it shows. */
  sees(lock: string, picture: Picture): Promise<Lock>;
  /** Waits until the lock has this event, with these fields. Returns the event. */
  reported(lock: string, type: ReportedEvent['type'], holder?: JavaThread, fields?: object): Promise<ReportedEvent>;
  /** All events of the lock so far. */
  story(lock: string): Promise<ReportedEvent[]>;
};

/** One story, played by real clients. At the end, what Lockscope reported is compared with what they saw. */
export type Scenario = {
  /** The names of the scenario's locks begin with this id and a colon, or are used by no other scenario. */
  id: string;
  /** A kind of lock that not every version has. Without it, the scenario is skipped. */
  needs?: string;
  /** Versions of Redisson that behave differently, and how. They skip the scenario. */
  skipped?: { in: RegExp; because: string };
  play: (setup: ScenarioSetup) => Promise<void>;
};

/** The result of an unlock by a thread that does not hold the lock, while another thread does. */
export const NOT_HELD = /^! IllegalMonitorStateException/;

/** The result of an unlock of a free lock: versions up to 3.10.5 report success. */
export const NOT_HELD_AT_ALL = /^(ok$|! IllegalMonitorStateException)/;
