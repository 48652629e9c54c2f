import { fileURLToPath } from 'node:url';
import type { Program } from '../support/clients/reporting-process.ts';
import { buildGo, buildJava, findPhp, installNode, installPython } from './install.ts';

/** Client programs. Each has the locks of one library or of several. */
export type ClientId =
  | 'redis-py'
  | 'redlock-4'
  | 'redlock-5'
  | 'sesamecare'
  | 'redis-semaphore'
  | 'python-redis-lock'
  | 'redlock-universal'
  | 'upstash'
  | 'effect'
  | 'rueidislock'
  | 'symfony'
  | 'laravel'
  | 'celery'
  | 'bullmq'
  | 'spring-5'
  | 'spring-7';

/** A library, or one way to use it. */
export type Library = {
  readonly id: string;
  readonly client: ClientId;
  /** The name of this kind of lock in the commands of its client. */
  readonly kind: string;
  /** The name of the library that Lockscope must report. */
  readonly library: string;
  /** The key of a lock with that name. */
  keyOf(name: string): string;
  /** Whether the library can renew a lease. */
  readonly canExtend: boolean;
  /** Stories that the library cannot play. */
  readonly without?: readonly string[];
};

const same = (name: string): string => name;
const spin = (name: string): string => `spin-locks:${name}`;
const pubsub = (name: string): string => `pubsub-locks:${name}`;
const job = (name: string): string => `job-lock:default:${name}`;
const mutex = (name: string): string => `mutex:${name}`;
const signalled = (name: string): string => `lock:${name}`;
const cached = (name: string): string => `laravel_cache:${name}`;
const ofLock4j = (name: string): string => `lock4j:${name}`;
/** The keys of a lock of rueidislock: the middle one of three keys, and the only key of a lock with one. */
const middle = (name: string): string => `rueidislock:1:${name}`;
const only = (name: string): string => `single:0:${name}`;
const SPRING = { library: 'spring-integration' } as const;

/** Libraries with locks that are acquired and released by name. */
export const LIBRARIES: readonly Library[] = [
  { id: 'redis-py', client: 'redis-py', kind: 'lock', library: 'redis-py', keyOf: same, canExtend: true },
  { id: 'redlock-4', client: 'redlock-4', kind: 'lock', library: 'redlock', keyOf: same, canExtend: true },
  { id: 'redlock-5', client: 'redlock-5', kind: 'lock', library: 'redlock', keyOf: same, canExtend: true },
  { id: 'sesamecare', client: 'sesamecare', kind: 'lock', library: 'sesamecare-redlock', keyOf: same, canExtend: true },
  {
    ...{ id: 'redis-semaphore', client: 'redis-semaphore', kind: 'mutex', library: 'redis-semaphore' },
    ...{ keyOf: mutex, canExtend: false },
  },
  {
    ...{ id: 'python-redis-lock', client: 'python-redis-lock', kind: 'lock', library: 'python-redis-lock' },
    ...{ keyOf: signalled, canExtend: true },
  },
  { id: 'spring-5.5-spin', client: 'spring-5', kind: 'spin', ...SPRING, keyOf: spin, canExtend: false },
  { id: 'spring-5.5-pubsub', client: 'spring-5', kind: 'pubsub', ...SPRING, keyOf: pubsub, canExtend: false },
  { id: 'spring-7.1-spin', client: 'spring-7', kind: 'spin', ...SPRING, keyOf: spin, canExtend: true },
  { id: 'spring-7.1-pubsub', client: 'spring-7', kind: 'pubsub', ...SPRING, keyOf: pubsub, canExtend: true },
  {
    ...{ id: 'redlock-universal', client: 'redlock-universal', kind: 'lock', library: 'redlock-universal' },
    ...{ keyOf: same, canExtend: true },
  },
  { id: 'upstash-lock', client: 'upstash', kind: 'lock', library: 'upstash', keyOf: same, canExtend: true },
  {
    ...{ id: 'rueidislock', client: 'rueidislock', kind: 'lock', library: 'rueidislock' },
    // The story steals one key, but the client still has two.
    ...{ keyOf: middle, canExtend: false, without: ['stolen'] },
  },
  {
    ...{ id: 'rueidislock-single', client: 'rueidislock', kind: 'single', library: 'rueidislock' },
    ...{ keyOf: only, canExtend: false },
  },
  { id: 'lock4j', client: 'spring-7', kind: 'lock4j', library: 'lock4j', keyOf: ofLock4j, canExtend: false },
  { id: 'laravel', client: 'laravel', kind: 'lock', library: 'laravel', keyOf: cached, canExtend: false },
  { id: 'shedlock', client: 'spring-7', kind: 'shedlock', library: 'shedlock', keyOf: job, canExtend: true },
  { id: 'shedlock-safe', client: 'spring-7', kind: 'safe', library: 'shedlock', keyOf: job, canExtend: true },
];

