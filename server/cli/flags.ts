import { z } from 'zod';
import { OBSERVE_LEVELS } from '../../shared/base/observe-level.ts';
import { problemOfGlob } from '../watch/reads/glob.ts';
import { DEFAULT_MEMORY, LEAST_MEMORY } from '../watch/terms/memory-shares.ts';

/** Every flag, in the format of `parseArgs`. */
export const FLAGS = {
  port: { type: 'string' },
  host: { type: 'string' },
  observe: { type: 'string' },
  match: { type: 'string', multiple: true },
  record: { type: 'string' },
  store: { type: 'string' },
  retain: { type: 'string' },
  'store-size': { type: 'string' },
  'configure-notifications': { type: 'boolean' },
  'allow-release': { type: 'boolean' },
  memory: { type: 'string' },
  token: { type: 'string' },
  'token-file': { type: 'string' },
  'tls-cert': { type: 'string' },
  'tls-key': { type: 'string' },
  redis: { type: 'string' },
  fleet: { type: 'boolean' },
  bus: { type: 'string' },
  'bus-size': { type: 'string' },
  as: { type: 'string' },
  'no-open': { type: 'boolean' },
  measure: { type: 'boolean' },
  yes: { type: 'boolean' },
  for: { type: 'string' },
  allow: { type: 'string', multiple: true },
  junit: { type: 'string' },
  'metrics-lock': { type: 'string', multiple: true },
  otlp: { type: 'string' },
  webhook: { type: 'string' },
  'webhook-template': { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

/** Flags that only a command with a page has. */
export const PAGE_FLAGS = ['port', 'host', 'no-open', 'token', 'token-file', 'allow-release'] as const;

const MEMORY_TEXT = '--memory takes a size from 256mb to 64gb, such as 512mb or 1gb.';
const PORT_TEXT = '--port takes a number from 0 to 65535; 0 picks a free port.';
const HOST_TEXT = '--host takes a host name or an address, such as 127.0.0.1.';
const TOKEN_TEXT = '--token, --token-file and LOCKSCOPE_TOKEN take 1 to 512 visible ASCII characters without spaces.';

const RETAIN_TEXT = '--retain takes a time from 1h to 3650d, such as 12h or 30d.';
const STORE_SIZE_TEXT = '--store-size takes a size from 16mb to 9999gb, such as 500mb or 10gb.';
/** The possible values of `--store`. */
export const STORE_TEXT = '--store takes a file name, such as locks.store, or a database: postgres://HOST/DATABASE.';

const BUS_TEXT = '--bus takes a Redis URL, such as redis://bus:6379.';
const BUS_SIZE_TEXT = '--bus-size takes a size from 1mb to 64gb, such as 64mb.';

const FOR_TEXT = '--for takes a time from 1s to 24h, such as 30s or 5m.';
const JUNIT_TEXT = '--junit takes a file name, such as lockscope.xml.';

const MOST_FOR_MS = 24 * 3_600_000;
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 24 * 3_600_000 };
const MOST_RETAIN_MS = 3650 * 24 * 3_600_000;
const LEAST_STORE = 16 * 1024 ** 2;

const MOST_MEMORY = 64 * 1024 ** 3;

/** The bytes of a size such as `512mb`. */
function bytesOfSize(size: string): number {
  return Number.parseInt(size, 10) * 1024 ** (size.toLowerCase().endsWith('gb') ? 3 : 2);
}

/** The milliseconds of a time such as `30s`. */
function millisOfTime(time: string): number {
  return Number.parseInt(time, 10) * (UNIT_MS[time.replace(/^\d+/, '')] ?? 1);
}

/** The schema of a flag with patterns for names of locks. */
function globs(flag: string) {
  const glob = z
    .string()
    .min(1, `${flag} takes a pattern, such as "orders:*".`)
    .max(1024, `${flag} is too long.`)
    .check(({ value, issues }) => {
      const why = problemOfGlob(value);
      if (why !== undefined) issues.push({ code: 'custom', input: value, message: `${flag} "${value}": ${why}.` });
    });
  return z.array(glob).max(100, `${flag} may be given 100 times at most.`).default([]);
}

/** The schema of the flags: allowed values, how they are parsed, and the defaults. */
export const flagValues = z.object({
  port: z
    .string()
    .regex(/^\d{1,5}$/, PORT_TEXT)
    .transform(Number)
    .pipe(z.number().max(65_535, PORT_TEXT))
    .default(4680),
  host: z
    .string()
    .transform((host) => host.replace(/^\[(.*)\]$/, '$1'))
    .pipe(z.string().regex(/^(?:[A-Za-z0-9._-]{1,253}|[0-9A-Fa-f:.]{2,45})$/, HOST_TEXT))
    .default('127.0.0.1'),
  observe: z
    .enum([...OBSERVE_LEVELS, 'auto'], { error: '--observe takes snapshot, events, replication, monitor or auto.' })
    .default('auto'),
  match: globs('--match'),
  'metrics-lock': globs('--metrics-lock'),
  token: z
    .string()
    .regex(/^[\x21-\x7e]{1,512}$/, TOKEN_TEXT)
    .optional(),
  memory: z
    .string()
    .regex(/^\d{1,5}(?:mb|gb)$/i, MEMORY_TEXT)
    .transform(bytesOfSize)
    .pipe(z.number().min(LEAST_MEMORY, MEMORY_TEXT).max(MOST_MEMORY, MEMORY_TEXT))
    .default(DEFAULT_MEMORY),
  'tls-cert': z.string().optional(),
  'tls-key': z.string().optional(),
  redis: z.string().optional(),
  bus: z.string().min(1, BUS_TEXT).max(4096, BUS_TEXT).optional(),
  'bus-size': z
    .string()
    .regex(/^\d{1,5}(?:mb|gb)$/i, BUS_SIZE_TEXT)
    .transform(bytesOfSize)
    .pipe(
      z
        .number()
        .min(1024 ** 2, BUS_SIZE_TEXT)
        .max(MOST_MEMORY, BUS_SIZE_TEXT),
    )
    .default(64 * 1024 ** 2),
  as: z.string().optional(),
  record: z.string().min(1, '--record takes a file name, such as night.lockscope.').max(4096).optional(),
  store: z.string().min(1, STORE_TEXT).max(4096, STORE_TEXT).optional(),
  retain: z
    .string()
    .regex(/^\d{1,5}[hd]$/, RETAIN_TEXT)
    .transform(millisOfTime)
    .pipe(z.number().min(3_600_000, RETAIN_TEXT).max(MOST_RETAIN_MS, RETAIN_TEXT))
    .default(30 * 24 * 3_600_000),
  'store-size': z
    .string()
    .regex(/^\d{1,4}(?:mb|gb)$/i, STORE_SIZE_TEXT)
    .transform(bytesOfSize)
    .pipe(z.number().min(LEAST_STORE, STORE_SIZE_TEXT))
    .default(10 * 1024 ** 3),
  for: z
    .string()
    .regex(/^\d{1,8}(?:ms|s|m|h)$/, FOR_TEXT)
    .transform(millisOfTime)
    .pipe(z.number().min(1000, FOR_TEXT).max(MOST_FOR_MS, FOR_TEXT))
    .optional(),
  allow: z.array(z.string()).max(100, '--allow may be given 100 times at most.').default([]),
  junit: z.string().min(1, JUNIT_TEXT).max(4096, JUNIT_TEXT).optional(),
  otlp: z.string().max(4096, '--otlp is too long.').optional(),
  webhook: z.string().max(4096, '--webhook is too long.').optional(),
  'webhook-template': z.string().optional(),
  'configure-notifications': z.boolean().default(false),
  'allow-release': z.boolean().default(false),
  fleet: z.boolean().default(false),
  measure: z.boolean().default(false),
  yes: z.boolean().default(false),
  'no-open': z.boolean().default(false),
  json: z.boolean().default(false),
});
export type Flags = z.infer<typeof flagValues>;
/** Whether the command line has a flag. */
export type Given = (flag: keyof typeof FLAGS) => boolean;

type OptionToken = { name: string; rawName: string; value: string | undefined; inlineValue: boolean | undefined };

/** Returns why a flag is refused: it is unknown, needs a value or takes none. `undefined` if it is valid. */
export function flagProblem({ name, rawName, value, inlineValue }: OptionToken): string | undefined {
  const flag = Object.hasOwn(FLAGS, name) ? FLAGS[name as keyof typeof FLAGS] : undefined; // `hasOwn` shows that the key exists
  if (!flag) return `Unknown flag ${rawName}. "lockscope --help" lists the flags.`;
  if (flag.type === 'boolean') return value === undefined ? undefined : `${rawName} takes no value.`;
  const looksLikeFlag = value?.startsWith('-') === true && inlineValue !== true;
  if (value === undefined || looksLikeFlag) return `${rawName} needs a value, as in ${rawName}=VALUE.`;
  return undefined;
}
