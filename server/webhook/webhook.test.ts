import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type MemoryObservatory, makeMemoryObservatory } from '../testing/memory-observatory.ts';
import { parseTemplate } from './template.ts';
import { startWebhook, type Webhook } from './webhook.ts';

const SECRET = 'T0KEN-of-the-channel';
type Received = { readonly type: string | undefined; readonly body: string };

let server: Server | undefined;
let webhook: Webhook | undefined;
let warned: string[] = [];

afterEach(async () => {
  webhook?.stop();
  warned = [];
  server?.closeAllConnections();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
});

/** A receiver that answers with these statuses, then with 200. Each answer waits for `gate`. */
async function receiver(statuses: number[] = [], gate: Promise<void> = Promise.resolve()) {
  const received: Received[] = [];
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ type: request.headers['content-type'], body });
    await gate;
    response.writeHead(statuses.shift() ?? 200).end('answer');
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a server that listens on TCP has an AddressInfo
  return { received, url: `http://127.0.0.1:${port}/services/${SECRET}` };
}

function start(url: string, template?: string): MemoryObservatory {
  const observatory = makeMemoryObservatory();
  const parsed = template === undefined ? undefined : parseTemplate(template);
  const config = parsed?.ok ? { url, template: parsed.value } : { url };
  const warn = (line: string) => void warned.push(line);
  const pauses = { firstPauseMs: 2, gatherMs: 1, everyMs: 1 };
  webhook = startWebhook(config, { observatory, base: 'http://127.0.0.1:4680', warn, ...pauses });
  return observatory;
}

/** A new verdict, as the stream reports it. */
const opened = (insight: string, severity: 'critical' | 'warning' = 'critical', lock = 'orders:1') => ({
  ...({ type: 'insight.opened', incident: 'abba-deadlock', confidence: 'certain' } as const),
  ...{ insight, severity, lock, holders: ['a:1'] },
});

