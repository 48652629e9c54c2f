import { checkClock } from './checks/clock.ts';
import { checkConnections } from './checks/connections.ts';
import { checkMemory } from './checks/memory.ts';
import { checkPersistence } from './checks/persistence.ts';
import { checkReplication } from './checks/replication.ts';
import { checkSight } from './checks/sight.ts';
import { FINDING_STATES, type Finding } from './finding.ts';
import { MATTERS } from './finding-values.ts';
import type { Readings } from './readings.ts';

/** Every finding about one server, the worst first. `pubsubLimitBytes`: 0: no limit, null: not read. */
export function findingsFrom(readings: Readings, pubsubLimitBytes: number | null): Finding[] {
  // A replica evicts nothing by itself, and reads everything from its master after a restart.
  const findingsOfMaster = readings.role === 'master' ? [...checkMemory(readings), ...checkPersistence(readings)] : [];
  const findings = [
    ...findingsOfMaster,
    ...checkReplication(readings),
    checkClock(readings),
    ...checkConnections(readings, pubsubLimitBytes),
    ...checkSight(readings),
  ];
  const rank = ({ state, id }: Finding) => FINDING_STATES.indexOf(state) * MATTERS.length + MATTERS.indexOf(id);
  return findings.sort((a, b) => rank(a) - rank(b));
}
