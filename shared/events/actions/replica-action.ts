import type { Millis } from '../../base/time.ts';
import type { ReplicaCommand } from '../types/replica-event.ts';

/** What a client sends to have its scripts confirmed by replicas. */
export type ReplicaAction =
  | {
      readonly do: 'await-replicas';
      readonly command: ReplicaCommand;
      readonly replicas: number;
      /** 0: the client waits without a limit. */
      readonly limitMs: Millis;
    }
  /**
   * INFO: a client whose scripts were not confirmed asks which replicas there are. `section` absent: the default
   * sections.
   */
  | { readonly do: 'ask-server'; readonly section?: string };
