import type { ServerRole } from '../base/server-role.ts';

/**
 * Why a command has no answer. `no-command`: it does not exist here, because it was renamed or this server lacks it.
 */
type RefusalWhy = 'no-permission' | 'no-command' | 'other';
export type Refused = {
  readonly why: RefusalWhy;
  /** For example `CONFIG GET`. */
  readonly command: string;
  /** The words of Redis. */
  readonly quote: string;
};
/** A value, or why it was not read. */
export type Reading<T> = { readonly value: T } | { readonly refused: Refused };

/**
 * The difference of two clocks is between these, in ms: at which point of a round trip Redis read its clock is unknown.
 */
export type ClockBounds = { readonly lowMs: number; readonly highMs: number };

/** What CLIENT LIST shows about the libraries of clients. */
export type ClientsSeen = {
  readonly connections: number;
  /** Connections that have a name. */
  readonly named: number;
  /** Library and version with their connections, for example `redis-py 5.0.1`. */
  readonly libraries: readonly { readonly library: string; readonly connections: number }[];
};

/** The settings that are read with `CONFIG GET`. */
export const SETTINGS = [
  'notify-keyspace-events',
  'client-output-buffer-limit',
  'maxmemory',
  'maxmemory-policy',
  'save',
  'appendonly',
  'appendfsync',
  'min-replicas-to-write',
  'timeout',
  'tcp-keepalive',
  'busy-reply-threshold',
  'lua-time-limit',
] as const;
export type Setting = (typeof SETTINGS)[number];

/** Everything that was read from one server. */
export type Readings = {
  /** `redis`, or the name that another server has, such as `valkey`. */
  readonly server: string;
  readonly version: string;
  readonly role: ServerRole;
  readonly user: string;
  /** The fields of INFO. */
  readonly info: Reading<ReadonlyMap<string, string>>;
  /** Settings with their values; null: this version does not have the setting. */
  readonly config: Reading<ReadonlyMap<Setting, string | null>>;
  /** The clock of Redis minus the clock of this machine. */
  readonly clock: Reading<ClockBounds>;
  /** `tooMany`: how many clients are connected, if these are more than `most`: then the list is not requested. */
  readonly clients: Reading<ClientsSeen | { readonly tooMany: number; readonly most: number }>;
  /** Whether MONITOR began when the doctor sent it. */
  readonly monitor: Reading<true>;
  /** Whether this user may write keys, as ACL DRYRUN reports it. */
  readonly mayWrite: Reading<boolean>;
  /** Client tracking is permitted. */
  readonly canTrack: boolean;
};

/** A field of INFO: its value, or null if the server does not report it. */
export function infoOf({ info }: Readings, field: string): string | null {
  return 'value' in info ? (info.value.get(field) ?? null) : null;
}

/** A number in INFO; null: not reported. */
export function numberOf(readings: Readings, field: string): number | null {
  return numberFrom(infoOf(readings, field));
}

/** A setting; null: not read, or this version does not have it. */
export function settingOf({ config }: Readings, name: Setting): string | null {
  return 'value' in config ? (config.value.get(name) ?? null) : null;
}

/** A whole number as Redis writes it; null: it is not one. */
export function numberFrom(text: string | null): number | null {
  return text !== null && /^-?\d+$/.test(text) ? Number(text) : null;
}
