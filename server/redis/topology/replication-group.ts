import type { SlotRanges } from '../../../shared/base/key-slot.ts';
import type { RedisUrl } from '../../../shared/base/redis-url.ts';
import type { Problem } from '../problem-type.ts';

/** One replication group as the others tell of it: whoever is its master, it stays the same group. */
export type Group = {
  readonly key: string;
  readonly master: RedisUrl;
  /** As `host:port`. */
  readonly replicas: readonly string[];
  /** Cluster: the slots it serves. */
  readonly slots: SlotRanges;
};

/** Who is master of what, as last heard; groups in an order that stays. */
export type TopologyView = {
  readonly groups: readonly Group[];
  /** Why nobody could be asked lately; what was heard before may still be so. */
  readonly problem: Problem | null;
};

/** Keeps asking who is master of what, and tells whenever the answer is another one. */
export type Topology = {
  start(onView: (view: TopologyView) => void): void;
  /** A master does not answer: from here on it is asked more often, until this is taken back. */
  hurry(isUrgent: boolean): void;
  stop(): void;
};
