import type { ObserveLevel } from '../../../shared/wire/source.ts';

/**
 * What Lockscope shows to a user who lacks some rights. `blocked`: nothing. `hidden`: what can be read, and a warning
 * that locks may be missing. `seen`: all locks, perhaps without details.
 */
export type Sight = 'blocked' | 'hidden' | 'seen';

/** A user: its rules after those that grant everything, and what it can still see. */
export type Row = {
  readonly rules: readonly string[];
  readonly sight: Sight;
  /** What the user sees at level `snapshot`, where only a search finds locks. Absent: the same as `sight`. */
  readonly bySnapshots?: Sight;
  /** The level at which the source is watched instead of the requested one. */
  readonly instead?: Readonly<Partial<Record<ObserveLevel, ObserveLevel>>>;
  /** Which held locks are not found at the start, but seen if they change. Absent: all are found. */
  readonly unfound?: 'all' | 'hashes' | 'strings' | 'others' | 'database 1';
  /** Only some kinds of locks need the right. When it is revoked, Redis therefore does not refuse a command at once. */
  readonly isRare?: true;
  /** The rules that the hint of the problem, or `cannotSee`, must suggest. */
  readonly grants?: readonly string[];
};

const blocked = (...rules: string[]): Row => ({
  rules,
  sight: 'blocked',
  grants: rules.map((rule) => `+${rule.slice(1)}`),
});
const hidden = (rule: string, more: Partial<Row> = {}): Row => ({
  ...{ rules: [rule], sight: 'hidden', grants: [`+${rule.slice(1)}`] },
  ...more,
});
const seen = (...rules: string[]): Row => ({ rules, sight: 'seen' });
const search = (...rules: string[]): Row => ({
  ...{ rules, sight: 'hidden', bySnapshots: 'blocked', unfound: 'all' },
  grants: [`+${rules[0]?.slice(1)}`],
});

/** Each row is a user. `reading`: the commands without which Lockscope cannot read any lock. */
export const rowsOf = (reading: readonly string[]): readonly Row[] => [
  seen(),
  ...reading.map((right) => blocked(`-${right}`)),
  blocked('-time', '-multi', '-hlen', '-scan'),
  { rules: ['-@all', '+ping'], sight: 'blocked', grants: ['+select', '+multi', '+scan', '+getrange', '+info'] },
  search('-scan'),
  { ...search('-hkeys'), unfound: 'hashes' },
  { ...search('-hrandfield', '-hscan'), unfound: 'hashes' },
  seen('-hrandfield'),
  hidden('-info', { unfound: 'database 1', instead: { replication: 'events' } }),
  hidden('-getrange', { unfound: 'strings' }),
  hidden('-lrange'),
  hidden('-llen'),
  hidden('-zrange'),
  { ...hidden('-zcard'), isRare: true },
  seen('-memory'),
  { ...seen('-pubsub'), instead: { replication: 'events' } },
  seen('-client'),
  seen('-config'),
  seen('-dbsize'),
  { rules: ['resetkeys'], sight: 'blocked', grants: ['~*'] },
  { rules: ['resetkeys', '~orders:*'], sight: 'hidden', unfound: 'others', grants: ['~*'] },
  { ...seen('-psubscribe'), instead: { events: 'snapshot', monitor: 'snapshot' } },
  { ...seen('-monitor'), instead: { monitor: 'events' } },
  { ...seen('-psync'), instead: { replication: 'events' } },
];

/** Rules that servers know since Redis 6.2 or 7.0, or Valkey 9.1. */
export const NEWER_ROWS: readonly Row[] = [
  { ...seen('resetchannels'), instead: { events: 'snapshot', monitor: 'snapshot', replication: 'snapshot' } },
  /** Redis 6.0 has no HRANDFIELD, which replaces HSCAN. */
  seen('+hrandfield', '-hscan'),
  seen('resetkeys', '%R~*'),
  { rules: ['resetkeys', '%W~*'], sight: 'blocked', grants: ['~*'] },
  {
    ...{ rules: ['resetkeys', '-@read', '(~orders:* +@read)'], sight: 'hidden', unfound: 'others', grants: ['~*'] },
  },
  { rules: ['resetdbs', 'db=0'], sight: 'hidden', unfound: 'database 1', grants: ['alldbs'] },
  { rules: ['resetdbs', 'db=1'], sight: 'blocked', grants: ['alldbs'] },
];
