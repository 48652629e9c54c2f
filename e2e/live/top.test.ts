import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { strictly } from '../../shared/testing/strictly.ts';
import { type TopLine, topLine } from '../../shared/wire/top.ts';
import { type App, connectApp } from '../support/clients/app.ts';
import { type DemoProcess, startDemoProcess } from '../support/clients/demo-process.ts';
import { LockscopeCommand } from '../support/clients/lockscope-command.ts';
import { PseudoTerminal } from '../support/clients/pseudo-terminal.ts';
import { type RunningRedis, startRedis } from '../support/servers/redis.ts';
import { waitFor } from '../support/wait-for.ts';

const UP_TO_DATE = /Redis \d\S+ {2}level/;
const HOSTILE = '\u001b]0;title\u0007\u001b[2J\u001b[31m\n锁\u202e';
let redis: RunningRedis;
let app: App;
let clients: DemoProcess[] = [];
let terminals: PseudoTerminal[] = [];
let commands: LockscopeCommand[] = [];

beforeEach(async () => {
  redis = await startRedis({ 'notify-keyspace-events': 'KEA' }); // new locks are seen at once, also at level events
  app = await connectApp(redis.url);
});

afterEach(async () => {
  await Promise.all([...clients, ...commands].map((each) => each.kill()));
  await Promise.all(terminals.map((terminal) => terminal.close()));
  [clients, terminals, commands] = [[], [], []];
  await app.close();
  await redis.stop();
});

function top(words: readonly string[], options: ConstructorParameters<typeof PseudoTerminal>[1] = {}): PseudoTerminal {
  const terminal = new PseudoTerminal(['top', redis.url, ...words], options);
  terminals.push(terminal);
  return terminal;
}

function piped(...words: string[]): LockscopeCommand {
  const command = new LockscopeCommand(['top', ...words]);
  commands.push(command);
  return command;
}

async function client(name: string): Promise<DemoProcess> {
  const started = await startDemoProcess({ name, redisUrl: redis.url, threads: 2, watchdogMs: 60_000 });
  clients.push(started);
  return started;
}

