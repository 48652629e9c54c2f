import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { problem, watchedInstead } from '../shared/wire/problems/problem.ts';
import { createLog, plainLine } from './cli/log.ts';
import type { ServeConfig } from './config.ts';
import type { DemoStage } from './demo/demo-stage.ts';
import { reportSources } from './process/source-report.ts';
import { serve } from './serve.ts';
import { acquired } from './testing/make-events.ts';
import { type MemoryObservatory, makeMemoryObservatory } from './testing/memory-observatory.ts';
import { TestPage } from './testing/open-page.ts';
import { soon } from './testing/soon.ts';
import { StreamReader } from './testing/stream-reader.ts';

const config: ServeConfig = {
  command: 'observe',
  redisUrls: ['redis://127.0.0.1:1'],
  level: 'events',
  match: [],
  host: '127.0.0.1',
  port: 0,
  token: undefined,
  memory: 512 * 1024 * 1024,
  configureNotifications: false,
  allowRelease: false,
  open: false,
  json: false,
};

let observatory: MemoryObservatory;
let steps: (() => Promise<void>)[];
let asked: unknown[];
let isEnding = false;
const log = createLog(true);
log.level = 'silent';

function start(change: Partial<ServeConfig> = {}, watching: Partial<MemoryObservatory> = {}): Promise<string> {
  const parts = {
    startDemo: async (redisUrl: string | undefined) => {
      asked.push({ stage: redisUrl });
      const close = async () => void asked.push('stage closed');
      return { stage: { redisUrl: 'redis://127.0.0.1:2', close } as DemoStage }; // `serve` uses only these fields
    },
    createObservatory: (redisUrls: readonly string[]) => {
      asked.push({ watch: redisUrls });
      return { ...observatory, stop: async () => void asked.push('observatory stopped'), ...watching };
    },
  };
  return serve({ ...config, ...change }, parts, log, {
    add: (step) => void steps.push(step),
    isEnding: () => isEnding,
  });
}

beforeEach(() => {
  observatory = makeMemoryObservatory();
  steps = [];
  asked = [];
  isEnding = false;
});

afterEach(async () => {
  for (const step of steps.reverse()) await step();
});

test('a request that arrives while everything starts is answered once it has started', async () => {
  const free = createServer();
  await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve));
  const { port } = free.address() as AddressInfo;
  await new Promise((resolve) => free.close(resolve));
  let begin = () => {};
  const beginning = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const parts = {
    startDemo: async () => {
      await beginning;
      // `serve` uses only these fields
      return { stage: { redisUrl: 'redis://127.0.0.1:2', close: async () => undefined } as DemoStage };
    },
    createObservatory: () => observatory,
  };
  const started = serve({ ...config, command: 'demo', redisUrls: [], port }, parts, log, {
    add: (step) => void steps.push(step),
    isEnding: () => false,
  });
  let isAnswered = false;
  const early = soon(async () => {
    const { status } = await fetch(`http://127.0.0.1:${port}/api/health`);
    isAnswered = true;
    expect(status).toBe(200);
  });
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(isAnswered).toBe(false);
  begin();
  await started;
  await early;
});

test('HTTP and the live channel are served at the address that serve returns', async () => {
  const url = await start();
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(asked).toEqual([{ watch: ['redis://127.0.0.1:1'] }]);
  expect((await fetch(`${url}/api/health`)).status).toBe(200);
  const page = new TestPage(url);
  page.socket.emit('hello', { v: 1 });
  observatory.record(acquired('a', 'u1:1'));
  await soon(() => expect(page.locks.size).toBe(1));
  page.socket.disconnect();
});

test('an opened recording has the problems that are in its memory', async () => {
  const opened = {
    type: 'insight.opened',
    lock: 'a',
    insight: 'x',
    incident: 'no-ttl-lock',
    severity: 'critical',
  } as const;
  observatory.record({ ...opened, confidence: 'certain', holders: ['u1:1'] });
  const problemsOf = async (command: ServeConfig['command']) => {
    const answer = await fetch(`${await start({ command })}/api/problems`);
    return (await answer.json()) as { problems: unknown[] };
  };
  expect(await problemsOf('open')).toMatchObject({ problems: [{ insight: 'x', severity: 'critical', lock: 'a' }] });
  expect(await problemsOf('observe')).toMatchObject({ problems: [] });
});

test('a request that fails is logged as an error, but not while Lockscope ends', async () => {
  const errors = vi.spyOn(log, 'error');
  const url = await start(
    {},
    {
      detail: async () => {
        throw new Error('its Redis is gone');
      },
    },
  );
  observatory.record(acquired('a', 'u1:1'));
  expect((await fetch(`${url}/api/locks/a`)).status).toBe(500);
  expect(errors).toHaveBeenCalledTimes(1);
  isEnding = true;
  expect((await fetch(`${url}/api/locks/a`)).status).toBe(500);
  expect(errors).toHaveBeenCalledTimes(1);
  errors.mockRestore();
});

test('a stream of events ends with the server, after a complete event', async () => {
  const url = await start();
  const reader = await StreamReader.open(`${url}/api/events/stream`);
  const slow = await StreamReader.open(`${url}/api/events/stream`);
  slow.response.pause();
  observatory.record(acquired('a', 'u1:1'));
  await soon(() => expect(reader.seqs).toEqual([1]));
  const begin = performance.now();
  for (let step = steps.pop(); step; step = steps.pop()) await step();
  expect(performance.now() - begin).toBeLessThan(30_000);
  await soon(() => expect(reader.isClosed).toBe(true));
  expect([reader.isEnded, reader.response.complete]).toEqual([true, true]);
  slow.close();
});

