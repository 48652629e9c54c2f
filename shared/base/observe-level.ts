/** How a source is watched, from the least to the most detail. Level `replication` is experimental. */
export const OBSERVE_LEVELS = ['snapshot', 'events', 'replication', 'monitor'] as const;

export type ObserveLevel = (typeof OBSERVE_LEVELS)[number];

/** Whether a value from outside is a level. */
export function isObserveLevel(value: unknown): value is ObserveLevel {
  return (OBSERVE_LEVELS as readonly unknown[]).includes(value);
}
