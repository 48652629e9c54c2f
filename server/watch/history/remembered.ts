import type { RedisTime } from '../../../shared/base/time.ts';
import type { Forgotten } from '../../../shared/state/replay/past-world.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { DroppedRange } from './dropped-locks.ts';
import type { EventBlock } from './event-block.ts';

/** The history as it was after the event before `nextSeq`; `shared/state/replay` replays it. */
export type Remembered = {
  readonly blocks: readonly EventBlock[];
  /** The first one is the state before the oldest event. */
  readonly checkpoints: readonly Checkpoint[];
  /** Locks that were forgotten, in order. */
  readonly forgotten: readonly Forgotten[];
  /** As `forgotten`, for single locks, each with its next event. */
  readonly dropped: readonly DroppedRange[];
  readonly nextSeq: number;
  /** The oldest instant whose state is known; `undefined`: there is none. */
  readonly oldestAt: RedisTime | undefined;
  /** Events from before the oldest one, since `from`: only those that detectors may need. Absent: none were read. */
  readonly earlier?: { readonly blocks: readonly EventBlock[]; readonly from: RedisTime } | undefined;
  /** Instants at which the state was set although events before them are missing. Absent: none. */
  readonly restoredAt?: readonly RedisTime[];
};
