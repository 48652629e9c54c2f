import { z } from 'zod';
import { LOSSES } from '../../doctor/rights/rights.ts';
import { DUMP_FAULTS } from '../../dumps/thread-dump.ts';
import { STRANGE_FORMS } from '../../events/types/strange-form.ts';
import { FILE_KINDS } from '../../unwrap/file-kinds.ts';
import { WRAPPINGS } from '../../unwrap/skipped.ts';

const text = z.string();
const number = z.number();
const nothing = z.object({});
/** The address of a Redis, without credentials. */
const at = z.object({ where: text });
/** `quote`: the words of Redis, of the system or of another program, unchanged. They are not translated. */
const quote = z.object({ quote: text });
const atText = at.extend(quote.shape);
/** Shares of one core of the CPU; `redisCpuShare` null: unknown. */
const cost = z.object({ costShare: number, redisCpuShare: number.nullable() });
const waitSeconds = z.object({ seconds: number });
/** What a recording could not show. `unknown`: the recording is of a version that does not name what it lacks. */
export const recordedLack = z.enum(['presence', 'key-events', 'locks', 'listeners', 'queues', 'unmatched', 'unknown']);
/**
 * What was refused. `commands`: this user may not run them. `absent`: this server does not have them. `grant`: the ACL
 * line that allows all of it, empty if no line can.
 */
const refused = z.object({ user: text, commands: z.array(text), absent: z.array(text), grant: text });
const places = z.object({ count: number, places: z.array(text) });
/** What is wrong with a field. `expected` completes it: a type, a limit, the choices, or another field. */
const fault = z.object({
  field: text,
  fault: z.enum([
    'type',
    'too-big',
    'too-small',
    'choice',
    'format',
    'before',
    'together',
    'unknown',
    'missing',
    'other',
  ]),
  expected: text,
});
/** Why the replication stream is not read: because of the server, its clients or the stream itself. */
const replicationRefusal = z.enum([
  ...['replica', 'cluster', 'no-info', 'no-backlog', 'no-replica', 'min-replicas', 'waits', 'sentinel', 'no-pubsub'],
  ...['no-publish', 'scripts', 'not-continued', 'cuts', 'slow', 'info-missing', 'pubsub-missing'],
] as const);
export type ReplicationRefusal = z.infer<typeof replicationRefusal>;
/**
 * What a file that is not a recording seems to be. `redis-log`: the log of a server. `commands`: an append-only file.
 * `redis-info`, `client-list`, `slowlog`, `redis-error`, `redis-reply`: an answer of Redis to another command.
 * `recording-text`: a copy of a recording that was changed. `damaged`: packed with gzip, and damaged before its first
 * line ends.
 */
const NOT_RECORDINGS = [
  ...FILE_KINDS,
  ...(['thread-dump', 'redis-log', 'commands', 'other-times', 'other-form'] as const),
  ...(['redis-info', 'client-list', 'slowlog', 'redis-error', 'redis-reply', 'recording-text', 'damaged'] as const),
] as const;
const demoClient = z.object({ client: text });
const known = z.object({ known: z.array(text) });

/** Redis and the connection to it. */
const REDIS_VALUES = {
  refused: at,
  'no-such-host': at,
  tls: atText,
  'no-connection': at,
  'no-answer': at.extend({ command: text, seconds: number }),
  lost: atText,
  closed: at,
  cut: at,
  'not-redis': at,
  'unreadable-reply': at.extend({ fault: z.enum(['bad-frame', 'too-deep', 'line-too-long']) }),
  'snapshot-late': at.extend({ megabytes: number }),
  'no-snapshot': at.extend({ seconds: number }),
  'out-of-step': at,
  'wrong-password': at,
  'password-required': at,
  /** `keys`: names of keys that this user may not read; `isDatabase`: the database is refused. */
  'not-permitted': refused.extend({ keys: z.array(text), isDatabase: z.boolean() }),
  'no-resp3': at,
  /** `seconds`: how long it will still take, as Redis estimates it. Absent: not known. */
  loading: at.extend({ seconds: number.optional() }),
  'too-old': at.extend({ version: text.optional() }),
  'too-many-clients': at,
  'redis-error': atText,
  'no-sentinel': at,
  'is-sentinel': at,
  'no-such-master': at.extend({ master: text }),
  'no-cluster': at,
  'no-slots': at,
  'not-connected': nothing,
  /** `isBusy`: it answers BUSY, because a script or a function runs. */
  'not-answering': at.extend({ silentMs: number, isBusy: z.boolean().optional() }),
} as const;

