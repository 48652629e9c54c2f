/** What each level costs Redis, in percent, measured by the bench: the page and the documents name the same figures. */
export const LEVEL_COSTS = {
  snapshot: { ofCore: 3 },
  /**
   * Costs in %. `atLimit`: the part of its throughput that a Redis at its limit loses if it runs only lock scripts.
   * `usual`: the same if it also runs other commands.
   */
  events: { ofCore: 1, readsOfCore: 10, atLimit: 26, usual: 15 },
  /** Above this price, MONITOR does not start unless the user insists. */
  monitor: { refusedAbove: 25 },
} as const;
