import type { Import } from './imports-of.ts';
import { roomsOfWeb } from './rooms-of-web.ts';

const SHARED = [
  'shared/base',
  'shared/unwrap',
  'shared/signals',
  'shared/events',
  'shared/state',
  'shared/spans',
  'shared/dumps',
  'shared/insights',
  'shared/trends',
  'shared/doctor',
];
const SHARED_AND_FILES = [...SHARED, 'shared/replication', 'shared/recording', 'shared/wire'];
const SHARED_FOR_WEB = SHARED_AND_FILES.filter(
  (folder) => folder !== 'shared/signals' && folder !== 'shared/replication',
);

const BELOW_EVENTS = ['shared/base', 'shared/signals'];

/** What the API may use for its answers. */
const BELOW_HTTP = [
  ...SHARED_AND_FILES,
  ...['watch', 'dumps', 'demo', 'recordings', 'release', 'doctor', 'metrics', 'problems'].map(
    (each) => `server/${each}`,
  ),
];

/**
 * The folders (rooms) of one place, the lowest layer first. A room may import all rooms of the layers below its own.
 */
function rooms(place: string, outside: readonly string[], layers: readonly (readonly string[])[]) {
  const paths = layers.map((layer) => layer.map((room) => `${place}/${room}`));
  const rows = paths.flatMap((layer, index) => {
    const below = paths.slice(0, index).flat();
    return layer.map((room): [string, readonly string[]] => [room, [...outside, ...below]]);
  });
  return Object.fromEntries(rows);
}

/** Which folder may import which. Every folder may import itself. The longest row that matches a path applies. */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'shared/base': [],
  'shared/unwrap': ['shared/base'],
  'shared/signals': ['shared/base'],
  'shared/events': BELOW_EVENTS,
  ...rooms(
    'shared/events',
    [...BELOW_EVENTS, 'shared/events/event.ts', 'shared/events/action.ts'],
    [
      ['types', 'libraries'],
      ['names', 'actions'],
      ['kinds', 'recognise'],
      ['mirror', 'groups'],
    ],
  ),
  // Appliers write events into what the interpreter remembers.
  'shared/events/apply': [...BELOW_EVENTS, 'shared/events'],
  'shared/replication': ['shared/base', 'shared/signals', 'shared/events'],
  'shared/state': ['shared/base', 'shared/events'],
  'shared/spans': ['shared/base', 'shared/events', 'shared/state'],
  'shared/dumps': ['shared/base', 'shared/unwrap', 'shared/events'],
  'shared/insights': ['shared/base', 'shared/events', 'shared/state', 'shared/spans', 'shared/dumps'],
  'shared/trends': ['shared/base', 'shared/events', 'shared/state'],
  'shared/doctor': ['shared/base'],
  'shared/recording': [...SHARED, 'shared/wire/problems'],
  'shared/wire': [...SHARED, 'shared/recording/bad-line.ts'],
  testing: SHARED_AND_FILES,
  ...rooms('testing', SHARED_AND_FILES, [['traces', 'house'], ['stories'], ['goldens']]),
  // The oracle works out what scripts mean without the product: it may only import the types of events.
  'testing/oracle': ['shared/base', 'shared/signals', 'shared/events/event.ts', 'testing/stories', 'testing/traces'],
  'server/redis': SHARED_AND_FILES,
  ...rooms('server/redis', SHARED_AND_FILES, [
    ['connection', 'scan'],
    ['lines', 'topology', 'rights', 'private-server'],
    ['reads', 'levels'],
    ['replication'],
    ['stream'],
  ]),
  'server/watch': [...SHARED_AND_FILES, 'server/redis', 'server/package-info.ts'],
  ...rooms(
    'server/watch',
    [...SHARED_AND_FILES, 'server/redis', 'server/package-info.ts'],
    [
      ['terms', 'slices'],
      ['reads', 'guard', 'recording'],
      ['source', 'history'],
      ['thread'],
      ['observer', 'answers'],
      ['store'],
      ['topology'],
    ],
  ),
  'server/recordings': [...SHARED_AND_FILES, 'server/watch', 'server/package-info.ts'],
  // Opens stored blocks in the same way as recordings.
  'server/store': [
    ...SHARED_AND_FILES,
    'server/watch',
    'server/recordings',
    'server/redis/connection/surroundings.ts',
    'server/cli',
    'server/package-info.ts',
  ],
  // What is kept in a store is written to a bus in the same form.
  'server/bus': [...SHARED_AND_FILES, 'server/redis', 'server/watch', 'server/store'],
  // Commands of a fleet: an observatory that writes to a bus, and one that reads from it.
  'server/fleet': [
    ...SHARED_AND_FILES,
    'server/redis',
    'server/watch',
    'server/store',
    'server/bus',
    'server/http',
    'server/check',
    'server/cli',
    'server/process',
    'server/package-info.ts',
  ],
  'server/demo': [...SHARED_AND_FILES, 'server/redis', 'server/package-info.ts'],
  'server/demo/client': [...SHARED_AND_FILES, 'server/redis'],
  'server/release': [...SHARED_AND_FILES, 'server/redis'],
  'server/dumps': [...SHARED_AND_FILES, 'server/package-info.ts'],
  'server/problems': [...SHARED_AND_FILES, 'server/watch'],
  // The command line: flags, usage, and text for a terminal. And what a process does around its work, until it ends.
  'server/cli': [...SHARED_AND_FILES, 'server/watch'],
  'server/process': [...SHARED_AND_FILES, 'server/redis', 'server/watch'],
  'server/doctor': [...SHARED_AND_FILES, 'server/redis', 'server/watch', 'server/cli'],
  'server/metrics': [...SHARED_AND_FILES, 'server/watch'],
  'server/http': BELOW_HTTP,
  ...rooms('server/http', BELOW_HTTP, [['guard', 'problems'], ['limits'], ['answer'], ['openapi']]),
  'server/socket': [...SHARED_AND_FILES, 'server/watch', 'server/http'],
  // Commands for scripts: an observatory without a page.
  'server/check': [
    ...SHARED_AND_FILES,
    'server/watch',
    'server/recordings',
    'server/cli',
    'server/process',
    'server/package-info.ts',
  ],
  // The command `top`: an observatory in a terminal, without a page.
  'server/top': [...SHARED_AND_FILES, 'server/watch', 'server/check', 'server/cli', 'server/process'],
  'server/webhook': [...SHARED_AND_FILES, 'server/watch', 'server/cli'],
  'server/otlp': [...SHARED_AND_FILES, 'server/watch', 'server/metrics', 'server/cli'],
  server: [...SHARED_AND_FILES, 'server'],
  library: [...SHARED_AND_FILES, 'server'],
  ...roomsOfWeb(SHARED_FOR_WEB),
  'e2e/package': ['e2e', 'library', 'shared/base'],
  'e2e/container': ['e2e', 'library'],
  e2e: ['e2e', 'shared/base', 'shared/wire', 'shared/traces', 'testing'],
  // Helpers that tests share import no test.
  'e2e/support': ['shared/base', 'shared/wire', 'shared/traces', 'testing'],
  // The product and its demo clients run in one process, in simulated time.
  'e2e/support/simulation': [
    'e2e/support',
    'server/redis',
    'server/watch',
    'server/demo',
    ...SHARED_AND_FILES,
    'testing',
  ],
  // A store with days that are long past is written by the product itself.
  'e2e/support/stored': ['e2e/support', 'server/store', ...SHARED_AND_FILES, 'testing'],
  // A fleet of several programs is killed part by part.
  'e2e/support/fleet': ['e2e/support', 'server', 'shared/base', 'shared/wire'],
  bench: ['bench', 'shared', 'testing', 'server', 'e2e/support'],
};

