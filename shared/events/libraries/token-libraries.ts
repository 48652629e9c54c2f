import type { LineSignal } from '../../signals/signal.ts';
import { scriptShaOf } from '../../signals/step.ts';
import { bareWord } from './bare-word.ts';

/**
 * The purpose of a library's script. `keep`: it acquires and renews. `force`: it acquires even if another token holds
 * the lock.
 */
export type TokenOperation = 'acquire' | 'force' | 'keep' | 'renew' | 'release' | 'query';

/** A script that a library ships, and its purpose. */
export type LibraryScript = {
  readonly library: string;
  readonly operation: TokenOperation;
  /** A release that its library also runs after a refused renewal. */
  readonly tidiesUp?: true;
  /** A renewal that sets the key again if it is gone. */
  readonly revives?: true;
  /** Each key of the script has a separate token. */
  readonly hasTokens?: true;
};

/**
 * Scripts of lock libraries by the SHA1 of their texts. The SHA shows the library, and the purpose of a script that
 * failed after a single `get`. What a script did is read from its inner commands.
 */
const SCRIPTS: readonly (readonly [library: string, operation: TokenOperation, ...shas: string[]])[] = [
  ['redis-py', 'release', 'c3f8721cbb97f72bc19e972846bd7aaf91901658'],
  ['redis-py', 'renew', 'a4e8783852e6b949f9ef3a97212805108459a890', '1cac51482acf5858da00f6d685d68f886cd6b6b2'],
  ['redis-py', 'renew', '411b7c153e0ab3ba59d6d1e36cc7858ebd76f2c5'], // of celery-redbeat, on a lock of redis-py
  ['redlock', 'acquire', '96da70f7716f27d278a5218544df37fd8b0a5e4c', 'e5a322e2634ef59a516e8ea150cb085afafee684'],
  ['redlock', 'renew', 'aed6f382e410db8ba7926d4e5e9aab410bf2a78a', 'ce46f80993d5dac20dd066eb301a4e37994bdbed'],
  ['redlock', 'release', 'e4612211c9f8f51c257e26e056b0a654b3187242', '0f0f23b9048b36752b5be114f357ba083449f908'],
  ['sesamecare-redlock', 'acquire', '1b77b94aa78451d55dfa97e18819bfbfc596cb5b'],
  ['sesamecare-redlock', 'renew', '820e9778d2b6733e9ed771e4be90ae73a95a6f3b'],
  ['sesamecare-redlock', 'release', 'df51f6837dcfe303d334e6abea9aeae192bab216'],
  ['redlock-rb', 'keep', 'ceb2b2062e40c51a2b3963fd078bc71f11bdc65c'],
  [
    'spring-integration',
    'acquire',
    '175897a4e379e99e79a54937be09226f76cdcfe5',
    '6d2bc6d16248df19e144841297222544e3c7800a',
  ],
  ['spring-integration', 'renew', '879e0f7b8d83c3266d4e996627438c05dbda0b89'],
  [
    'spring-integration',
    'release',
    'f0f9038aa2b6d6c3436c72d147573ea2a58f0ef2',
    '7a71e9443a2a41539fb115a5a27d5a748a871aed',
  ],
  ['spring-integration', 'release', 'c1ae6c899d164de076f40ffe82eba8fb8e27af6c'],
  ['shedlock', 'release', '194f3902b2dd08557818d09fc2e7682d91480e53'],
  ['shedlock', 'renew', '67256370c2d1c87e2250898075542b1a7fa5b917'],
  ['redsync', 'release', 'e950836ed1e694540c503ef9972b8de518044d3b'],
  ['redsync', 'renew', 'd75bb8b5bd13532ddedd17762e772346e39b321e', 'b6b55c439e02c6f52ffb8be7ec8c0d0ac816ea79'],
  ['redislock', 'acquire', 'eb0c00d98f6f33b4262419a509002884540f30be', '80a1b5f2cfccec3b7119ba7721d2127682b691a7'],
  ['redislock', 'renew', '5a22d7e8431313862816d4416b5e46dd70fc340d'], // many others use the scripts of 0.9
  ['redislock', 'release', '9470c810040e272ee6c579d8d4331aaf6332a7b1'],
  ['redislock', 'query', '66e1084c2d842a7e8c271925aae90219fac4e129', '6484da7d58920897fdc22b7f9afd1a3d47524ea8'],
  ['aioredlock', 'keep', 'c75a9bf1538efcdb1f383acc3e273c5089d57e58'],
  ['aioredlock', 'release', '241e4ca540a1cc4ec1f32d9eb9f879e607d7e6e5'],
  ['aioredlock', 'query', 'f908d3f43dbcabc68fc0c9ecaf1fa4a285ecdb0a'],
  ['pottery', 'release', 'a4aada0b36710970eedaaaeec4a6b7d8c78c4f80'],
  ['pottery', 'renew', 'ba015a80261b616e7a62d35df0b8e3edbe6c9414'],
  ['pottery', 'query', 'f5f7bd3a3aa4a63c507c1155c5ea1219b350d992'],
  ['python-redis-lock', 'release', '90da91872223f85eb1376a17e3c4df21ace8c54b'],
  ['python-redis-lock', 'renew', 'fed16109024d968d9496e4140fe1355bac05ebff'],
  ['walrus', 'acquire', 'd893d8da0844b834c9c5a41fb79b469749e6f442'],
  ['walrus', 'release', '758ee2fc57c84a93a25cd712f592a1b4898d6c03'],
  ['redis-semaphore', 'renew', '594683e49a64ebaf975caf5f8079a1d097c438f1'],
  ['redis-semaphore', 'release', '7157921a7cc7cfba979acf6d63f073151df17d12'],
  // the semaphores of redis-semaphore
  [
    'redis-semaphore',
    'acquire',
    '43ebdb49120d170e08af560cb4e46e36f8585936',
    '10c1c2e05e7c48aa5824d227b8c51abcde87b18e',
  ],
  ['redis-semaphore', 'renew', '999a49a1d07671a8027165641001f5bad44608b3', '2327bcdc5edb5b8687f6d19b5e1f42b815ebddab'],
  ['redis-semaphore', 'release', '0bd1010c98f1ddd70a6024fd374489a8ea3d2c12'],
  // each in two forms: servers before 6.2 need an end in milliseconds from now
  ['rueidislock', 'acquire', '3875d208d9e377969d2022550302cc83ad17b584', 'fa3d1aaa7e4145457755016a3d5daf72fa7a11bf'],
  ['rueidislock', 'force', 'c10e8119872659b926e8e28002d9b7fccbf15617', '4384ed08baff4dd7071b6c78c516a2fded4ee3e7'],
  ['rueidislock', 'release', '9eb62214c9af87ae5f9a9f12bb4520281c0d2ae1', '7726c7be95e2a0ed082ec1da1e26b562f5c8903f'],
  ['rueidislock', 'renew', '852ba6ec6104340ced36643283c856d4698569e4', '8c2dd3ce05f3aace5fa1002a403139a7fbab3226'],
  ['redlock-universal', 'acquire', '514d8d1b08387624661da2a9098d3949b633eb3a'],
  [
    'redlock-universal',
    'renew',
    'e218d686a8f90368e5cd45074f06ce766cad9987',
    'c000e088bd4aca36ab429d3b7a16fc736f4cb6f1',
  ],
  ['redlock-universal', 'release', 'fd83166fb3d7235e3ace652b700c9e217c1adc1f'],
  ['upstash', 'release', '59bc3e108ef7f99b02996a98489960c0edcc9945'],
  ['upstash', 'renew', '459cfa2e6c93bad7aa427b850f346bf836b2002d'],
  ['effect-distributed-lock', 'acquire', '9037db23a553feabcd3e941495ac4969663510ae'],
  ['effect-distributed-lock', 'renew', '798f1d516faeb26f4438a51a9ec7f6d6afdbe0fe'],
  ['effect-distributed-lock', 'release', 'e40f8de9965bb11f3bace5f618ab67503ef0ecb1'],
  ['effect-distributed-lock', 'query', '66d4fdbc9c885522a2f52ede9f748c3e492d4024'],
  ['laravel', 'renew', 'd5f94f1848f0c54fff99d99dbc4d54184a157c02'], // others use the same text for a release
  ['php-redis-lock', 'release', '9bdce90060b1eb1923ba581ffba7051865f063d7'],
  ['php-redis-lock', 'renew', 'b414769872ec8518662b9f29e83fc691b0349f45'],
  ['lock4j', 'release', '8346c71009ae4c895ff1757a6743ec825a38b42d'],
  ['lock4j', 'renew', '86b4fe869d9cbdd1d98fbd1a558026fd419f7ce5'],
  ['warlock', 'release', '5cc368fb92acd8fee3a986dc8e971d6cf28c3b44'],
  ['warlock', 'renew', '78d3bb55c589f1b2edf66f3527f5017f8dfcd6bb'],
  ['redlock4j', 'release', '03b6eaf590f4179cc64843b7ddf122a1857ff9a5'],
  ['redlock4j', 'renew', 'eae814dc2bf676c72cc2f9d6bb7d2eb7dcdc37b5'],
  // each with LF and with CRLF: this depends on the build
  ['redlock-net', 'renew', '9f614a785a5f9ae8c6396c6b4bf94d2087342603', '3e7c6bf3e080bb97a92e77362149c26252b98212'],
  ['redlock-net', 'release', '18b2a577dbe847b16bebde190d69a1613d68e60e', 'cb0427378f700ddb2f0e9394dbb0a40bd6dba04a'],
];

