import type { DemoStage } from '../demo/demo-stage.ts';
import type { Observatory } from '../watch/observatory.ts';
import type { Connections } from './connections.ts';
import type { Guard } from './guard.ts';

/** What the routes need. */
export type AppContext = {
  readonly observatory: Observatory;
  /** Present in a demo only. */
  readonly stage: DemoStage | undefined;
  readonly guard: Guard;
  /** Limits the memory that connections use; absent: no limit. */
  readonly connections?: Connections;
  readonly version: string;
  readonly allowRelease: boolean;
  /** Memory limit of the whole process, in bytes; absent: unknown. */
  readonly memory?: number;
  /** Folder of the built page. */
  readonly webDir: string;
  /** Called with internal errors, which are answered with 500. */
  readonly report: (error: Error) => void;
};
