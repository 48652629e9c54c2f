import type { ServerRole } from '../../../shared/base/server-role.ts';
import type { EffectGroup } from '../../../shared/replication/effects.ts';
import type { LineHole } from '../lines/line-holes.ts';
import type { Streamed } from './bookmark-gate.ts';

/** Takes everything that `OrderedFeed` hears, in its order. */
export type FeedSink = {
  /** The next signal of the stream. */
  onSignal(signal: Streamed): void;
  /** The next effects, at level `replication`. */
  onEffects(group: EffectGroup): void;
  /** Nothing has arrived for a moment, so nothing more belongs to the last signal. */
  onQuiet(): void;
  /** A heartbeat is complete: `heardAt` is later now, and no signal from before it will follow. */
  onBeat(): void;
  /** Redis did not answer a heartbeat for over a second, and sent no line meanwhile if there are lines. */
  onHole(hole: LineHole): void;
  onRejected(reason: string): void;
  /**
   * A read found that this server became a replica, or a master: what it reads now may be the data of another server.
   */
  onOtherRole(role: ServerRole): void;
  /** An invalidation of client tracking: this key changed; null: every key was deleted. */
  onInvalidated(key: string | null): void;
  /** The connection is lost. A script that is still open may lack its last lines. */
  onClose(reason: Error): void;
};
