import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { z } from 'zod';
import { eventsBody, type Health, healthBody, locksBody, type Span, spansBody } from '../../../shared/wire/http.ts';
import { type Lock, type LockDetail, lockBody } from '../../../shared/wire/locks/lock.ts';
import { problemsIn } from '../../../testing/stories/strict-problem.ts';
import { strictly } from '../../../testing/stories/strictly.ts';
import { pause, waitFor } from '../wait-for.ts';
import { libraryOptions } from './library-options.ts';

type Library = typeof import('../../../library/lockscope.ts');

/** Node loads the built files as they are: an `import` would go through the transformer of the test runner. */
const BUILT = fileURLToPath(new URL('../../../dist/server/library/lockscope.js', import.meta.url));
const nodeRequire = createRequire(import.meta.url);
/** The limit of the command on loopback. It is high because names of locks are parts of paths. */
const HEADER_LIMIT = 4 * 1024 * 1024;
const PAGE = 5000;

/** An event as `/api/events` returns it. */
export type ReportedEvent = z.output<typeof eventsBody>['events'][number];

/** A running Lockscope, used over HTTP as any script would. Every body is checked against the contract. */
export type Lockscope = {
  url: string;
  /** Where the API of Lockscope answers this process, and with which headers: a page reaches it at `url`. */
  readonly api: { readonly url: string; readonly headers: Record<string, string> };
  /** The log so far; of a process: what it wrote to stdout and stderr. */
  output(): string;
  health(): Promise<Health>;
  /** Every lock that Lockscope remembers. */
  locks(): Promise<Lock[]>;
  /** One lock; `undefined` if Lockscope does not know it. */
  lock(name: string): Promise<LockDetail | undefined>;
  /** Every event after `seq`, all pages. */
  eventsAfter(seq: number, filter?: { lock?: string; type?: string; holder?: string }): Promise<ReportedEvent[]>;
  /** The `seq` of the newest event; 0 before the first. */
  newestSeq(): Promise<number>;
  spans(lock?: string): Promise<Span[]>;
  get(path: string): Promise<{ status: number; body: unknown }>;
  post(path: string, body: object): Promise<{ status: number; body: unknown }>;
  stop(): Promise<void>;
};

/**
 * Starts the built Lockscope inside this process on a free port, and waits until it observes. This takes a fifth of the
 * time of `startLockscopeProcess`. `flags` are those of the command that `createLockscope` has too.
 */
export async function startLockscope(
  redisUrl: string,
  flags: readonly string[] = ['--observe', 'monitor'],
): Promise<Lockscope> {
  const lockscope = await launchLockscope(redisUrl, flags);
  await untilObserving(lockscope);
  return lockscope;
}

/**
 * Starts Lockscope inside this process. Does not wait until Lockscope observes, which may never begin. `port` 0: any
 * free port.
 */
export async function launchLockscope(redisUrl: string, flags: readonly string[], port = 0): Promise<Lockscope> {
  if (!existsSync(BUILT)) throw new Error('Lockscope is not built: npm run build:server');
  const { createLockscope }: Library = nodeRequire(BUILT);
  let output = '';
  const write = (line: string): void => {
    output += `${line}\n`;
  };
  const log = { info: write, warn: write, error: write };
  const lockscope = await createLockscope({ ...libraryOptions([redisUrl, ...flags]), log });
  const server = createServer({ maxHeaderSize: HEADER_LIMIT, keepAliveTimeout: 0 }, lockscope.router);
  lockscope.attach(server);
  await once(server.listen(port, '127.0.0.1'), 'listening');
  await lockscope.start();
  const address = server.address() as AddressInfo; // a server that listens on TCP has an AddressInfo
  return speakTo({
    url: `http://127.0.0.1:${address.port}`,
    output: () => output,
    how: () => `output: ${output.slice(-2000)}`,
    async stop() {
      await lockscope.close();
      server.close();
      server.closeAllConnections();
    },
  });
}

