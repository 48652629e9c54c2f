import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { type LockscopeProcess, launchLockscopeProcess } from '../support/lockscope/lockscope-process.ts';
import { rssMb } from '../support/process-state.ts';
import { pause } from '../support/wait-for.ts';
import { AT, HEADER } from './hostile-files.ts';

/* What hostile recordings cost: memory, processor time, and delays for others. */

const MB = 1024 * 1024;
const LIMIT_MB = 256;

/** Lines that are short when they are compressed, or that cost much more memory than their length. */
const LINES: readonly (readonly [string, () => string])[] = [
  ['brackets', () => '['.repeat(15 * MB)],
  ['objects', () => `[${'{},'.repeat(4 * MB)}0]`],
  ['numbers', () => `{"at":${AT},"do":[${'0,'.repeat(3.5 * MB)}0]}`],
  ['keys', () => `{${Array.from({ length: 490_000 }, (_, n) => `"key${n}":1`).join()}}`],
  ['objects of a read', () => `{"at":${AT},"read":[${'{},'.repeat(490_000)}{}]}`],
  ['a name of two bytes a character', () => `{"at":${AT},"db":0,"from":"x","do":["DEL","${'\u4e00'.repeat(7 * MB)}"]}`],
  [
    'a script without an end',
    () =>
      [
        `{"at":${AT},"db":0,"from":"x","do":["EVALSHA","f","1","a"]}`,
        ...Array.from({ length: 2_000_000 }, () => `{"at":${AT},"db":0,"lua":["exists","a"]}`),
      ].join('\n'),
  ],
];

/** The most memory that a process takes while `work` is done, in MB. */
async function peakOf({ pid }: Pick<LockscopeProcess, 'pid'>, work: () => Promise<unknown>): Promise<number> {
  let [peak, isOver] = [0, false];
  const watching = (async () => {
    while (!isOver) {
      peak = Math.max(peak, rssMb(pid));
      await pause(20);
    }
  })();
  await work();
  isOver = true;
  await watching;
  return peak;
}

/**
 * Uploads a file. `leaveAfterMs`: the sender closes its connection then. Returns the status; 0 if there was no answer.
 */
function upload({ url }: LockscopeProcess, body: Buffer, leaveAfterMs?: number): Promise<number> {
  return new Promise((resolve) => {
    const headers = { 'Content-Type': 'application/octet-stream', 'Content-Length': body.length };
    const call = request(`${url}/api/recordings?name=x`, { method: 'POST', headers }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
    });
    call.on('error', () => resolve(0)).end(body);
    if (leaveAfterMs !== undefined) setTimeout(() => call.destroy(), leaveAfterMs);
  });
}

/** Seconds of processor time that a process has used. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

test.each(LINES)('%s: an upload stays within --memory', async (_, line) => {
  const lockscope = await launchLockscopeProcess('redis://127.0.0.1:1', ['--memory', `${LIMIT_MB}mb`]);
  onTestFinished(() => lockscope.stop());
  const body = gzipSync(`${HEADER}\n${line()}\n`);
  const peak = await peakOf(lockscope, async () => expect([200, 422]).toContain(await upload(lockscope, body)));
  expect(peak).toBeLessThanOrEqual(LIMIT_MB);
});

test.each([...LINES, ['60 MB of brackets', () => '['.repeat(60 * MB)] as const])(
  '%s: an opened file stays within --memory',
  async (_, line) => {
    const folder = mkdtempSync(join(tmpdir(), 'lockscope-attack-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'x.lockscope');
    writeFileSync(path, gzipSync(`${HEADER}\n${line()}\n`));
    const lockscope = await launchLockscopeProcess('open', [path, '--memory', `${LIMIT_MB}mb`]);
    onTestFinished(() => lockscope.stop());
    const highest = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${lockscope.pid}/status`, 'utf8'))?.[1];
    expect(Number(highest) / 1024).toBeLessThanOrEqual(LIMIT_MB);
  },
);

test('300 MB of line breaks are refused, and a file whose sender has left takes less than 1 s of processor time afterwards', async () => {
  const lockscope = await launchLockscopeProcess('redis://127.0.0.1:1', []);
  onTestFinished(() => lockscope.stop());
  const breaks = gzipSync(Buffer.concat([Buffer.from(`${HEADER}\n`), Buffer.alloc(300 * MB, 10)]));
  const before = cpuSeconds(lockscope.pid);
  expect(await upload(lockscope, breaks)).toBe(422);
  expect(cpuSeconds(lockscope.pid) - before).toBeLessThan(15);
  const names = Array.from(
    { length: 1_500_000 },
    (_, n) => `{"at":${AT + n},"db":0,"from":"x","do":["DEL","lock:${n}"]}`,
  );
  const many = gzipSync(`${HEADER}\n${names.join('\n')}\n`);
  expect(await upload(lockscope, many, 1000)).toBe(0);
  await pause(500);
  const left = cpuSeconds(lockscope.pid);
  await pause(5000);
  expect(cpuSeconds(lockscope.pid) - left).toBeLessThan(1);
});
