import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Program } from '../testing/program.ts';

const DOCUMENTED = 'http://127.0.0.1:4680';
const COMMANDS = [...readFileSync('docs/api.md', 'utf8').matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(
  ([, block = '']) => block.trim().split('\n'),
);
const isStream = (command: string) => command.includes('/api/events/stream');

let program: Program;
let url: string;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lockscope-examples-'));
  // curl reads this file from CURL_HOME: an answer with an error status fails the command.
  writeFileSync(join(folder, '.curlrc'), 'fail-with-body\nsilent\nshow-error\n');
  program = new Program(['demo', '--port', '0', '--no-open', '--allow-release']);
  url = await program.ready();
});

afterAll(async () => {
  await program.end('SIGTERM');
  rmSync(folder, { recursive: true });
});

const options = () => ({ cwd: folder, env: { PATH: process.env.PATH ?? '', CURL_HOME: folder } });

test('docs/api.md has examples, all for the documented address', () => {
  expect(COMMANDS.length).toBeGreaterThan(8);
  expect(COMMANDS.filter(isStream)).toHaveLength(1);
  for (const command of COMMANDS) expect(command).toContain(`${DOCUMENTED}/api/`);
});

// In the order of the document: later examples use what earlier ones made.
test.each(COMMANDS)('%s', async (command) => {
  const here = command.replaceAll(DOCUMENTED, url);
  if (isStream(command)) return expectEvents(here);
  await vi.waitFor(
    async () => {
      await keepLockHeld();
      const { stdout } = await promisify(execFile)('sh', ['-c', here], options());
      if (!/ -o /.test(command)) expect(JSON.parse(stdout)).toMatchObject({ v: 1 });
    },
    { timeout: 30_000, interval: 500 },
  );
});

/** Plays the scenario of the first example again once it is over: its lock is held in most of its steps. */
async function keepLockHeld(): Promise<void> {
  const { scenario, state } = (await (await fetch(`${url}/api/demo`)).json()) as { scenario: string; state: string };
  if (state === 'done') await fetch(`${url}/api/demo/scenarios/${scenario}/start`, { method: 'POST' });
}

async function expectEvents(command: string): Promise<void> {
  const child = spawn('sh', ['-c', `exec ${command}`], { ...options(), stdio: 'pipe' });
  let out = '';
  child.stdout.on('data', (data: Buffer) => (out += data.toString()));
  try {
    await vi.waitFor(
      () => expect(out).toMatch(/^id: \d+\nevent: lock\.acquired\ndata: \{.*"lock":"orders:42".*\}\n\n/m),
      {
        timeout: 30_000,
      },
    );
  } finally {
    child.kill();
  }
}
