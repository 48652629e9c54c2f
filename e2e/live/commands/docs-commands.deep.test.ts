import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandsOf, type Fence, fencesOf, ROOT, readersDocuments } from '../../support/docs/documents.ts';
import { startLockscopeProcess } from '../../support/lockscope/lockscope-process.ts';
import { type RunningRedis, startRedis } from '../../support/servers/redis.ts';
import { pause, waitFor } from '../../support/wait-for.ts';

/*
 * Runs every command of the documents as it is written, in a shell. Commands that are marked with "not run" are listed
 * in `documents.test.ts`.
 */

/** What differs from the reader's machine: where things are, and how long commands last. */
const REPLACED: readonly (readonly [string | RegExp, () => string])[] = [
  ['http://127.0.0.1:4680', () => page],
  ['127.0.0.1:6379', () => `127.0.0.1:${redis.port}`],
  ['your-redis:6379', () => `127.0.0.1:${redis.port}`],
  ['--for 30s', () => '--for 1s'],
  [/\bnpm test$|\bmvn -B test$/gm, () => 'true'], // these commands would run this test again
];

/** Commands that serve the page. They get a free port, and no browser. */
const SERVES = /(?:^|\s)(?:npm start|npm run demo|lockscope)(?!.* (?:check|run|top|doctor)\b)/;

/** Commands that go on until Ctrl-C, and what each prints when it works: on stdout, then on stderr. */
const GOES_ON: readonly (readonly [RegExp, RegExp])[] = [
  [/^lockscope open /, /^lockscope ready http/m],
  [SERVES, /^lockscope ready http[\s\S]* observing at level /m],
  [/^curl -N .*\/api\/events\/stream/, /^id: \d+\nevent: lock\.acquired\ndata: \{.*"lock":"orders:42".*\}\n\n/m],
  [/^lockscope top .*--json/, /^\{"v":1,"at":\d+,"event":"source",.*"isWatched":true\}$/m],
  [/^lockscope top /, / Watched: redis:\/\/127\.0\.0\.1:\d+, Redis /],
  [/examples\/client\/follow\.mjs/, /^link live$[\s\S]*^event \d+ [a-z.-]+ orders:42/m],
];

const BLOCKS = readersDocuments()
  .flatMap((file) => fencesOf(file))
  .filter(({ language, whyNotRun }) => language === 'sh' && whyNotRun === undefined);
/** How many blocks are tried at once. */
const MOST_AT_ONCE = 4;
/** How often a command may be tried. A try fails if the scenario releases the lock meanwhile. */
const MOST_TRIES = 3;
/** A command that should end and takes longer than this fails. */
const LONGEST_MS = 60_000;

let redis: RunningRedis;
let page: string;
const ends: (() => Promise<unknown> | unknown)[] = [];

beforeAll(async () => {
  redis = await startRedis();
  ends.push(() => redis.stop());
  await redis.command('ACL', 'SETUSER', 'USER', 'on', '>PASSWORD', '~*', '+@all');
  const demo = await startLockscopeProcess('demo', ['--allow-release']);
  ends.push(() => demo.stop());
  page = demo.url;
});

afterAll(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

test('every command in the documents works as it is written', async () => {
  expect(BLOCKS.length).toBeGreaterThan(15);
  const waiting = [...BLOCKS];
  const worker = async (): Promise<string[]> => {
    const block = waiting.shift();
    return block === undefined ? [] : [...(await failuresOf(block)), ...(await worker())];
  };
  const failures = await Promise.all(Array.from({ length: MOST_AT_ONCE }, worker));
  expect(failures.flat()).toEqual([]);
});

test('the check of the documents reports commands that do not work', async () => {
  const lines = ['lockscope doctor --jsn', 'exit 3', 'lockscope redis://a:b@your-redis:6379/0 --observe all'];
  const [block] = fencesOf('a.md', ['```sh', ...lines, '```'].join('\n'));
  const failures = block ? await failuresOf(block) : [];
  expect(failures.map((failure) => failure.split('\n')[0])).toEqual([
    'a.md:1 lockscope doctor --jsn: exit code 2',
    'a.md:1 exit 3: exit code 3',
    expect.stringContaining('--observe all: does not print'),
  ]);
});

/** Runs the commands of one block, in a folder of its own: later commands find the files of earlier ones. */
async function failuresOf(block: Fence): Promise<string[]> {
  const folder = openFolder();
  const failures: string[] = [];
  const commands = commandsOf(block);
  // If a command has several lines, the block is run as a whole.
  const isRunWhole = commands.some((command) => spawnSync('sh', ['-n', '-c', command]).status !== 0);
  for (const command of isRunWhole ? [block.text] : commands) {
    const problem = await problemOf(command, folder);
    if (problem !== undefined) failures.push(`${block.file}:${block.line} ${command}: ${problem}`);
  }
  return failures;
}

/** A folder that looks like a checkout, in which the command is installed. */
function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lockscope-docs-'));
  ends.push(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ['package.json', 'scripts', 'examples', 'node_modules'])
    symlinkSync(join(ROOT, name), join(folder, name));
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/lockscope'), `#!/bin/sh\nexec node '${ROOT}dist/server/main.js' "$@"\n`);
  chmodSync(join(folder, 'bin/lockscope'), 0o755);
  // curl reads this file: an answer with an error status fails the command.
  writeFileSync(join(folder, '.curlrc'), 'fail-with-body\nsilent\nshow-error\n');
  return folder;
}

