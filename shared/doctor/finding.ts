import type { FindingCode, Matter, ValuesOf } from './finding-values.ts';

/** From the worst to the best. `unknown`: it could not be read; `info`: neither good nor bad. */
export const FINDING_STATES = ['danger', 'warning', 'unknown', 'info', 'good'] as const;
export type FindingState = (typeof FINDING_STATES)[number];

/** A value as it was read, for example `maxmemory-policy` `allkeys-lru`. */
export type Observed = { readonly name: string; readonly value: string };

/** One finding: its matter, its state, its code with values, what was read, and the lines that mend it. */
type FindingOf<C extends FindingCode> = {
  readonly id: Matter;
  readonly state: FindingState;
  readonly code: C;
  readonly values: ValuesOf<C>;
  readonly read: readonly Observed[];
  /** Lines that mend what was found: Redis commands, or lines of the configuration file if the server has no CONFIG. */
  readonly fix: readonly string[];
};
/** Any finding. Its `code` decides which values it has. */
export type Finding = { [C in FindingCode]: FindingOf<C> }[FindingCode];

/** Where Redis's own documentation describes each matter. */
export const REFERENCES: Readonly<Record<Matter, string>> = {
  eviction: 'https://redis.io/docs/latest/develop/reference/eviction/',
  memory: 'https://redis.io/docs/latest/develop/reference/eviction/',
  persistence: 'https://redis.io/docs/latest/operate/oss_and_stack/management/persistence/',
  saving: 'https://redis.io/docs/latest/operate/oss_and_stack/management/persistence/',
  replication: 'https://redis.io/docs/latest/operate/oss_and_stack/management/replication/',
  role: 'https://redis.io/docs/latest/operate/oss_and_stack/management/replication/',
  clock: 'https://redis.io/docs/latest/commands/time/',
  'output-limit': 'https://redis.io/docs/latest/develop/reference/clients/',
  'idle-connections': 'https://redis.io/docs/latest/develop/reference/clients/',
  'max-clients': 'https://redis.io/docs/latest/develop/reference/clients/',
  scripts: 'https://redis.io/docs/latest/develop/programmability/',
  'key-events': 'https://redis.io/docs/latest/develop/pubsub/keyspace-notifications/',
  monitor: 'https://redis.io/docs/latest/commands/monitor/',
  rights: 'https://redis.io/docs/latest/operate/oss_and_stack/management/security/acl/',
  clients: 'https://redis.io/docs/latest/commands/client-list/',
  version: 'https://redis.io/docs/latest/commands/hello/',
};

/** The incident that each matter may cause, by its id in the help. */
export const INCIDENTS: Readonly<Partial<Record<Matter, string>>> = {
  eviction: 'evicted-lock-key',
  memory: 'server-refuses-writes',
  saving: 'server-refuses-writes',
  replication: 'failover-lock-lost',
  clock: 'fair-clock-skew',
  'output-limit': 'missed-wakeup',
  scripts: 'slow-script-busy',
  'key-events': 'events-off',
};

export function finding<C extends FindingCode>(
  id: Matter,
  state: FindingState,
  code: C,
  values: ValuesOf<C>,
  read: readonly Observed[] = [],
  fix: readonly string[] = [],
): Finding {
  return { id, state, code, values, read, fix } as Finding; // the values belong to this code
}