describe('the webhook', () => {
  test('sends each critical verdict once, in the shape of Slack', async () => {
    const { received, url } = await receiver();
    const observatory = start(url);
    observatory.record(opened('a'), opened('b', 'warning'), opened('a'));
    await expect.poll(() => webhook?.state()).toEqual({ sent: 1, waiting: 0, gaveUp: 0 });
    observatory.record(opened('a'), opened('c', 'critical', '<!channel> & `x`'));
    await expect.poll(() => webhook?.state()).toEqual({ sent: 2, waiting: 0, gaveUp: 0 });
    expect(received.map(({ type }) => type)).toEqual(['application/json', 'application/json']);
    const [first, second] = received.map(({ body }) => JSON.parse(body).text as string);
    expect(first).toContain('*critical: Deadlock: threads wait for each other*');
    expect(first).toContain('`orders:1` (main, database 0)');
    expect(first).toContain('http://127.0.0.1:4680/locks/orders%3A1?source=main&amp;db=0');
    expect(second).toContain("`&lt;!channel&gt; &amp; 'x'`");
  });

  test('puts verdicts that open together into one message', async () => {
    const { received, url } = await receiver();
    const observatory = start(url);
    observatory.record(...Array.from({ length: 60 }, (_, n) => opened(`v${n}`, 'critical', `orders:${n}`)));
    await expect.poll(() => webhook?.state()).toEqual({ sent: 1, waiting: 0, gaveUp: 0 });
    const text = JSON.parse(received[0]?.body ?? '').text as string;
    expect(text).toContain('*critical: 60 verdicts*');
    expect(text).toContain('Deadlock: threads wait for each other: orders:0\n');
    expect(text).toContain('Deadlock: threads wait for each other: orders:19\n… and 40 more');
    expect(text).toContain('orders:59');
    expect(text.split('\n').at(-1)).toBe('http://127.0.0.1:4680/');
  });

  test('puts verdicts that open while a message is being sent into the next message, at most 10 s later', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    let open = () => {};
    const { received, url } = await receiver([], new Promise((resolve) => (open = resolve)));
    const observatory = makeMemoryObservatory();
    webhook = startWebhook({ url }, { observatory, base: 'http://127.0.0.1:4680', warn: () => undefined });
    observatory.record(opened('a'));
    vi.advanceTimersByTime(999);
    expect(webhook.state()).toEqual({ sent: 0, waiting: 1, gaveUp: 0 });
    vi.advanceTimersByTime(1);
    await vi.waitFor(() => expect(received).toHaveLength(1), { interval: 0 });
    for (let n = 0; n < 2000; n++) observatory.record(opened(`v${n}`));
    expect(webhook.state()).toEqual({ sent: 0, waiting: 2, gaveUp: 0 });
    open();
    await vi.waitFor(() => expect(webhook?.state().sent).toBe(1), { interval: 0 });
    vi.advanceTimersByTime(10_000);
    await vi.waitFor(() => expect(webhook?.state()).toEqual({ sent: 2, waiting: 0, gaveUp: 0 }), { interval: 0 });
    expect(received).toHaveLength(2);
    expect(received[1]?.body).toContain('2000 verdicts');
    vi.useRealTimers();
  });

  test('sends again after a failure, and gives up after a refusal', async () => {
    const { received, url } = await receiver([500, 429, 200, 404]);
    const observatory = start(url);
    observatory.record(opened('a'));
    await expect.poll(() => webhook?.state().sent).toBe(1);
    observatory.record(opened('b'));
    await expect.poll(() => webhook?.state()).toMatchObject({ sent: 1, gaveUp: 1, problem: 'it answered 404' });
    observatory.record(opened('c'));
    await expect.poll(() => webhook?.state()).toMatchObject({ sent: 2, waiting: 0, gaveUp: 1 });
    expect(received).toHaveLength(5);
    expect(warned.join()).toContain('was not delivered: it answered 404');
  });

  test('gives up after six attempts, follows no redirect, and does not log the secret in the address', async () => {
    const { received, url } = await receiver([503, 503, 503, 503, 503, 503, 302]);
    const observatory = start(url);
    observatory.record(opened('a'));
    await expect.poll(() => webhook?.state().gaveUp).toBe(1);
    observatory.record(opened('b'));
    await expect.poll(() => webhook?.state()).toEqual({ sent: 0, waiting: 0, gaveUp: 2, problem: 'it answered 302' });
    expect(received).toHaveLength(7);
    webhook?.stop();
    const other = start('http://127.0.0.1:1/services/'.concat(SECRET));
    other.record(opened('a'));
    await expect.poll(() => webhook?.state().gaveUp).toBe(1);
    expect(warned).toHaveLength(3);
    expect(warned.join() + JSON.stringify(webhook?.state())).not.toContain(SECRET);
  });

  test('stopped before a message was delivered, warns and listens no longer', async () => {
    const { received, url } = await receiver([], new Promise(() => {}));
    const observatory = start(url);
    observatory.record(opened('a'));
    await expect.poll(() => received.length).toBe(1);
    observatory.record(opened('b'));
    webhook?.stop();
    observatory.record(opened('c'));
    expect(observatory.listeners()).toBe(0);
    expect(warned).toEqual(['Lockscope ends: the newest verdicts were not sent to the webhook.']);
  });
});

describe('templates', () => {
  test('in JSON, values cannot change the structure', async () => {
    const { received, url } = await receiver();
    const observatory = start(url, '{"blocks": [{"name": "{{lock}} ({{ severity }})", "n": 1}]}');
    observatory.record(opened('a', 'critical', '"}], "admin": [{"x'));
    await expect.poll(() => received).toHaveLength(1);
    expect(received[0]?.type).toBe('application/json');
    expect(JSON.parse(received[0]?.body ?? '')).toEqual({ blocks: [{ name: '"}], "admin": [{"x (critical)', n: 1 }] });
  });

  test('a template that is not JSON is sent as plain text', async () => {
    const { received, url } = await receiver();
    start(url, '{{title}} at {{lock}}: {{page}}').record(opened('a'));
    await expect.poll(() => received).toHaveLength(1);
    expect(received[0]).toEqual({
      type: 'text/plain; charset=utf-8',
      body: 'Deadlock: threads wait for each other at orders:1: http://127.0.0.1:4680/locks/orders%3A1?source=main&db=0',
    });
  });

  test('a placeholder that does not exist is refused', () => {
    expect(parseTemplate('{{lock}} {{password}}')).toMatchObject({
      ok: false,
      error: expect.stringContaining('{{password}}'),
    });
  });
});
