import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LockscopeProcess, launchLockscopeProcess } from '../support/lockscope/lockscope-process.ts';
import { answerAsEmptyRedis, type FakeRedis, startFakeRedis } from '../support/servers/fake-redis.ts';
import { pause, waitFor } from '../support/wait-for.ts';
import { AT_EVENTS, AT_MONITOR, PASSWORD, type Way } from './fake-redis-ways.ts';

/*
 * Servers that only look like Redis, each in its own way, all at once, each as a source of one Lockscope. First they
 * work, then they misbehave, then they work again. What does Lockscope report, what does it cost, and does it recover?
 */

const run = promisify(execFile);
/** Longer than each time limit of Lockscope (10 s) together with the pauses before it. */
const BAD_FOR_MS = 18_000;
/** A busy machine may need longer to reach each limit. */
const BAD_AT_MOST_MS = 180_000;
/** In this time the first connection attempts follow each other quickly. */
const FIRST_MS = 4000;
const MOST_GROWTH_MB = 600;
/**
 * Problems that every fake server may cause: it loses its connection when it begins to misbehave, and may be late on a
 * busy machine.
 */
const EXPECTED_PROBLEMS = ['cut', 'closed', 'not-answering', 'observer-silent'];

type Seen = {
  readonly statuses: Set<string>;
  readonly codes: Set<string>;
  status: string;
  hasProblem: boolean;
  /**
   * Connections while the server misbehaved: after the first seconds, or after the connection that it may keep was
   * opened.
   */
  laterConnections: number;
  /** The server was not observed at some time since it began to misbehave. */
  isCut: boolean;
  /** After that, the server was observed again, though it still misbehaved. */
  observesAgain: boolean;
  /** The server was observed after it worked again. */
  isBack: boolean;
  /** Events about the lock `Way.shows` were reported. */
  showsLock: boolean;
};

describe.each([
  ['events', AT_EVENTS],
  ['monitor', AT_MONITOR],
])('at level %s', (level, ways) => {
  const names = Object.keys(ways);
  const servers = new Map<string, FakeRedis>();
  const seen = new Map<string, Seen>();
  let lockscope: LockscopeProcess | undefined;
  let growthMb = 0;
  let laterSeconds = 0;
  let reported = '';

  beforeAll(async () => {
    for (const name of names) servers.set(name, await startFakeRedis());
    const [first = '', ...more] = names.map((name) => `redis://user:${PASSWORD}@127.0.0.1:${servers.get(name)?.port}`);
    lockscope = await launchLockscopeProcess(first, [...more, '--observe', level]);
    const product = lockscope;
    await waitFor(
      'all sources to be observed',
      async (missing) => {
        const { sources } = await product.health();
        return (
          sources.every(({ status }) => status === 'observing') ||
          missing(JSON.stringify(sources.map((s) => s.problem)))
        );
      },
      180_000,
    );
    const before = await residentMb(product.pid);

    for (const [name, server] of servers) {
      const { answers = answerAsEmptyRedis, connect } = ways[name] ?? {};
      seen.set(name, nothingSeen(server));
      server.answerWith(answers, (socket) => {
        connect?.(socket, server.accepted());
        return connect !== undefined;
      });
    }
    const from = performance.now();
    const isOver = (ms: number) => ms > BAD_AT_MOST_MS || (ms > BAD_FOR_MS && names.every(isReported));
    while (!isOver(performance.now() - from)) {
      await look(product, performance.now() > from + FIRST_MS);
      growthMb = Math.max(growthMb, (await residentMb(product.pid)) - before);
      await pause(200);
    }
    laterSeconds = (performance.now() - from - FIRST_MS) / 1000;
    for (const [name, server] of servers) {
      const record = seen.get(name);
      if (record) record.laterConnections = server.accepted() - record.laterConnections;
      server.answerWith(answerAsEmptyRedis);
    }
    await waitFor('all sources to be observed again', async (missing) => {
      const { sources } = await product.health();
      for (const [name, server] of servers) {
        const record = seen.get(name);
        if (record) record.isBack = sources.find(({ url }) => url.includes(`:${server.port}`))?.status === 'observing';
      }
      return [...seen.values()].every(({ isBack }) => isBack) || missing('some are not');
    }).catch(() => undefined); // the tests below report which servers were missing
    reported += product.output();
  }, 420_000);
  afterAll(async () => {
    await lockscope?.stop();
    for (const server of servers.values()) server.stop();
  });

  /** Whether the problem that this fake server must cause was reported, and its lock is shown. */
  function isReported(name: string): boolean {
    const { code, shows } = ways[name] ?? {};
    const record = seen.get(name);
    return (
      (code === undefined || record?.codes.has(code) === true) && (shows === undefined || record?.showsLock === true)
    );
  }

  /** Adds what Lockscope reports now to the records in `seen`. */
  async function look(product: LockscopeProcess, isLater: boolean): Promise<void> {
    const health = await product.health();
    reported += JSON.stringify(health);
    for (const [name, server] of servers) {
      const source = health.sources.find(({ url }) => url.includes(`:${server.port}`));
      const record = seen.get(name);
      if (!source || !record) throw new Error(`no source for ${name}`);
      record.status = source.status;
      record.hasProblem = source.problem !== undefined;
      record.statuses.add(source.status);
      if (source.problem) record.codes.add(source.problem.code);
      const { shows: lock, keepsConnection } = ways[name] ?? {};
      // A busy machine may need longer than the first seconds to connect again.
      if (!isLater || (keepsConnection && !record.observesAgain)) record.laterConnections = server.accepted();
      record.observesAgain ||= record.isCut && source.status === 'observing';
      record.isCut ||= source.status !== 'observing';
      // The lock ends with the next read of all keys, so only its events remain.
      if (lock !== undefined) record.showsLock ||= (await product.eventsAfter(0, { lock })).length > 0;
    }
  }

  test.each(Object.entries(ways))(
    '%s: the problem is reported, few connections are opened, and watching resumes',
    (name, { mayObserve, code, mayReport = [], keepsConnection, shows }: Way) => {
      const record = seen.get(name);
      expect(record).toBeDefined();
      if (!record) return;
      if (code !== undefined) expect([...record.codes]).toContain(code);
      const known = new Set([...EXPECTED_PROBLEMS, ...mayReport, code]);
      expect([...record.codes].filter((each) => !known.has(each))).toEqual([]);
      if (!mayObserve)
        expect(record).toMatchObject({ hasProblem: true, status: expect.not.stringMatching('observing') });
      expect(record.status === 'observing' || record.hasProblem).toBe(true);
      expect(record.laterConnections / laterSeconds).toBeLessThan(1);
      if (keepsConnection) expect(record).toMatchObject({ laterConnections: 0, status: 'observing' });
      if (shows !== undefined) expect(record.showsLock).toBe(true);
      expect(record.isBack).toBe(true);
    },
  );

  test('memory stays bounded, no observer ends, and the password is not shown', () => {
    expect(growthMb).toBeLessThan(MOST_GROWTH_MB);
    for (const { codes } of seen.values()) expect([...codes]).not.toContain('observer-ended');
    expect(reported).not.toContain(PASSWORD);
  });
});

function nothingSeen(server: FakeRedis): Seen {
  return {
    statuses: new Set(),
    codes: new Set(),
    status: '',
    hasProblem: false,
    laterConnections: server.accepted(),
    isCut: false,
    observesAgain: false,
    isBack: false,
    showsLock: false,
  };
}

async function residentMb(pid: number): Promise<number> {
  const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Number(stdout) / 1024;
}
