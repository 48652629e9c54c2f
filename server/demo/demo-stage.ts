import type { ClientAction, Demo, Scenario, ThreadAction, ThreadActionBody } from '../../shared/wire/demo.ts';
import type { Problem } from '../../shared/wire/problems/problem.ts';
import type { ServerWatcher } from './scenario-servers.ts';

/** The demo as the HTTP routes use it: its Redis, its client processes, its scenarios. */
export type DemoStage = {
  /** URL of the Redis that the demo runs on; empty if recorded runs are played. */
  redisUrl: string;
  view(): Demo;
  scenarios(): Scenario[];
  /** Stops the running scenario, if any, and starts this one. Rejects with `DemoProblem`. */
  startScenario(id: string): Promise<void>;
  stopScenario(): Promise<void>;
  clientAction(client: string, action: ClientAction): Promise<void>;
  /** Starts the operation. `done` settles when it returns, which may be long after if it waits for a lock. */
  threadAction(
    client: string,
    thread: number,
    action: ThreadAction,
    body: ThreadActionBody,
  ): { op: number; done: Promise<{ ok: boolean; result: string }> };
  /** Sets the watcher for the private servers of scenarios. */
  attach?(watcher: ServerWatcher): void;
  /** Ends every client process and the private Redis. */
  close(): Promise<void>;
};

/**
 * The stage cannot do what was requested. `status` is the HTTP status of the answer, `field` the part that is wrong.
 */
export class DemoProblem extends Error {
  constructor(
    readonly status: 400 | 404 | 409 | 500,
    readonly problem: Problem,
    readonly field?: string,
  ) {
    super(problem.message);
  }
}