/** The observer of a source, and its level. */
const WATCHING_VALUES = {
  'too-many-shards': z.object({
    refused: number,
    most: number,
    /** The memory that would be enough; null: more memory does not help. */
    needsMb: number.nullable(),
  }),
  'observer-ended': z.object({
    cause: z.enum(['silent', 'stopped', 'exited', 'failed']),
    /** The exit code, or the error. */
    quote: text.optional(),
    next: z.enum(['soon', 'again', 'never']),
    failures: number,
    most: number,
  }),
  'observer-busy': waitSeconds,
  'observer-failed': quote,
  'observer-silent': z.object({ silentMs: number }),
  'monitor-refused': z.object({ user: text }),
  'subscribe-refused': z.object({ user: text, grant: text }),
  'replica-monitor': nothing,
  'no-output-limit': z.object({ isKnown: z.boolean() }),
  'over-budget': cost,
  'output-waited': z.object({ megabytes: number }),
  'behind-redis': z.object({ behindMs: number }),
  'slow-replies': z.object({ pingMs: number, beforeMs: number }),
  'buffer-full': z.object({ isCounted: z.boolean(), limitMb: number.nullable() }),
  'cut-twice': nothing,
  'monitor-costly': cost,
  'monitor-time-over': nothing,
  /** MONITOR shows calls of scripts, but not the commands that the scripts run. `calls`: how many calls. */
  'monitor-without-scripts': z.object({ calls: z.number() }),
  'measuring-already': nothing,
  'level-unavailable': quote,
  /** `figure`: ms of a PING, percent of a core, or percent of maxmemory; 0 without a figure. */
  'redis-in-trouble': z.object({ why: z.enum(['slow', 'busy', 'full', 'saving', 'loading']), figure: number }),
  'replication-refused': z.object({ user: text }),
  'replication-unavailable': z.object({ why: replicationRefusal }),
} as const;

/** What a level cannot see. */
const SIGHT_VALUES = {
  /** `isUnknown`, here and below: this user may not read whether Redis sends key events. */
  'unseen-expiries': z.object({ isUnknown: z.boolean().optional() }),
  'unseen-attempts': nothing,
  'unseen-senders': nothing,
  'unseen-double-changes': nothing,
  'unseen-numbers': nothing,
  'unseen-new-locks': z.object({ isUnknown: z.boolean().optional() }),
  'unseen-changes': z.object({ isUnknown: z.boolean().optional() }),
  'unseen-between': nothing,
  'unseen-commands': nothing,
  'unseen-wake-ups': nothing,
  'unseen-before-scan': z.object({ percent: number }),
  'unseen-beyond-memory': nothing,
  /** `match`: the patterns, of which a name has to match at least one. */
  'unseen-unmatched': z.object({ match: z.array(text) }),
  'unseen-dropped-lines': nothing,
  'unseen-unsampled': nothing,
  'unseen-short-locks': z.object({ count: z.number() }),
  /** `count`: keys with a lease and data as their value; `name`: the newest of them. */
  'unseen-other-values': z.object({ count: z.number(), name: text }),
  'unseen-other-forms': nothing,
  /** `count`: keys that look like locks, of a form that Lockscope does not understand; `name`: the newest of them. */
  'unseen-strange-locks': z.object({ count: z.number(), name: text, form: z.enum(STRANGE_FORMS) }),
  /** `count`: field notifications that did not have the documented form. */
  'unseen-fields': z.object({ count: z.number() }),
  'unseen-waiters': nothing,
  'unseen-clients': nothing,
  'unseen-before-text': nothing,
  'unseen-connections': nothing,
  'unseen-when-recorded': z.object({ lack: recordedLack }),
  'unseen-replies': nothing,
  'unseen-script-lines': nothing,
  'unseen-key-events': z.object({ flags: text }),
  /** A right is missing. */
  'unseen-without-right': refused.extend({ loss: z.enum(LOSSES).exclude(['reading']) }),
  /** `names`: a few of the keys that this user may not read. `commands`: only these commands may not read them. */
  'unseen-keys': z.object({ user: text, names: z.array(text), commands: z.array(text).optional(), grant: text }),
  'unseen-databases': z.object({ user: text, databases: z.array(text), grant: text }),
} as const;