/** node-redlock 4, release. */
const TIDIES_UP = '0f0f23b9048b36752b5be114f357ba083449f908';

/** redlock-universal, several locks in one step. */
const WITH_TOKENS = '514d8d1b08387624661da2a9098d3949b633eb3a';

/** The library whose renewal sets the key again if it is gone. */
const REVIVING = 'redlock-net';

/** Libraries of PHP and Node whose client has one connection: it opens another one only after the first has ended. */
const WITHOUT_POOL: ReadonlySet<string> = new Set([
  'laravel',
  'symfony',
  'phpredis',
  'redlock',
  'sesamecare-redlock',
  'redis-semaphore',
  'redlock-universal',
]);

/** Whether clients of this library acquire and release a lock on one connection. */
export function hasNoPool(library: string | undefined): boolean {
  return library !== undefined && WITHOUT_POOL.has(library);
}

/** Tests of a key and a token, for keys that look like a lock of only one library. */
type LooksLike = (key: string, token: string) => boolean;

const isShedLock: LooksLike = (_, token) => SHEDLOCK.test(token);
const isRedsync: LooksLike = (_, token) => SIXTEEN_BYTES.test(token);
const isRedlockUniversal: LooksLike = (_, token) => SIXTEEN_BYTES_HEX.test(token);
const isLock4j: LooksLike = (key, token) => key.startsWith('lock4j:') && SIXTEEN_BYTES_HEX.test(token);

