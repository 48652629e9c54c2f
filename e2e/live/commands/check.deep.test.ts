import { afterEach, describe, expect, test } from 'vitest';
import { bodyOf, CheckBed } from '../../support/check-bed.ts';
import { DemoClients } from '../../support/clients/demo-clients.ts';
import { waitFor } from '../../support/wait-for.ts';

const bed = new CheckBed();
const clients = new DemoClients({ threads: 2, watchdogMs: 60_000 });
const client = (name: string) => clients.client(name, bed.redis.url);

afterEach(() => clients.end());

/** How often CLIENT LIST was called. Redis 6 counts all CLIENT commands together. */
async function listsAsked(): Promise<number> {
  const calls = await bed.redis.commandCalls();
  return calls.get('client|list') ?? calls.get('client') ?? 0;
}

describe('lockscope check', () => {
  test('a deadlock gives exit code 4, with locks, threads, evidence and advice', async () => {
    const [a, b] = [await client('svc-a'), await client('svc-b')];
    const command = bed.check(bed.redis.url, '--observe', 'monitor', '--for', '20s');
    await bed.untilWatching(command);
    await a.ask({ thread: 1, action: 'lock', lock: 'orders:1' });
    await b.ask({ thread: 1, action: 'lock', lock: 'orders:2' });
    void a.ask({ thread: 1, action: 'lock', lock: 'orders:2' });
    void b.ask({ thread: 1, action: 'lock', lock: 'orders:1' });
    expect(await command.ended(), `${command.out}\n${command.err}`).toBe(4);
    expect(command.out).toMatch(/^CRITICAL {2}abba-deadlock {2}orders:[12] \(redis, database 0\)$/m);
    expect(command.out).toContain(`${a.uuid}:1`);
    expect(command.out).toContain('To do: Restart one of the clients: this is the safest.');
    expect(command.out).toMatch(/^Verdicts: 1 critical, in \d+ s\.$/m);
  });

  test('a holder that crashed gives exit code 3, with the time at which the lease ends', async () => {
    const command = bed.check(bed.redis.url, '--observe', 'monitor', '--for', '40s', '--json');
    await bed.untilWatching(command);
    const holder = await client('svc-a');
    await holder.ask({ thread: 1, action: 'lock', lock: 'orders:1' });
    const before = await listsAsked();
    // The first list may have been requested when the client was not known yet, but not the second one.
    await waitFor('its connections to be listed', async () => (await listsAsked()) >= before + 2);
    await holder.kill();
    expect(await command.ended()).toBe(3);
    const { insights, exitCode } = bodyOf(command);
    expect(exitCode).toBe(3);
    expect(insights.map(({ incident, lock, holders }) => ({ incident, lock, holders }))).toContainEqual({
      ...{ incident: 'holder-crashed-wait-ttl', lock: 'orders:1', holders: [`${holder.uuid}:1`] },
    });
    expect(insights.find(({ incident }) => incident === 'holder-crashed-wait-ttl')?.selfHealsAt).toBeGreaterThan(0);
  });
});