/** Requests and pages. */
const REQUEST_VALUES = {
  'bad-request': fault.extend({ where: z.enum(['query', 'header', 'body', 'path']) }),
  'unreadable-request': nothing,
  'not-sent': nothing,
  'too-long': nothing,
  'too-large': nothing,
  'bad-json': nothing,
  'bad-path': nothing,
  'not-json': nothing,
  'unknown-path': z.object({ method: text, path: text }),
  'wrong-method': z.object({ method: text, path: text, allowed: text }),
  'nothing-here': nothing,
  internal: nothing,
  'host-refused': nothing,
  'origin-refused': nothing,
  'site-refused': nothing,
  'token-required': nothing,
  'login-required': nothing,
  'too-many-tries': waitSeconds,
  busy: waitSeconds.extend({ why: z.enum(['waiting', 'unread', 'connection']) }),
  'unknown-source': nothing,
  'no-such-fleet-source': nothing,
  'ask-a-source': z.object({ path: z.string(), names: z.array(z.string()) }),
  'sources-unread': nothing,
  'unknown-lock': nothing,
  'unknown-client': nothing,
  'ambiguous-lock': places,
  'ambiguous-client': places,
  'not-in-memory': z.object({ what: z.enum(['range', 'lock']) }),
  'event-not-in-memory': z.object({ seq: number }),
  'lines-not-in-memory': z.object({ seq: number }),
  'in-the-future': z.object({ field: text, now: number }),
  forgotten: z.object({ oldestAt: number.optional() }),
  'no-metrics': nothing,
  'release-not-allowed': nothing,
  'release-not-confirmed': nothing,
  'release-unsafe': z.object({
    reason: z.enum(['free', 'kind', 'library', 'group', 'guessed', 'modes', 'no-queue', 'head-alive']),
  }),
  'release-changed': nothing,
  'release-unknown': nothing,
  'release-refused': quote,
  'no-demo': nothing,
  recording: nothing,
  'watched-elsewhere': nothing,
  'websocket-only': nothing,
  'too-many-pages': nothing,
  'too-many-streams': z.object({ most: number }),
  'bad-message': fault.extend({ name: text }),
  'unknown-message': z.object({ name: text }),
  restarted: nothing,
  'event-unknown': nothing,
  'missed-too-much': nothing,
  'too-many-changes': nothing,
  'too-much-at-once': nothing,
} as const;

/** The demo, its clients and its private servers. */
const DEMO_VALUES = {
  'key-in-use': z.object({ key: text }),
  'foreign-key': z.object({ prefix: text, isOdd: z.boolean(), longest: number }),
  'too-many-names': z.object({ most: number }),
  'no-such-scenario': known.extend({ scenario: text }),
  'recorded-demo': nothing,
  'no-such-client': known.extend(demoClient.shape),
  'no-such-thread': demoClient.extend({ thread: number, threads: number }),
  'wrong-state': demoClient.extend({ state: text, action: text.optional(), possible: z.array(text) }),
  'client-failed': demoClient.extend(quote.shape),
  'client-ended': demoClient.extend({ action: text }),
  'step-missing': z.object({ step: number, title: text }),
  'scenario-failed': quote,
  'servers-failed': quote,
  'no-docker': nothing,
  'docker-refused': nothing,
  'docker-stopped': nothing,
  'docker-silent': nothing,
  'no-image': quote.extend({ image: text }),
  'port-taken': quote,
} as const;