/**
 * Hashes of scripts that several libraries or applications use with the same text. Such a script shows the library only
 * if the key and the token have the form that the library uses.
 */
const COMMON: ReadonlyMap<string, LooksLike> = new Map([
  ['18b2a577dbe847b16bebde190d69a1613d68e60e', isOfQuorum],
  ['cb0427378f700ddb2f0e9394dbb0a40bd6dba04a', isOfQuorum],
  ['194f3902b2dd08557818d09fc2e7682d91480e53', isShedLock],
  ['d75bb8b5bd13532ddedd17762e772346e39b321e', isRedsync],
  ['8346c71009ae4c895ff1757a6743ec825a38b42d', isLock4j],
  ['7726c7be95e2a0ed082ec1da1e26b562f5c8903f', (key) => key.startsWith('rueidislock:')],
  ['fd83166fb3d7235e3ace652b700c9e217c1adc1f', isRedlockUniversal],
  ['e218d686a8f90368e5cd45074f06ce766cad9987', isRedlockUniversal],
]);

const bySha = new Map<string, LibraryScript>();
for (const [library, operation, ...shas] of SCRIPTS) {
  for (const sha of shas) {
    const tidiesUp = sha === TIDIES_UP ? ({ tidiesUp: true } as const) : undefined;
    const revives = library === REVIVING && operation === 'renew' ? ({ revives: true } as const) : undefined;
    const hasTokens = sha === WITH_TOKENS ? ({ hasTokens: true } as const) : undefined;
    bySha.set(sha, { library, operation, ...tidiesUp, ...revives, ...hasTokens });
  }
}

/** The library script that a command calls; undefined for any other. */
export function libraryScriptFromHead(head: LineSignal): LibraryScript | undefined {
  const sha = scriptShaOf(head);
  const [, , , key = '', token = ''] = head.words;
  return COMMON.get(sha)?.(key, token) === false ? undefined : bySha.get(sha);
}

/**
 * Whether a key belongs to a unique job: the client that queues the job sets it, and the worker that ran the job
 * deletes it.
 */
export function isUniqueJob(key: string): boolean {
  return LARAVEL_JOB.test(key) || SINGLETON.test(key) || ONCE.test(key);
}

/** What the name and the value of a string key show about the lock that it is. */
export type FoundToken = {
  /** The library that uses such a key; undefined: not known. */
  readonly library: string | undefined;
  /** False: the name and value of the key only look like a lock's. */
  readonly isSure: boolean;
};

/**
 * What the name and the value of a key show about the library that sets it; undefined: nothing. Locks of Pottery and of
 * RedLock.net look the same, so these are certainly locks, but their library is not known.
 */