/** Packages that only these folders may import. */
const HOME_OF_PACKAGE: Readonly<Record<string, readonly string[]>> = {
  ioredis: ['server/redis', 'bench'],
  libsql: ['server/store'],
  pg: ['server/store'],
  'node:sqlite': ['server/store'],
  'node:net': ['server/redis', 'bench', 'e2e'],
  'node:tls': ['server/redis', 'server/http', 'e2e'],
  express: ['server/http'],
  'prom-client': ['server/metrics'],
  '@opentelemetry/api': ['server/otlp'],
  '@opentelemetry/resources': ['server/otlp'],
  '@opentelemetry/sdk-logs': ['server/otlp'],
  '@opentelemetry/sdk-metrics': ['server/otlp'],
  '@opentelemetry/sdk-trace': ['server/otlp'],
  '@opentelemetry/exporter-logs-otlp-proto': ['server/otlp'],
  '@opentelemetry/exporter-metrics-otlp-proto': ['server/otlp'],
  '@opentelemetry/exporter-trace-otlp-proto': ['server/otlp'],
  'socket.io': ['server/socket', 'bench'],
  'socket.io-client': ['library/client', 'web/data/live', 'e2e', 'bench'],
  recharts: ['web/charts'],
  react: ['web'],
  'react-dom': ['web'],
  protobufjs: ['e2e'],
  redis: ['e2e', 'bench'],
  '@playwright/test': ['e2e', 'bench'],
  vitest: ['e2e'],
};

