import { describe, expect, test } from 'vitest';
import { bodyOf, CheckBed } from '../../support/check-bed.ts';
import { connectApp } from '../../support/clients/app.ts';

/** A port that no machine offers. */
const NO_REDIS = 'redis://127.0.0.1:1';
const bed = new CheckBed();

describe('lockscope check', () => {
  test('no verdict gives exit code 0, and lists what was checked and what cannot be seen', async () => {
    const [text, json] = [bed.check(bed.redis.url), bed.check(bed.redis.url, '--json')];
    expect(await text.ended()).toBe(0);
    expect(text.out).toContain('No verdicts, now.');
    expect(text.out).toMatch(/^Watched: redis:\S+, Redis \S+, level events\.$/m);
    expect(text.out).toMatch(/^Checked: .*holder-crashed-wait-ttl/m);
    expect(text.out).toMatch(/^Not known \(not at this level, use --observe monitor\): .*abba-deadlock/m);
    expect(text.out).toContain('Cannot see: ');
    expect(await json.ended()).toBe(0);
    expect(bodyOf(json)).toMatchObject({
      exitCode: 0,
      insights: [],
      sources: [{ level: 'events', status: 'observing' }],
    });
  });

  test('a lock whose lease has no end gives exit code 3, with the holder and advice', async () => {
    const app = await connectApp(bed.redis.url);
    await app.acquire('orders:1');
    await app.command('PERSIST', 'orders:1');
    // A lock without a TTL is reported after 3 s, because until then a second command may set one.
    const words = [bed.redis.url, '--for', '4s'];
    const [text, json] = [bed.check(...words), bed.check(...words, '--json')];
    expect(await text.ended(), text.out).toBe(3);
    expect(text.out).toMatch(/^WARNING {2}no-ttl-lock {2}orders:1 \(redis, database 0\)$/m);
    expect(text.out).toContain(app.holder());
    expect(text.out).toContain('To do: ');
    expect(await json.ended()).toBe(3);
    const { exitCode, insights } = bodyOf(json);
    expect(exitCode).toBe(3);
    expect(insights).toMatchObject([{ incident: 'no-ttl-lock', lock: 'orders:1', holders: [app.holder()] }]);
    await app.close();
  });

  test('a server that cannot be reached gives exit code 1, one line with the reason, and a JSON document with its code', async () => {
    const [text, json] = [bed.check(NO_REDIS), bed.check(NO_REDIS, '--json')];
    expect(await text.ended()).toBe(1);
    expect(text.err.trimEnd().split('\n')).toHaveLength(1);
    expect(text.err).toContain('127.0.0.1:1');
    expect(text.out).toMatch(/^Not watched: redis:\/\/127\.0\.0\.1:1\./m);
    expect(await json.ended()).toBe(1);
    expect(bodyOf(json)).toMatchObject({ exitCode: 1, checked: [], sources: [{ problem: { code: 'refused' } }] });
  });

  test('SIGTERM ends the check without a result, and not with exit code 0', async () => {
    const command = bed.check(bed.redis.url, '--observe', 'monitor', '--for', '10m');
    await bed.untilWatching(command);
    command.child.kill('SIGTERM');
    expect(await command.ended()).toBe(143);
    expect(command.out).toBe('');
  });
});