test('a demo watches its stage, and its parts end in reverse order', async () => {
  const url = await start({ command: 'demo', redisUrls: [] });
  expect(asked).toEqual([{ stage: undefined }, { watch: ['redis://127.0.0.1:2'] }]);
  for (let step = steps.pop(); step; step = steps.pop()) await step();
  expect(asked.slice(2)).toEqual(['observatory stopped', 'stage closed']);
  await expect(fetch(`${url}/api/health`)).rejects.toThrow();
});

test('a demo uses the Redis given by the user', async () => {
  await start({ command: 'demo', redisUrls: ['redis://mine'] });
  expect(asked).toEqual([{ stage: 'redis://mine' }, { watch: ['redis://127.0.0.1:2'] }]);
});

test('if watching cannot start, requests for health are still answered', async () => {
  const url = await start({}, { start: () => Promise.reject(new Error('no such host')) });
  expect((await fetch(`${url}/api/health`)).status).toBe(200);
});

test('for a port in use, the error names it and the next step, and nothing else was started', async () => {
  const other: Server = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo; // a server that listens on TCP has an AddressInfo
  await expect(start({ port, command: 'demo' })).rejects.toThrow(
    `Port ${port} is already in use. Choose another with --port N`,
  );
  expect(asked).toEqual([]);
  other.close();
});

test('for an address of another machine, the error names it', async () => {
  await expect(start({ host: '192.0.2.1', token: 't' })).rejects.toThrow('192.0.2.1 is not an address of this machine');
});

test('a lock with a name of a megabyte is found, and a longer address is refused with a hint', async () => {
  const url = await start();
  const name = 'x'.repeat(1_000_000);
  observatory.record(acquired(name, 'u1:1'));
  const get = (path: string) =>
    new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      const call = request(url + path, (answer) => {
        let text = '';
        answer.on('data', (chunk) => (text += chunk));
        answer.on('end', () => resolve({ status: answer.statusCode, text }));
      });
      call.on('error', reject).end();
    });
  const found = await get(`/api/locks/${name}`);
  expect(found.status).toBe(200);
  expect(JSON.parse(found.text).name.length).toBe(name.length);
  const refused = await get(`/api/locks/${'x'.repeat(5_000_000)}`);
  expect(refused.status).toBe(431);
  expect(JSON.parse(refused.text).error.hint).toContain('/api/locks?q=');
});

test('each problem of a source is logged once, and its end once', () => {
  const lines: string[] = [];
  const note = (_details: unknown, line: string) => void lines.push(line);
  const refused = problem('refused', { where: 'h' });
  observatory.setSource({ status: 'failed', problem: refused });
  const stop = reportSources(observatory, { info: note, warn: note } as Parameters<typeof reportSources>[1]);
  observatory.setSource({ status: 'reconnecting', lagMs: 5 });
  expect(lines).toEqual([`No Redis at h. ${refused.hint}`]);
  observatory.setSource({ status: 'observing', problem: undefined as never });
  observatory.setSource({ lagMs: 6 });
  expect(lines.slice(1)).toEqual(['observing at level events, Redis 7.0.15']);
  stop();
  observatory.setSource({ problem: refused });
  expect(lines).toHaveLength(2);
});

test('the log has the reason why a level is lower than the requested one, and when the requested one is back', () => {
  const lines: string[] = [];
  const notes = { info: noted('info'), warn: noted('warn') } as unknown as Parameters<typeof reportSources>[1];
  const stop = reportSources(observatory, notes);
  const before = lines.length;
  const behind = problem('behind-redis', { behindMs: 1600 });
  const reason = watchedInstead(behind, 'events');
  observatory.setSource({ status: 'observing', guard: { state: 'tripped', reason, problem: behind } });
  observatory.setSource({ level: 'monitor', guard: { state: 'ok' } });
  expect(lines.slice(before)).toEqual([
    `warn observing at level events, Redis 7.0.15. ${reason}`,
    'info observing at level monitor, Redis 7.0.15',
  ]);
  stop();

  function noted(level: string) {
    return (_details: unknown, line: string) => void lines.push(`${level} ${line}`);
  }
});

test.each([
  ['a Redis', (silentMs: number) => problem('not-answering', { where: 'h', silentMs })],
  ['an observer', (silentMs: number) => problem('observer-silent', { silentMs })],
])('%s that does not answer is logged once, not once for each second of silence', (_, silence) => {
  const lines: string[] = [];
  const note = (_details: unknown, line: string) => void lines.push(line);
  const stop = reportSources(observatory, { info: note, warn: note } as Parameters<typeof reportSources>[1]);
  const first = lines.length;
  for (const silentMs of [600, 1000, 2000]) {
    observatory.setSource({ status: 'observing', problem: silence(silentMs) });
  }
  const { message, hint } = silence(600);
  expect(lines.slice(first)).toEqual([`${message} ${hint}`]);
  observatory.setSource({ status: 'observing', problem: undefined as never });
  expect(lines.slice(first + 1)).toEqual(['observing at level events, Redis 7.0.15']);
  stop();
});

test('log lines are plain text', () => {
  const line = JSON.stringify({
    level: 'warn',
    time: '2025-01-02T12:04:31.000Z',
    source: 'redis://h',
    n: 3,
    msg: 'Gone.',
  });
  expect(plainLine(line)).toBe('12:04:31 warn  Gone. (source redis://h, n 3)\n');
});
