import { looksLikeDump } from '../../shared/dumps/looks-like-dump.ts';
import type { RecordingProblem } from '../../shared/recording/read-recording.ts';
import { fileKindOf, isEncoded } from '../../shared/unwrap/file-kinds.ts';
import { textOfBytes } from '../../shared/unwrap/text-bytes.ts';
import { problem } from '../../shared/wire/problems/problem.ts';
import type { ValuesOf } from '../../shared/wire/problems/values.ts';

type Seems = NonNullable<ValuesOf<'not-a-recording'>['seems']>;

/** Enough for the beginning of a thread dump after the lines of a log. */
const HEAD_BYTES = 65_536;
/** Enough to know the kind of a file that is not a text. */
const KIND_BYTES = 512;

/** The first bytes of a file that is being read: they show what it seems to be if it is not a recording. */
export class FileHead {
  #bytes = Buffer.alloc(0);

  add(bytes: Buffer): void {
    const room = HEAD_BYTES - this.#bytes.length;
    if (room > 0) this.#bytes = Buffer.concat([this.#bytes, bytes.subarray(0, room)]);
  }

  /** True as soon as the file is known not to be a text. */
  get isOfAnotherKind(): boolean {
    return this.#bytes.length >= KIND_BYTES && otherKindOf(this.#bytes) !== undefined;
  }

