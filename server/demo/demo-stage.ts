import type { ClientAction, Demo, Scenario, ThreadAction, ThreadActionBody } from '../../shared/wire/demo.ts';
import type { ServerWatcher } from './scenario-servers.ts';

/** What the HTTP routes may ask of the demo: its private Redis, its client processes, its scenarios. */
export type DemoStage = {
  /** URL of the Redis the demo runs on. */
  redisUrl: string;
  view(): Demo;
  scenarios(): Scenario[];
  /** Starts a scenario from its beginning; one that is running is stopped first. Rejects with `DemoProblem`. */
  startScenario(id: string): Promise<void>;
  stopScenario(): Promise<void>;
  clientAction(client: string, action: ClientAction): Promise<void>;
  /** Begins the operation. `done` settles when it returns (it may wait for a lock for a long time). */
  threadAction(
    client: string,
    thread: number,
    action: ThreadAction,
    body: ThreadActionBody,
  ): { op: number; done: Promise<{ ok: boolean; result: string }> };
  /** Says who watches servers that a scenario brings with it. */
  attach?(watcher: ServerWatcher): void;
  /** Ends every client process and the private Redis. */
  close(): Promise<void>;
};

/** A request the stage cannot follow; `status` is the fitting HTTP status. */
export class DemoProblem extends Error {
  constructor(
    readonly status: 400 | 404 | 409 | 500,
    readonly code: string,
    message: string,
    readonly hint: string,
    readonly field?: string,
  ) {
    super(message);
  }
}