/** Allowed imports that break the table, each with the reason. */
const EXCEPTIONS: readonly { from: string; to: string; because: string }[] = [
  { from: 'server/http', to: 'server/cli/printable.ts', because: 'one way to write foreign text on a terminal' },
  {
    from: 'server/http/routes/locks/guarded-write.ts',
    to: 'server/redis/connection/command-connection.ts',
    because: 'the error of a lost connection; it opens none',
  },
  { from: 'server/otlp', to: 'server/redis/connection/in-time.ts', because: 'a wait with a limit, no Redis' },
  { from: 'server/http', to: 'server/redis/connection/in-time.ts', because: 'a wait with a limit, no Redis' },
  {
    from: 'server/recordings/monitor-text.ts',
    to: 'server/redis/lines/script-text.ts',
    because: 'texts of scripts are left out in the same way; it opens no connection',
  },
  { from: 'server/http/http-server.ts', to: 'node:net', because: 'the type of an address, no socket' },
  {
    from: 'testing/goldens/goldens.test.ts',
    to: 'e2e/support/compare/compare-truth.ts',
    because: 'goldens and interop compare with what clients saw by the same rules',
  },
  {
    from: 'testing/goldens/failover-goldens.test.ts',
    to: 'e2e/support/compare/compare-truth.ts',
    because: 'as above',
  },
  ...['compare-truth', 'group-story', 'group-lock-story', 'truth'].map((file) => ({
    from: 'testing/goldens/group-goldens.test.ts',
    to: `e2e/support/compare/${file}.ts`,
    because: 'the same for locks that clients acquire together',
  })),
  {
    from: 'testing/house/hidden-classes.test.ts',
    to: 'server/redis/reads/read-replies.ts',
    because: 'it builds what a read found; it opens no connection',
  },
  {
    from: 'e2e/support/compare/second-account.ts',
    to: 'server/demo/testing/trace-tap.ts',
    because: 'live runs are heard as the traces are; it reads a socket and knows nothing of the product',
  },
  {
    from: 'e2e/support/lockscope/recorded-demo.ts',
    to: 'server/testing/serve-recorded-demo.ts',
    because: 'only its types: what runs is built once for all workers',
  },
  {
    from: 'e2e/support/lockscope',
    to: 'library/lockscope.ts',
    because: 'only its types: what runs is the built entry of the package',
  },
  {
    from: 'e2e',
    to: 'shared/doctor/rights',
    because: 'the one list of rights: each has a row in the live test, and documents are compared with it',
  },
  {
    from: 'testing/goldens/goldens.test.ts',
    to: 'e2e/support/compare/token-truth.ts',
    because: 'the same for other libraries',
  },
];

/**
 * Whether a file is a test or test code. It may import everything on its side, `shared` and `testing`. Files of `e2e`,
 * and those of `testing/oracle` that are not tests, may import only what the table allows.
 */
export function isTest(file: string): boolean {
  return /\.test\.tsx?$/.test(file) || file.includes('/testing/') || file.startsWith('testing/');
}

/** Returns why an import is not allowed; `undefined` if it is. */
export function problemOf({ from, to, isOurs }: Import): string | undefined {
  if (EXCEPTIONS.some((exception) => isIn(from, exception.from) && isIn(to, exception.to))) return undefined;
  return isOurs ? problemOfFile(from, to) : problemOfPackage(from, to);
}

/** Code that only the server runs. The page shows the server's verdicts, so that the two never differ. */
const VERDICTS = ['shared/insights/detectors', 'shared/insights/run.ts'];

function problemOfFile(from: string, to: string): string | undefined {
  if (isIn(from, 'web') && VERDICTS.some((each) => isIn(to, each))) return `${from} runs detectors: the server does`;
  const row = rowOf(from);
  if (row === undefined) return `${from} lies in no folder of the table`;
  const side = from.split('/')[0] ?? '';
  const isStrict = row === 'testing/oracle' && !from.endsWith('.test.ts');
  const ofSide = [side, 'shared', 'testing', ...(MAY_IMPORT[side] ?? [])];
  const allowed = isTest(from) && side !== 'e2e' && !isStrict ? ofSide : [row, ...(MAY_IMPORT[row] ?? [])];
  if (isTest(to) && !isTest(from) && side !== 'e2e' && side !== 'bench') return `${from} imports the test code ${to}`;
  return allowed.some((folder) => isIn(to, folder)) ? undefined : `${from} may not import ${to}`;
}

function problemOfPackage(from: string, to: string): string | undefined {
  if (isTest(from)) return undefined;
  const homes = HOME_OF_PACKAGE[to];
  if (homes && !homes.some((home) => isIn(from, home))) return `only ${homes.join(', ')} may import ${to}, not ${from}`;
  const isPure = isIn(from, 'shared') || (isIn(from, 'web') && from !== 'web/vite.config.ts');
  return isPure && to.startsWith('node:') ? `${from} runs in the browser: it may not import ${to}` : undefined;
}

function rowOf(file: string): string | undefined {
  return Object.keys(MAY_IMPORT)
    .filter((folder) => isIn(file, folder))
    .sort((a, b) => b.length - a.length)[0];
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
