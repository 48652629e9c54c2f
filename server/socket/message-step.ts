import type { Problem } from '../../shared/wire/problems/problem.ts';
import type { BatchMessage, SnapshotMessage } from '../../shared/wire/socket.ts';

/** What to send a page now, and its position after that. */
export type Step =
  | {
      readonly type: 'batch';
      readonly message: BatchMessage;
      readonly seq: number;
      readonly tick: number;
      readonly done: boolean;
    }
  | { readonly type: 'snapshot'; readonly message: SnapshotMessage; readonly seq: number; readonly tick: number }
  | { readonly type: 'resync'; readonly reason: Problem }
  | { readonly type: 'quiet'; readonly seq: number; readonly tick: number };