/** Libraries with locks that are sorted sets: each holder has a permit. */
export const PERMIT_LIBRARIES: readonly Pick<Library, 'client' | 'library' | 'keyOf'>[] = [
  { client: 'effect', library: 'effect-distributed-lock', keyOf: (name) => `semaphore:${name}` },
  { client: 'symfony', library: 'symfony', keyOf: same },
];

/** Installs what each client needs, and returns how to start it. */
export const PROGRAMS: Readonly<Record<ClientId, (port: number, name: string) => Promise<Program>>> = {
  'redis-py': async (port, name) => ({
    command: await installPython(),
    args: [fileOf('python/redis_py_client.py'), ...options(port, name)],
  }),
  'python-redis-lock': async (port, name) => ({
    command: await installPython(),
    args: [fileOf('python/redis_lock_client.py'), ...options(port, name)],
  }),
  celery: async (port, name) => ({
    command: await installPython(),
    args: [fileOf('python/celery_client.py'), ...options(port, name)],
  }),
  sesamecare: (port, name) => node('sesamecare', port, name),
  'redis-semaphore': (port, name) => node('redis-semaphore', port, name),
  'redlock-4': (port, name) => node('redlock-4', port, name),
  'redlock-5': (port, name) => node('redlock-5', port, name),
  'redlock-universal': (port, name) => node('redlock-universal', port, name),
  upstash: (port, name) => node('upstash', port, name),
  effect: (port, name) => node('effect', port, name),
  rueidislock: async (port, name) => ({
    command: await shared('go', buildGo),
    args: ['-address', `127.0.0.1:${port}`, '-name', name],
  }),
  symfony: (port, name) => php('symfony', port, name),
  laravel: (port, name) => php('laravel', port, name),
  bullmq: (port, name) => node('bullmq', port, name),
  'spring-5': (port, name) => java('5', 'SpringClient', port, name),
  'spring-7': (port, name) => java('7', 'withshedlock.SpringAndShedClient', port, name),
};

/** Running and finished installations, so that each is started only once. */
const underWay = new Map<string, Promise<string>>();

async function node(client: string, port: number, name: string): Promise<Program> {
  await shared('node', async () => {
    await installNode();
    return '';
  });
  return { command: process.execPath, args: [fileOf(`node/${client}.mjs`), ...options(port, name)] };
}

async function php(client: string, port: number, name: string): Promise<Program> {
  const command = await shared('php', findPhp);
  return { command, args: [fileOf(`php/${client}_client.php`), ...options(port, name)] };
}

async function java(spring: '5' | '7', main: string, port: number, name: string): Promise<Program> {
  const classpath = await shared(spring, () => buildJava(spring));
  const quick = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Xshare:auto', '-Xmx128m'];
  return { command: 'java', args: [...quick, '-cp', classpath, `lockscope.other.${main}`, String(port), name] };
}

function shared(what: string, job: () => Promise<string>): Promise<string> {
  const started = underWay.get(what) ?? job();
  underWay.set(what, started);
  return started;
}

function options(port: number, name: string): string[] {
  return ['--url', `redis://127.0.0.1:${port}`, '--name', name];
}

function fileOf(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
