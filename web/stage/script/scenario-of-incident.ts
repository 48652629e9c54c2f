import type { ScenarioId } from './scenario-table.ts';

/** By incident: the scenario of the demo that shows it. */
export const SCENARIO_OF: Readonly<Partial<Record<string, ScenarioId>>> = {
  'lease-shorter-than-work': 'no-watchdog',
  'watchdog-starved': 'frozen-holder',
  'failover-lock-lost': 'failover',
  'unlock-by-non-owner': 'unlock-by-non-owner',
  'holder-crashed-wait-ttl': 'holder-crash',
  'fair-head-dead': 'fair-dead-head',
  'abba-deadlock': 'deadlock',
  'thundering-herd': 'thundering-herd',
};
