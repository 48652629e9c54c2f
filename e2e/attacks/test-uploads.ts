import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordingBody } from '../../shared/wire/recordings.ts';
import { speakTo } from '../support/lockscope/lockscope.ts';
import { type LockscopeProcess, startLockscopeProcess } from '../support/lockscope/lockscope-process.ts';
import { type RunningRedis, startRedis } from '../support/servers/redis.ts';
import type { RefusedFile, ShownFile } from './hostile-files.ts';

export const CONTROL_CHARACTER = /[\0-\x08\x0b-\x1f]/;

/** Declares a test for each file: it is uploaded, and refused or shown, and the rest of the product answers. */
export function testUploads(refused: readonly RefusedFile[], shown: readonly ShownFile[]): void {
  let redis: RunningRedis;
  let lockscope: LockscopeProcess;

  beforeAll(async () => {
    redis = await startRedis();
    lockscope = await startLockscopeProcess(redis.url, []);
  });
  afterAll(async () => {
    await lockscope.stop();
    await redis.stop();
  });

  async function upload(content: string | Buffer): Promise<{ status: number; body: unknown }> {
    const answer = await fetch(
      `${lockscope.url}/api/recordings?name=${encodeURIComponent('../x\u001b[31m.lockscope')}`,
      {
        method: 'POST',
        headers: { 'Content-Type': 'application/octet-stream' },
        body: new Uint8Array(Buffer.from(content)),
      },
    );
    return { status: answer.status, body: await answer.json() };
  }

  /** Watching continues, and nothing hostile is in the log. */
  async function expectCalm(): Promise<void> {
    const { sources } = await lockscope.health();
    expect(sources[0]?.status).toBe('observing');
    expect(lockscope.output()).not.toMatch(CONTROL_CHARACTER);
  }

  test.each(refused)('%s is refused with its reason, and watching continues', async (_, content, code) => {
    expect(await upload(content())).toMatchObject({ status: 422, body: { error: { code } } });
    await expectCalm();
  });

  test.each(shown)('%s is shown, and watching continues', async (_, content) => {
    const { status, body } = await upload(content());
    expect(status).toBe(200);
    const { id } = recordingBody.parse(body).recording;
    const { url, output, stop } = lockscope;
    const opened = speakTo({ url: `${url}/recordings/${id}`, output, how: output, stop });
    expect((await opened.health()).sources).toHaveLength(1);
    expect(await opened.locks()).toBeInstanceOf(Array);
    await expectCalm();
  });
}