/** Expects that the program has ended and that the terminal is as it was. */
async function expectRestored(terminal: PseudoTerminal, exitCode: number): Promise<void> {
  const end = await terminal.ended();
  expect(end.exitCode).toBe(exitCode);
  expect(end.settings).toEqual(expect.arrayContaining(['icanon', 'echo', 'isig', 'icrnl']));
  expect(terminal.screen.modes).toEqual({ isOtherScreen: false, hasCursor: true, wraps: true });
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function row(rows: readonly string[], part: string): string {
  return rows.find((each) => each.includes(part)) ?? `no row with ${part}`;
}

describe('lockscope top in a terminal', () => {
  test('shows a deadlock and locks; keys select, open, filter, pause and quit', async () => {
    const [a, b] = [await client('svc-a'), await client('svc-b')];
    const terminal = top(['--observe', 'monitor']);
    await terminal.shows(UP_TO_DATE);
    expect(terminal.screen.modes).toEqual({ isOtherScreen: true, hasCursor: false, wraps: false });
    await a.ask({ thread: 1, action: 'lock', lock: 'orders:1' });
    await b.ask({ thread: 1, action: 'lock', lock: 'orders:2' });
    await app.acquire('invoices:1');
    void a.ask({ thread: 1, action: 'lock', lock: 'orders:2' });
    void b.ask({ thread: 1, action: 'lock', lock: 'orders:1' });
    const rows = await terminal.shows(/CRITICAL {2}orders:[12] .*no known end[\s\S]*invoices:1/);
    expect(row(rows, ' ! orders:1')).toMatch(/ A svc-a:1 +1 +\d+s +(?:\d+m\d\ds|\d+\.\ds) +\S+ +1 +\d+s$/);
    expect(row(rows, 'invoices:1')).toMatch(/ 0$/);

    terminal.press('jj');
    await terminal.shows(/^>! orders:1/m);
    terminal.press('\u001b[B\r');
    await terminal.shows(/^Holders: 1\n {2}A svc-b:1: x1; held/m);
    await terminal.shows(/^ {2}To do: Release one of these locks by hand\./m);
    terminal.press('\u001b');
    await terminal.shows(/^>! orders:2/m);
    terminal.press('/inv');
    await terminal.shows(/^\/inv_ {2}1 held, 0 waited for, 1 match$/m);
    terminal.press('\r ');
    await terminal.shows(/PAUSED at/);
    terminal.press('q');
    await expectRestored(terminal, 0);
    expect(terminal.screen.unknown).toEqual([]);
  });

  test('is drawn again in another size', async () => {
    await app.acquire('orders:42');
    const terminal = top([]);
    await terminal.shows(/orders:42 .*hidden/);
    await terminal.resize(40, 12);
    const narrow = await terminal.shows(/^q quit {3}up\/down select {3}Enter open {3}…$/m);
    expect(narrow).toHaveLength(12);
    expect(Math.max(...narrow.map(({ length }) => length))).toBeLessThanOrEqual(40);
    expect(row(narrow, 'orders:42')).toMatch(/hidden$/);
    await terminal.resize(132, 40);
    expect(await terminal.shows(/HELD +LEASE WDOG/)).toHaveLength(40);
    terminal.press('\u0003');
    await expectRestored(terminal, 0);
  });

  test('a hostile name cannot control the terminal', async () => {
    await app.acquire(HOSTILE);
    const terminal = top([], { columns: 120 });
    const rows = await terminal.shows(/\\x1b\]0;title\\x07\\x1b\[2J\\x1b\[31m\\x0a锁\\u202e +A /);
    expect(row(rows, 'title')).toMatch(/hidden$/);
    terminal.press('j\r');
    await terminal.shows(/^Newest events/m);
    expect(terminal.screen.unknown).toEqual([]);
    expect(terminal.output).not.toContain('\u001b]');
  });

  test('while the server is away, the screen says since when, and a countdown stands still', async () => {
    await app.acquire('orders:42');
    const terminal = top([]);
    await terminal.shows(/^ {3}orders:42 /m);
    await redis.crash();
    const before = await terminal.shows(/^NOT WATCHED since \d\d:\d\d:\d\dZ[\s\S]*^ \? orders:42 /m);
    await terminal.shows(/Next attempt in [2-9]s/); // several attempts later
    expect(row(terminal.screen.rows(), 'orders:42')).toBe(row(before, 'orders:42'));
    await redis.comeBack();
    await terminal.shows(/^redis:.*level events[\s\S]*^0 held/m);
  });

  test.each([
    ['SIGTERM', 0],
    ['SIGHUP', 0],
    ['SIGINT', 0],
    ['SIGUSR2', 1], // an uncaught error, see below
  ] as const)('%s restores the terminal', async (signal, exitCode) => {
    const fail = 'process.on("SIGUSR2",()=>{throw(new(Error)("uncaught"))})';
    const terminal = top([], { env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fail)}` } });
    await terminal.shows(UP_TO_DATE);
    const began = performance.now();
    await terminal.kill(signal);
    await expectRestored(terminal, exitCode);
    expect(performance.now() - began).toBeLessThan(10_000);
    // The error is written after the screen is left, where it can be read.
    if (exitCode === 1) expect(terminal.output.split('\u001b[?1049l')[1]).toMatch(/Internal error[\s\S]*uncaught/);
  });

  test('ends when its terminal is closed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lockscope-top-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const exitFile = join(folder, 'exit');
    const terminal = top([], { env: { EXIT_FILE: exitFile } });
    await terminal.shows(UP_TO_DATE);
    const pid = await terminal.pid();
    await terminal.close();
    await waitFor('the process to end', () => !isRunning(pid), 10_000);
    const code = () => existsSync(exitFile) && readFileSync(exitFile, 'utf8').trim();
    expect(await waitFor('its exit code', code)).toBe('0');
  });

  test('on a terminal whose cursor cannot be moved it writes lines', async () => {
    const terminal = top(['--for', '8s'], { env: { TERM: 'dumb' } });
    await expectRestored(terminal, 0);
    expect(terminal.output).toMatch(/Z {2}Watched: redis:/);
    expect(terminal.output).not.toContain('\u001b');
  });
});

describe('lockscope top in a pipe', () => {
  const linesOf = ({ out }: LockscopeCommand): TopLine[] =>
    out
      .split('\n')
      .slice(0, -1)
      .map((line) => strictly(topLine, JSON.parse(line)));

  test('writes a line for each change, as text and as JSON, and ends after the time of --for', async () => {
    const [text, json] = [piped(redis.url), piped(redis.url, '--json', '--for', '8s')];
    await waitFor('both to watch', () => /Watched: /.test(text.out) && /"isWatched":true/.test(json.out));
    await app.acquire('orders:42');
    expect(await json.ended()).toBe(0);
    const lines = linesOf(json);
    const last = lines.findLast(({ event }) => event === 'locks');
    expect(last).toMatchObject({ held: 1, waiters: null, first: { lock: 'orders:42', holders: [app.holder()] } });
    expect(lines.length).toBeLessThan(8);
    expect(text.out).toMatch(
      /Z {2}1 held, 0 waited for, waiters hidden, no verdicts\. First: orders:42 \(redis, database 0\)/,
    );
    text.child.kill('SIGTERM');
    expect(await text.ended()).toBe(0);
  });

  test('each verdict has a line when it begins and when it ends', async () => {
    const command = piped(redis.url, '--observe', 'monitor', '--json');
    await waitFor('it to watch', () => /"isWatched":true/.test(command.out));
    await app.acquire('orders:42', { leaseMs: 60_000 });
    await app.command('PERSIST', 'orders:42');
    const verdict = (state: string) => () =>
      linesOf(command).find((line) => line.event === 'verdict' && line.state === state);
    expect(await waitFor('a verdict', verdict('opened'))).toMatchObject({
      insight: { incident: 'no-ttl-lock', lock: 'orders:42' },
    });
    await app.release('orders:42');
    expect(await waitFor('its end', verdict('closed'))).toMatchObject({ insight: { incident: 'no-ttl-lock' } });
  });

  test('no server in the time of --for: exit code 1', async () => {
    const command = piped('redis://127.0.0.1:1', '--for', '2s');
    expect(await command.ended()).toBe(1);
    expect(command.out).toContain('Not watched: redis://127.0.0.1:1. No Redis at');
    expect(command.err).toContain('No server could be watched in this time.');
  });

  test('it ends when the reader of the pipe has gone', async () => {
    const command = piped(redis.url, '--observe', 'monitor');
    await waitFor('it to watch', () => /Watched: /.test(command.out));
    command.child.stdout?.destroy();
    await app.acquire('orders:42');
    expect(await command.ended()).toBe(0);
  });
});
