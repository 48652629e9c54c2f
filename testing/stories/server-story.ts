import { redisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import { Interpreter } from '../../shared/events/interpreter.ts';
import type { ServerFacts, ServerSignal } from '../../shared/signals/server-signal.ts';
import { seconds } from './story.ts';

export const PLAIN_SERVER: ServerFacts = {
  role: 'master',
  replicas: 0,
  replicaLagSeconds: null,
  maxMemoryBytes: null,
  evictionPolicy: 'noeviction',
  canSave: true,
  keyEvents: 'AKE',
};

/**
 * The events of what a server reported, each at its second. The first report is made at second 0, with `facts`; null:
 * there is no such report.
 */
export function serverStory(
  facts: Partial<ServerFacts> | null,
  ...reports: readonly (Partial<ServerSignal> & { readonly s: number })[]
): LockEvent[] {
  const interpreter = new Interpreter({ source: 'story' });
  const first = { kind: 'server', at: seconds(0), since: null } as const;
  const known = facts === null ? [] : interpreter.interpret({ ...first, facts: { ...PLAIN_SERVER, ...facts } });
  const later = reports.flatMap(({ s, ...report }) =>
    interpreter.interpret({ kind: 'server', at: seconds(s), since: redisTime(seconds(s) - 2_000_000), ...report }),
  );
  return [...known, ...later];
}