/** The only source, or the first one. Throws if there is none. */
export async function sourceOf(lockscope: Pick<Lockscope, 'health'>): Promise<Health['sources'][number]> {
  const [source] = (await lockscope.health()).sources;
  if (!source) throw new Error('no source');
  return source;
}

/** Waits until every source is observed. After 60 s, stops Lockscope and throws. */
export async function untilObserving(lockscope: Lockscope): Promise<void> {
  try {
    await waitFor('Lockscope to observe', async (missing) => {
      const { sources } = await lockscope.health();
      return sources.every(({ status }) => status === 'observing') || missing(JSON.stringify(sources));
    });
  } catch (error) {
    await lockscope.stop();
    throw error;
  }
}

type Running = Pick<Lockscope, 'url' | 'output' | 'stop'> & {
  /** The state of Lockscope, for an error message. */
  how(): string;
  /** Default: at `url`, without headers. */
  readonly api?: Lockscope['api'];
};

/** Returns a client of a Lockscope that is running already. */
export function speakTo({ url: page, output, how, stop, ...more }: Running): Lockscope {
  const { api = { url: page, headers: {} } } = more;
  const { url, headers: usual } = api;
  const ask = async (path: string, init: RequestInit): Promise<{ status: number; body: unknown }> => {
    const answer = await fetch(url + path, init)
      .then(async (response) => ({ status: response.status, body: await response.json() }))
      .catch((error: unknown) => {
        throw new Error(`Lockscope does not answer (${how()})`, { cause: error });
      });
    problemsIn(answer.body);
    return answer;
  };
  const get = (path: string) => ask(path, { headers: usual });
  const read = async <S extends z.ZodType>(path: string, schema: S): Promise<z.output<S>> => {
    const { status, body } = await get(path);
    // On a busy machine, tests may send more requests at the same time than Lockscope answers.
    if (status === 503 && JSON.stringify(body).includes('"code":"busy"')) {
      await pause(500);
      return read(path, schema);
    }
    if (status !== 200) throw new Error(`GET ${path} gave ${status}: ${JSON.stringify(body)}`);
    try {
      return strictly(schema, body);
    } catch (error) {
      throw new Error(`GET ${path} breaks the contract`, { cause: error });
    }
  };
  return {
    url: page,
    api,
    output,
    stop,
    get,
    post(path, body) {
      const headers = { ...usual, 'content-type': 'application/json' };
      return ask(path, { method: 'POST', headers, body: JSON.stringify(body) });
    },
    health: () => read('/api/health', healthBody),
    async locks() {
      const locks: Lock[] = [];
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const from: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
        const page: z.output<typeof locksBody> = await read(`/api/locks?limit=1000${from}`, locksBody);
        locks.push(...page.locks);
        cursor = page.nextCursor;
      }
      return locks;
    },
    async lock(name) {
      const path = `/api/locks/${encodeURIComponent(name)}`;
      const { status } = await get(path);
      return status === 404 ? undefined : read(path, lockBody);
    },
    async eventsAfter(seq, filter = {}) {
      const events: ReportedEvent[] = [];
      const only = new URLSearchParams(filter).toString();
      for (let after = seq; ; ) {
        const page = await read(`/api/events?after=${after}&limit=${PAGE}&${only}`, eventsBody);
        if (page.oldestSeq > after + 1 && after === seq && seq > 0)
          throw new Error(`events after ${seq} are forgotten`);
        events.push(...page.events);
        if (page.events.length < PAGE) return events;
        after = page.events.at(-1)!.seq;
      }
    },
    newestSeq: async () => (await read('/api/events?limit=1', eventsBody)).events.at(-1)?.seq ?? 0,
    spans: async (lock) =>
      (await read(`/api/spans${lock === undefined ? '' : `?lock=${encodeURIComponent(lock)}`}`, spansBody)).spans,
  };
}
