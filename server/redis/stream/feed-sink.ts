import type { ServerRole } from '../../../shared/base/server-role.ts';
import type { EffectGroup } from '../../../shared/replication/effects.ts';
import type { RejectedReason } from '../../../shared/signals/rejected-reason.ts';
import type { LineHole } from '../lines/line-holes.ts';
import type { Streamed } from './bookmark-gate.ts';

/** Takes everything that `OrderedFeed` receives, in the order of the stream. */
export type FeedSink = {
  /** The next signal of the stream. */
  onSignal(signal: Streamed): void;
  /** The next effects, at level `replication`. */
  onEffects(group: EffectGroup): void;
  /** Nothing has arrived for a moment, so nothing more belongs to the last signal. */
  onQuiet(): void;
  /** A heartbeat is complete: `heardAt` is later now, and no signal from before `heardAt` will follow. */
  onBeat(): void;
  /**
   * Redis did not answer a heartbeat for a second or longer and, at level `monitor`, sent no line of a client
   * meanwhile.
   */
  onHole(hole: LineHole): void;
  /** A line or push could not be read, or was too long to keep. */
  onRejected(reason: RejectedReason): void;
  /**
   * A read found that this server became a replica, or a master: what it reads now may be the data of another server.
   */
  onOtherRole(role: ServerRole): void;
  /** An invalidation of client tracking: this key changed; null: every key was deleted. */
  onInvalidated(key: string | null): void;
  /** The connection is lost. A script that is still open may lack its last lines. */
  onClose(reason: Error): void;
};
