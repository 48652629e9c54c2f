import type { SlotRanges } from '../../../shared/base/key-slot.ts';
import type { RedisUrl } from '../../../shared/base/redis-url.ts';
import type { Problem } from '../../../shared/wire/problems/problem.ts';

/**
 * One replication group as Sentinels or a cluster report it. It stays the same group whichever server is its master.
 */
export type Group = {
  readonly key: string;
  readonly master: RedisUrl;
  /** As `host:port`. */
  readonly replicas: readonly string[];
  /** The slots of a group of a cluster; empty for Sentinels. */
  readonly slots: SlotRanges;
};

/** All groups with their masters, as last reported, in an order that stays the same. */
export type TopologyView = {
  readonly groups: readonly Group[];
  /** Why no server answered lately; the groups may still be as reported before. */
  readonly problem: Problem | null;
};

/** Keeps asking for all groups and their masters, and reports each change. */
export type Topology = {
  start(onView: (view: TopologyView) => void): void;
  /** `isUrgent`: a master does not answer. Asks more often, until `hurry` is called with false. */
  hurry(isUrgent: boolean): void;
  stop(): void;
};
