import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connectApp } from '../../support/clients/app.ts';
import { isRunning } from '../../support/process-state.ts';
import { expectRestored, rowWith, TopBed, topLines, UP_TO_DATE } from '../../support/top-bed.ts';
import { waitFor } from '../../support/wait-for.ts';

const bed = new TopBed();

describe('lockscope top in a terminal', () => {
  test('while the server is unavailable, the screen shows since when, and a countdown stops', async () => {
    await bed.app.acquire('orders:42');
    const terminal = bed.top([]);
    await terminal.shows(/^ {3}orders:42 /m);
    await bed.redis.crash();
    const before = await terminal.shows(/^NOT WATCHED since \d\d:\d\d:\d\dZ[\s\S]*^ \? orders:42 /m);
    await terminal.shows(/Next attempt in [2-9]s/); // several attempts later
    expect(rowWith(terminal.screen.rows(), 'orders:42')).toBe(rowWith(before, 'orders:42'));
    await bed.redis.comeBack();
    bed.app = await connectApp(bed.redis.url); // the connection of the application was lost
    await terminal.shows(/^redis:.*level events[\s\S]*^0 held/m);
  });

  test.each(['SIGHUP', 'SIGINT'] as const)('%s restores the terminal', async (signal) => {
    const terminal = bed.top([]);
    await terminal.shows(UP_TO_DATE);
    await terminal.kill(signal);
    await expectRestored(terminal, 0);
  });

  test('ends when its terminal is closed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lockscope-top-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const exitFile = join(folder, 'exit');
    const terminal = bed.top([], { env: { EXIT_FILE: exitFile } });
    await terminal.shows(UP_TO_DATE);
    const pid = await terminal.pid();
    await terminal.close();
    await waitFor('the process to end', () => !isRunning(pid), 10_000);
    const code = () => existsSync(exitFile) && readFileSync(exitFile, 'utf8').trim();
    expect(await waitFor('its exit code', code)).toBe('0');
  });

  test('writes lines on a terminal whose cursor cannot be moved', async () => {
    const terminal = bed.top(['--for', '8s'], { env: { TERM: 'dumb' } });
    await expectRestored(terminal, 0);
    expect(terminal.output).toMatch(/Z {2}Watched: redis:/);
    expect(terminal.output).not.toContain('\u001b');
  });
});

describe('lockscope top in a pipe', () => {
  test('writes a line for each change, as text and as JSON, and ends after the time of --for', async () => {
    const [text, json] = [bed.piped(bed.redis.url), bed.piped(bed.redis.url, '--json', '--for', '8s')];
    await waitFor('both to watch', () => /Watched: /.test(text.out) && /"isWatched":true/.test(json.out));
    await bed.app.acquire('orders:42');
    expect(await json.ended()).toBe(0);
    const lines = topLines(json);
    const last = lines.findLast(({ event }) => event === 'locks');
    expect(last).toMatchObject({ held: 1, waiters: null, first: { lock: 'orders:42', holders: [bed.app.holder()] } });
    expect(lines.length).toBeLessThan(8);
    expect(text.out).toMatch(/Z {2}1 held, waiters not known, no verdicts\. First: orders:42 \(redis, database 0\)/);
    text.child.kill('SIGTERM');
    expect(await text.ended()).toBe(0);
  });

  test('exits with code 1 if no server answered within the time of --for', async () => {
    // Long enough for one try to fail, on a busy machine too.
    const command = bed.piped('redis://127.0.0.1:1', '--for', '15s');
    expect(await command.ended()).toBe(1);
    expect(command.out).toContain('Not watched: redis://127.0.0.1:1. No Redis at');
    expect(command.err).toContain('No server could be watched in this time.');
  });
});
