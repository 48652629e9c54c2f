import { z } from 'zod';

const nothing = z.object({});
const number = z.number();
const text = z.string();

/** What the doctor looks at, in the order in which findings of the same state are shown. */
export const MATTERS = [
  'eviction',
  'memory',
  'persistence',
  'saving',
  'replication',
  'role',
  'clock',
  'output-limit',
  'idle-connections',
  'max-clients',
  'scripts',
  'key-events',
  'monitor',
  'rights',
  'clients',
  'version',
] as const;
export type Matter = (typeof MATTERS)[number];

const flags = z.object({ flags: text });
const fill = z.object({ percent: number });
const bounds = z.object({ lowMs: number, highMs: number });

/** Every finding, with its values. This is the only list of codes. */
export const FINDING_VALUES = {
  /** `quote`: the words of Redis, or the field that its answer lacks (`not-reported`; then `command` is empty). */
  unread: z.object({
    command: text,
    why: z.enum(['no-permission', 'no-command', 'other', 'not-reported']),
    quote: text,
  }),

  'evicts-nothing': z.object({ isWithoutLimit: z.boolean() }),
  evicts: z.object({
    policy: text,
    isTtlOnly: z.boolean(),
    evicted: number.nullable(),
    /** The server has BLESS SET, which protects a key. */
    canProtect: z.boolean(),
  }),
  'memory-left': fill,
  'memory-nearly-full': fill,

  'nothing-saved': nothing,
  'snapshots-only': nothing,
  'aof-always': nothing,
  'aof-every-second': nothing,
  'aof-by-system': nothing,
  'aof-unknown-sync': nothing,
  'saves-work': nothing,
  'save-failed': z.object({ what: z.enum(['snapshot', 'aof']) }),

  'no-replica': nothing,
  'replicas-unconfirmed': z.object({ replicas: number }),
  /** `least`: null if the setting itself was not read. */
  'replicas-required': z.object({ replicas: number, least: number.nullable() }),
  'replicas-missing': z.object({ present: number, least: number }),
  'replica-late': z.object({ lagSeconds: number.nullable() }),
  'replica-connected': nothing,
  'replica-cut-off': nothing,
  'is-master': nothing,
  'is-replica': nothing,

  'clock-close': bounds,
  'clock-apart': bounds,
  'clock-unclear': bounds,

  'output-limited': z.object({ megabytes: number }),
  'output-unlimited': nothing,
  'output-limit-small': z.object({ kilobytes: number }),
  'idle-kept': z.object({ keepaliveSeconds: number }),
  'idle-closed': z.object({ seconds: number }),
  'no-keepalive': nothing,
  'connections-left': z.object({ connected: number, most: number }),
  'connections-nearly-full': z.object({ connected: number, most: number }),
  'script-limit': z.object({ ms: number }),
  'no-script-limit': nothing,

  'key-events': flags,
  'key-events-with-fields': flags,
  'key-events-without-fields': flags,
  'key-events-twice': flags,
  'key-events-tracked': flags,
  'key-events-missing': flags,
  'monitor-allowed': nothing,
  'monitor-on-replica': nothing,
  'monitor-missing': z.object({ why: z.enum(['no-permission', 'no-command', 'other']), quote: text }),
  'may-write': z.object({ user: text }),
  'reads-only': z.object({ user: text }),

  'clients-seen': z.object({
    connections: number,
    named: number,
    libraries: z.array(text),
    /** Libraries beyond those listed. */
    more: number,
    /** Before Redis 7.2, CLIENT LIST has no libraries. */
    hasLibraries: z.boolean(),
  }),
  'clients-too-many': z.object({ clients: number, most: number }),
  version: z.object({ server: text, version: text }),
} as const;

export type FindingCode = keyof typeof FINDING_VALUES;
export type ValuesOf<C extends FindingCode> = z.infer<(typeof FINDING_VALUES)[C]>;

/** The text of one finding. `advice` is empty if there is nothing to do. */
export type FindingText = { readonly title: string; readonly why: string; readonly advice: string };

/** The texts of all findings in one language. */
export type FindingTexts = {
  readonly matters: { readonly [M in Matter]: string };
  readonly texts: { readonly [C in Exclude<FindingCode, 'unread'>]: (values: ValuesOf<C>) => FindingText };
  /** `name`: the matter that could not be read. */
  readonly unread: (name: string, values: ValuesOf<'unread'>) => FindingText;
};