/** Runs one command. Returns what is wrong with it; `undefined` if it works. */
async function problemOf(command: string, folder: string): Promise<string | undefined> {
  if (!command.includes('http://127.0.0.1:4680')) return run(command, folder);
  // The lock of the examples is not held in every step of its scenario. A failure counts only if the lock was held all
  // the time.
  for (let tries = 1; ; tries++) {
    const before = await waitFor('the lock to be held', holdOfExample);
    const problem = await run(command, folder);
    if (problem === undefined || (await holdOfExample()) === before || tries === MOST_TRIES) return problem;
  }
}

/** Since when the lock of the examples is held; `undefined`: it is free. */
async function holdOfExample(): Promise<number | undefined> {
  await keepLockHeld();
  const answer = await fetch(`${page}/api/locks/orders%3A42`);
  const { holders = [] } = (await answer.json()) as { holders?: { since: number }[] };
  return holders[0]?.since;
}

/** Plays the scenario of the examples, and again once it is over. In most of its steps, its lock is held. */
async function keepLockHeld(): Promise<void> {
  const { state } = (await (await fetch(`${page}/api/demo`)).json()) as { state: string };
  if (state === 'idle' || state === 'done')
    await fetch(`${page}/api/demo/scenarios/two-threads/start`, { method: 'POST' });
}

async function run(written: string, folder: string): Promise<string | undefined> {
  const shell = startShell(commandFor(written), folder);
  const goesOn = GOES_ON.find(([command]) => command.test(written))?.[1];
  if (goesOn === undefined) {
    const exitCode = await Promise.race([shell.ended, pause(LONGEST_MS).then(() => 'none, it goes on')]);
    await shell.end();
    if (exitCode !== 0) return `exit code ${exitCode}\n${shell.out()}${shell.err()}`;
    const isAnswer = /^curl .*\/api\//.test(written) && !/ -o | \| | > /.test(written);
    return isAnswer && !isAnswerOfApi(shell.out()) ? `no answer of the API: ${shell.out()}` : undefined;
  }
  const printed = () => shell.out() + shell.err();
  const works = async () => {
    await keepLockHeld();
    return goesOn.test(printed()) || shell.child.exitCode !== null;
  };
  await waitFor(String(goesOn), works).catch(() => undefined);
  await shell.end();
  return goesOn.test(printed()) ? undefined : `does not print ${goesOn}\n${printed()}`;
}

function commandFor(written: string): string {
  const here = REPLACED.reduce((text, [from, to]) => text.replaceAll(from, to), written);
  if (!SERVES.test(written)) return here;
  const separator = /^(?:\w+=\S* )*npm /.test(written) && !written.includes(' -- ') ? ' --' : '';
  return `${here}${separator} --port 0 --no-open`;
}

function startShell(command: string, folder: string) {
  // Only these variables of this test's environment: a variable of npm would change what npm does.
  const { PATH, REDIS_SERVER, REDIS_IMAGE, DOCKER_HOST } = process.env;
  const env = {
    PATH: `${join(folder, 'bin')}:${PATH}`,
    ...{ HOME: folder, CURL_HOME: folder, XDG_STATE_HOME: folder },
    ...{ REDIS_SERVER, REDIS_IMAGE, DOCKER_HOST },
  };
  // A process group of its own, so that everything that the command started ends with it.
  const child = spawn('sh', ['-c', command], { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stdout.on('data', (data: Buffer) => (out += data.toString()));
  child.stderr.on('data', (data: Buffer) => (err += data.toString()));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const end = () => {
    signalGroup(child, 'SIGTERM');
    return ended;
  };
  ends.push(end);
  return { child, ended, end, out: () => out, err: () => err };
}

function signalGroup({ pid, exitCode, signalCode }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, signal);
}

function isAnswerOfApi(text: string): boolean {
  return /^\{.*"v":1[,}]/.test(text) && JSON.parse(text) !== null;
}
