import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { z } from 'zod';
import { problemsIn } from '../../../shared/testing/strict-problem.ts';
import { strictly } from '../../../shared/testing/strictly.ts';
import { eventsBody, type Health, healthBody, locksBody, type Span, spansBody } from '../../../shared/wire/http.ts';
import { type Lock, type LockDetail, lockBody } from '../../../shared/wire/lock.ts';
import { end } from '../servers/server-process.ts';
import { waitFor } from '../wait-for.ts';
import { askOnOwnConnection } from './own-connection.ts';

const MAIN = fileURLToPath(new URL('../../../dist/server/main.js', import.meta.url));
const PAGE = 5000;
/** The demo may have to create a container first, on a busy machine. */
const READY_WITHIN_MS = 90_000;

/** An event as `/api/events` returns it. */
export type ToldEvent = z.output<typeof eventsBody>['events'][number];

/** A running Lockscope, used over HTTP as any script would. Every body is checked against the contract. */
export type Lockscope = {
  url: string;
  /** Where its API answers this process, and with which headers: a page reaches it at `url`. */
  readonly api: { readonly url: string; readonly headers: Record<string, string> };
  pid: number;
  /** What it wrote to stdout and stderr so far. */
  output(): string;
  health(): Promise<Health>;
  /** Every lock it remembers. */
  locks(): Promise<Lock[]>;
  /** One lock; `undefined` if Lockscope does not know it. */
  lock(name: string): Promise<LockDetail | undefined>;
  /** Every event after `seq`, all pages. */
  eventsAfter(seq: number, filter?: { lock?: string; type?: string; holder?: string }): Promise<ToldEvent[]>;
  /** The `seq` of the newest event; 0 before the first. */
  newestSeq(): Promise<number>;
  spans(lock?: string): Promise<Span[]>;
  get(path: string): Promise<{ status: number; body: unknown }>;
  post(path: string, body: object): Promise<{ status: number; body: unknown }>;
  stop(): Promise<void>;
};

/** Starts the built Lockscope on a free port and waits until it observes. `flags` come after the URL. */
export async function startLockscope(redisUrl: string, flags: readonly string[] = ['--observe', 'monitor'], env = {}) {
  const lockscope = await launchLockscope(redisUrl, flags, env);
  try {
    await waitFor('Lockscope to observe', async (missing) => {
      const { sources } = await lockscope.health();
      return sources.every(({ status }) => status === 'observing') || missing(JSON.stringify(sources));
    });
    return lockscope;
  } catch (error) {
    await lockscope.stop();
    throw error;
  }
}

/** Starts Lockscope and waits only for its ready line: it may never begin to observe. `port` 0: any that is free. */
export async function launchLockscope(
  redisUrl: string,
  flags: readonly string[],
  env: Record<string, string> = {},
  port = 0,
) {
  if (!existsSync(MAIN)) throw new Error('Lockscope is not built: npm run build:server');
  const child = spawn(process.execPath, [MAIN, redisUrl, ...flags, '--port', String(port), '--no-open'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  try {
    const url = await waitFor(
      'the ready line of Lockscope',
      () => {
        if (child.exitCode !== null) throw new Error(`Lockscope ended with code ${child.exitCode}: ${output}`);
        return /^lockscope ready (https?:\S+)$/m.exec(output)?.[1];
      },
      READY_WITHIN_MS,
    );
    const how = (): string => `exit code ${child.exitCode}, signal ${child.signalCode}, output: ${output.slice(-2000)}`;
    return speakTo({ url, pid: child.pid ?? 0, output: () => output, how, stop: () => end(child) });
  } catch (error) {
    await end(child, 'SIGKILL');
    throw error;
  }
}

type Running = Pick<Lockscope, 'url' | 'pid' | 'output' | 'stop'> & {
  /** How the process is doing, for a message. */
  how(): string;
  /** Default: at `url`, without headers. */
  readonly api?: Lockscope['api'];
};

/** A Lockscope that is running already. */
export function speakTo({ url: page, pid, output, how, stop, ...more }: Running): Lockscope {
  const { api = { url: page, headers: {} } } = more;
  const { url, headers: usual } = api;
  const get = async (path: string): Promise<{ status: number; body: unknown }> => {
    const answer = await fetch(url + path, { headers: usual })
      .then(async (response) => ({ status: response.status, body: await response.json() }))
      .catch(() => askOnOwnConnection(url + path, usual))
      .catch((error: unknown) => {
        throw new Error(`Lockscope does not answer (${how()})`, { cause: error });
      });
    problemsIn(answer.body);
    return answer;
  };
  const read = async <S extends z.ZodType>(path: string, schema: S): Promise<z.output<S>> => {
    const { status, body } = await get(path);
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
    pid,
    output,
    stop,
    get,
    async post(path, body) {
      const answer = await askOnOwnConnection(url + path, usual, body); // a POST must not be repeated
      problemsIn(answer.body);
      return answer;
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
      const events: ToldEvent[] = [];
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
