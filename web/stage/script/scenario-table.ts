/** The groups of scenarios, in the order of the list. */
export const GROUPS = ['basics', 'leases', 'fairness', 'several', 'disasters'] as const;
type ScenarioGroup = (typeof GROUPS)[number];

type ScenarioRow = {
  readonly group: ScenarioGroup;
  /** How long a run usually takes, in seconds: so much time the lanes show if they are wide enough. */
  readonly seconds: number;
  /** True if something goes wrong in it that a team should prevent. */
  readonly isTrouble?: true;
};

/** Every scenario of the demo, in the order of the list. */
export const SCENARIO_TABLE = {
  'full-show': { group: 'basics', seconds: 22 },
  'two-threads': { group: 'basics', seconds: 10 },
  reentrancy: { group: 'basics', seconds: 7 },
  'jdk-contrast': { group: 'basics', seconds: 13, isTrouble: true },
  'unlock-by-non-owner': { group: 'basics', seconds: 4, isTrouble: true },
  'trylock-timeout': { group: 'basics', seconds: 5 },
  spin: { group: 'basics', seconds: 6 },
  latch: { group: 'basics', seconds: 5 },
  watchdog: { group: 'leases', seconds: 7 },
  'no-watchdog': { group: 'leases', seconds: 6, isTrouble: true },
  fenced: { group: 'leases', seconds: 11, isTrouble: true },
  'expirable-semaphore': { group: 'leases', seconds: 8, isTrouble: true },
  'fair-queue': { group: 'fairness', seconds: 7 },
  'fair-dead-head': { group: 'fairness', seconds: 10, isTrouble: true },
  'read-write': { group: 'fairness', seconds: 9 },
  semaphore: { group: 'fairness', seconds: 7 },
  'thundering-herd': { group: 'fairness', seconds: 12, isTrouble: true },
  'multi-lock': { group: 'several', seconds: 8 },
  redlock: { group: 'several', seconds: 11, isTrouble: true },
  deadlock: { group: 'several', seconds: 12, isTrouble: true },
  'holder-crash': { group: 'disasters', seconds: 11, isTrouble: true },
  'frozen-holder': { group: 'disasters', seconds: 9, isTrouble: true },
  failover: { group: 'disasters', seconds: 8, isTrouble: true },
} as const satisfies Readonly<Record<string, ScenarioRow>>;

export type ScenarioId = keyof typeof SCENARIO_TABLE;

/** The scenario that the stage offers to play: the first part of the show, then the second part. */
export const SHOW: ScenarioId = 'full-show';

/** True if the table has the scenario. */
export function isScenario(id: string | null): id is ScenarioId {
  return id !== null && Object.hasOwn(SCENARIO_TABLE, id);
}

/** The row of a scenario; undefined if the table does not have it. */
export function scenarioRow(id: string | null): ScenarioRow | undefined {
  return isScenario(id) ? SCENARIO_TABLE[id] : undefined;
}