  /**
   * Why the file is not a recording. `isEmpty`: the file has no bytes; otherwise a head without bytes means that
   * reading failed.
   */
  problem(isEmpty = false): RecordingProblem {
    if (this.#bytes.length === 0) return problem('not-a-recording', isEmpty ? { seems: 'empty' } : {});
    const kind = otherKindOf(this.#bytes);
    return problem('not-a-recording', kind ? { seems: kind } : kindOfText(textOfBytes(this.#bytes).text));
  }
}

/** The kind of a file that is not a text. The source of a mail counts as a text. */
function otherKindOf(bytes: Uint8Array): Exclude<ReturnType<typeof fileKindOf>, 'encoded'> {
  const kind = fileKindOf(bytes);
  return kind === 'encoded' ? undefined : kind;
}

/**
 * `12:M 18 Nov 2026 10:26:40.123 * Ready`, with other times since Redis 8, and with fields if Valkey has
 * `log-format logfmt`.
 */
const REDIS_LOG =
  /^[^\n]{0,200}(?:\b\d{1,10}:[XCSM]|\[\d{1,10}\]) (?:\d\d [A-Z][a-z]{2} (?:\d{4} )?|\d{4}-\d\d-\d\dT)\d\d:\d\d:\d\d\.\d{3}\S{0,9} [.*#-] |^[^\n]{0,200}\bpid=\d{1,10} role=\w/m;
/**
 * A line of MONITOR with its time in another form: `10:26:40.037` as in RedisInsight's profiler, a date, milliseconds,
 * a decimal comma, or no time. Six decimals after the seconds of a clock look like the time of MONITOR only at first
 * sight.
 */
const OTHER_TIMES =
  /(?:(?<!\d)\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d| \d{4})?\]?|\b(?!\d{9,12}\.\d{6} )\d{9,13}(?:[.,]\d{1,9})?|\d[.,]\d{1,9}E\+\d{1,2}|^)\s?\[(?:db)?\d{1,9} [^\s"\]]{1,200}\]\s"[^"]/m;
/**
 * The time of MONITOR, but not the rest as `redis-cli` writes it since Redis 2.6:
 *
 *   1795000001.000001 "get" "k"                                  Redis 2.2
 *   1795000001.000001 (db 1) "get" "k"                           Redis 2.4
 *   1795000001.000001 [ 'get', 'k' ] 10.0.0.7:51422 0            ioredis
 *   1795000001.000001: get,k                                     node-redis before 4
 *   {'time': 1795000001.000001, 'db': 0, 'client_address': …     redis-py
 *   1795000001.000001 [0 10.0.0.7:51422] 'get' 'k'               other quotes
 *   1795000001.000001 [name 10.0.0.7:51422] "get" "k"            another server
 *   1795000001.000001   [0   10.0.0.7:51422]   get   k           columns of a spreadsheet
 *   "get" "k"                                                    cut off in front
 *   {"time": 1795000001.000001, "command": ["get", "k"]}         a list of words in JSON
 */
const OTHER_FORM =
  /\b\d{9,12}\.\d{6}(?:: \w|\s{1,4}(?:\(db \d|"[^"]|\[\s{0,9}['"]|\[[\w-]{1,40} [^\s"\]]{1,200}\]\s|\[\d{1,9}\t)|","\[\d{1,9}",")|'time': \d{9,12}\.\d{1,6}, 'db': |["'](?:args|argv|cmd|command|words)["']\s?:\s?\[\s?["'](?:get|set|del|eval(?:sha)?|h?exists|hincrby|publish|subscribe)["'],|^"(?:get|set|del|eval(?:sha)?|h?exists|hincrby|publish|subscribe)" "(?!\/|https?:)/im;
const APPEND_ONLY = /^\*\d{1,9}\n\$\d{1,9}\n|^file \S{1,200} seq \d{1,9} type [bih]\b/m;

/** Answers of Redis to other commands than MONITOR, after a prompt or not. */
const ANSWERS: readonly (readonly [form: RegExp, seems: Seems])[] = [
  [
    /^(?:redis_version|connected_clients|used_memory|cmdstat_\w{1,40}|cluster_state|db\d{1,9}:keys)[:=]\S/m,
    'redis-info',
  ],
  [
    /^(?:[^\n"]{0,40}")?id=\d{1,18} addr=\S{1,200} |["']addr["']: ["'][^"'\n]{1,200}["'],[^\n]{0,600}["']flags["']: /m,
    'client-list',
  ],
  [
    /^\s{0,9}\d{1,9}\) 1\) \(integer\) \d{1,18}\n\s{1,20}2\) \(integer\) \d{9,12}\n\s{1,20}3\) \(integer\) \d|"Duration \(us\)"\s?:|["']start_time["']: \d{9,12}, ["']duration["']: \d/m,
    'slowlog',
  ],
  [
    /^(?:(?:\(error\) |-)(?:ERR|[A-Z]{4,12})|NOAUTH|NOPERM|WRONGPASS) [^\n]{3}|^Could not connect to (?:Redis|Valkey) at /m,
    'redis-error',
  ],
  [
    /^(?:\s{0,9}\d{1,9}[)#~]\s{1,3}(?:"|\(integer\) |\(nil\)|\d{1,9}\) )|\((?:integer\) -?\d|nil\)$|empty )|[ps]?message\n__key|[\da-f]{40} \S{1,300}@\d{1,5}\S{0,300} (?:myself,)?(?:master|slave))|^# Scanning the entire keyspace|^-{3,9} data -{3,9} |^"?p?s?(?:message|subscribe)"?,"?__key|["']type["']: ["']p?s?(?:message|subscribe)["']|^[^\n]{1,60} [ps]?message\n[^\n]{1,60} __key/m,
    'redis-reply',
  ],
];

/**
 * A copy of a recording that does not begin as one: with other text around it, in another form, or without its first
 * lines.
 */
const RECORDING = /["\u201c\u201d]lockscope["\u201c\u201d]\s{0,9}:|^\{"at":\d{1,17},"/m;

/** The kinds of texts that are recognised by one of their lines. */
const TEXTS: readonly (readonly [form: RegExp, seems: Seems])[] = [
  [RECORDING, 'recording-text'],
  [REDIS_LOG, 'redis-log'],
  [OTHER_TIMES, 'other-times'],
  [OTHER_FORM, 'other-form'],
  [APPEND_ONLY, 'commands'],
  ...ANSWERS,
];

function kindOfText(text: string): ValuesOf<'not-a-recording'> {
  if (text === '') return { seems: 'binary' }; // nothing but NULs
  if (text.trim() === '') return { seems: 'empty' };
  if (looksLikeDump(text)) return { seems: 'thread-dump' };
  for (const [form, seems] of TEXTS) {
    const found = form.exec(text);
    if (found) return { seems, line: lineAt(text, found) };
  }
  return isEncoded(text) ? { seems: 'encoded' } : {};
}

/** The number of the line with the first character of what was found, without leading blanks. */
function lineAt(text: string, { 0: found, index }: RegExpExecArray): number {
  return text.slice(0, index + found.search(/\S/)).split('\n').length;
}