/** Recordings that are written, opened and kept. */
const RECORDING_VALUES = {
  /** Two of the servers whose lines are in one text. */
  'monitor-of-several': z.object({ one: text, other: text }),
  /** `line`: the line of the text that shows what it seems to be. */
  'not-a-recording': z.object({ seems: z.enum(NOT_RECORDINGS).optional(), line: number.optional() }),
  /** `format`: the format of the file. `reads`: the newest format that this version reads. */
  'recording-newer': z.object({ format: number, reads: number }),
  /** `field`: the field of the recording's first line that is missing or wrong. */
  'recording-damaged': z.object({ field: text }),
  'recording-too-large': z.object({ part: z.enum(['file', 'unpacked', 'line', 'memory']), megabytes: number }),
  'recording-too-long': z.object({ lines: number }),
  'recording-unreadable': z.object({ why: z.enum(['missing', 'is-folder', 'forbidden']) }),
  'recordings-full': z.object({ files: number, megabytes: number }),
  'recordings-disk-full': nothing,
  'unknown-recording': nothing,
  'unknown-problem': nothing,
  'recording-closed': z.object({ name: text }),
  'recording-yours': z.object({ name: text }),
  'not-a-file': nothing,
  'disk-full': z.object({ file: text }),
  /**
   * `--store` cannot write. `full`: the disk is full. `slow`: writing is too slow. `gone`: the database does not
   * answer.
   */
  'store-failed': z.object({ file: text, why: z.enum(['full', 'slow', 'gone', 'other']), quote: text }),
  /** The content of `--store` cannot be read now. */
  'store-unreadable': z.object({ file: text, quote: text }),
  'recording-failed': z.object({
    file: text,
    why: z.enum(['exists', 'no-folder', 'forbidden', 'is-folder', 'other']),
    quote: text,
  }),
} as const;

/** Thread dumps that are added and kept. */
const DUMP_VALUES = {
  'not-a-thread-dump': z.object({ why: z.enum(DUMP_FAULTS).exclude(['too-many-threads']) }),
  'thread-dump-too-many': z.object({ most: number }),
  'thread-dump-too-large': z.object({ megabytes: number }),
  'thread-dump-too-much': nothing,
  'thread-dumps-full': z.object({ dumps: number, megabytes: number }),
  'unknown-thread-dump': nothing,
} as const;

/** Texts that people open: MONITOR, and thread dumps. */
const TEXT_FILE_VALUES = {
  /** What is around a text. `prefix`: the first prefix; empty: none. `lines`: lines that do not belong to the text. */
  'text-skipped': z.object({ around: z.array(z.enum(WRAPPINGS)), prefix: text, lines: number }),
} as const;

/** Every problem, limit and reason that a server reports, with its values: the one list of codes. */
export const PROBLEM_VALUES = {
  ...REDIS_VALUES,
  ...WATCHING_VALUES,
  ...SIGHT_VALUES,
  ...REQUEST_VALUES,
  ...DEMO_VALUES,
  ...RECORDING_VALUES,
  ...DUMP_VALUES,
  ...TEXT_FILE_VALUES,
} as const;

export type ProblemCode = keyof typeof PROBLEM_VALUES;
export type ValuesOf<C extends ProblemCode> = z.infer<(typeof PROBLEM_VALUES)[C]>;
/** What is wrong with a field of a request or message. */
export type FieldFault = z.infer<typeof fault>;

/** What happened, and what to do next. The hint is empty if there is nothing to do. */
export type ProblemText = { readonly message: string; readonly hint: string };
/** The texts of some codes in one language. */
export type TextsOf<C extends ProblemCode> = { readonly [K in C]: (values: ValuesOf<K>) => ProblemText };
export type RedisCode = keyof typeof REDIS_VALUES;
export type WatchingCode = keyof typeof WATCHING_VALUES;
export type SightCode = keyof typeof SIGHT_VALUES;
export type RequestCode = keyof typeof REQUEST_VALUES;
export type DemoCode = keyof typeof DEMO_VALUES;
export type RecordingCode = keyof typeof RECORDING_VALUES;
export type DumpCode = keyof typeof DUMP_VALUES;
export type TextCode = keyof typeof TEXT_FILE_VALUES;