export function libraryOfValue(key: string, value: string): FoundToken | undefined {
  if (SCHEDULE.test(key) || LARAVEL_JOB.test(key)) return { library: 'laravel', isSure: true };
  if (SINGLETON.test(key)) return { library: 'celery-singleton', isSure: true };
  if (ONCE.test(key) && UUID1_HEX.test(value)) return { library: 'celery-once', isSure: true };
  if (LARAVEL_CACHE.test(key) && LARAVEL_OWNER.test(value)) return { library: 'laravel', isSure: false };
  if (SEATA.test(key) && HOST_AND_PORT.test(value)) return { library: 'seata', isSure: true };
  if (PHP_SESSION.test(key)) return { library: 'phpredis', isSure: true };
  if (SHEDLOCK.test(value)) return { library: 'shedlock', isSure: key.startsWith('job-lock:') };
  if (isOfQuorum(key, value)) return { library: undefined, isSure: true };
  if (UUID1_HEX.test(value)) return { library: 'redis-py', isSure: false };
  if (UUID1_BASE64.test(value)) return { library: key.endsWith(':lock') ? 'warlock' : undefined, isSure: false };
  return SIXTEEN_BYTES.test(value) ? { library: 'redsync', isSure: false } : undefined;
}

/** Whether a lock is Pottery's or RedLock.net's: both lock the same key on several servers, with one token. */
export function isOfQuorum(key: string, value: string): boolean {
  return key.startsWith('redlock:') && UUID4.test(value);
}

/** Whether a word looks random enough to be a client's token. */
export function isTokenLike(value: string): boolean {
  const word = bareWord(value);
  if (!/^[\w+/=:@.-]{16,120}$/.test(word)) return false;
  return /\d/.test(word) ? /[a-z]/i.test(word) && !/^[\d.:TZ-]+$/.test(word) : isMixed(word);
}

/**
 * Whether a word without a digit is random: one in forty base64 tokens has no digit. A name such as `pool.OrderThread`
 * changes its case less often.
 */
function isMixed(word: string): boolean {
  const changes = word.match(/(?<=[a-z])[A-Z]|(?<=[A-Z])[a-z]/g)?.length ?? 0;
  return changes * 3 >= word.length && /[A-Z]{2}/.test(word);
}

/** Laravel's locks of scheduled tasks, after a prefix. */
export const SCHEDULE = /(?:^|[:_-])framework\/schedule-[0-9a-f]{6,40}$/;
/** The value of a ShedLock lock, without a uuid until ShedLock 6.7. */
const SHEDLOCK = /^ADDED:\d{4}-\d\d-\d\dT[\d:.]+Z@([^:]*)(?::[0-9a-f-]{36})?$/;

/** Whether two tokens name different machines, as those of ShedLock do: their clients share no connection. */
export function areOfOtherHosts(one: string, other: string): boolean {
  const [first, second] = [one, other].map((token) => SHEDLOCK.exec(token)?.[1]);
  return first !== undefined && second !== undefined && first !== second;
}

/** The names of unique jobs of Laravel, celery-singleton and celery-once. */
const LARAVEL_JOB = /(?:^|[:_-])laravel_unique_job:/;
const SINGLETON = /^SINGLETONLOCK_[0-9a-f]{32}$/;
const ONCE = /^qo_/;
/** The jobs of Seata's servers, each of which runs on one server at a time; the value is the address of the server. */
const SEATA =
  /^(?:AsyncCommitting|Committing|RetryCommitting|RetryRollbacking|Rollbacking|SyncProcessing|TxTimeoutCheck|UndologDelete)$/;
const HOST_AND_PORT = /^[\w.:-]+:\d{2,5}$/;
/** The lock of a session of PHP; its value is the host and the process. */
const PHP_SESSION = /PHPREDIS_SESSION:.+_LOCK$/;
/**
 * A key of Laravel's cache with the prefix that a new application has by default, and the owner that `Cache::lock`
 * writes into it.
 */
const LARAVEL_CACHE = /(?:^|[:_-])laravel[_-]cache[:_-]/;
const LARAVEL_OWNER = /^[A-Za-z0-9]{16}$/;
export const UUID4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/**
 * A uuid of version 1 without its dashes, generated between 2011 and 2053: other random words look like uuids of any
 * time.
 */
const UUID1_HEX = /^[0-9a-f]{12}1(?:1[ef]|20)[0-9a-f][89ab][0-9a-f]{15}$/;
const SIXTEEN_BYTES = /^[A-Za-z0-9+/]{22}==$/;
const SIXTEEN_BYTES_HEX = /^[0-9a-f]{32}$/;
/**
 * The bytes of a uuid of version 1 in base64, as node-redis-warlock writes them. One in 2000 random values looks the
 * same.
 */
const UUID1_BASE64 = /^[A-Za-z0-9+/]{8}E[ef][A-Za-z0-9+/]{12}==$/;
