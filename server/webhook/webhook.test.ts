import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { type MemoryObservatory, makeMemoryObservatory } from '../testing/memory-observatory.ts';
import { MOST_WAITING } from './delivery.ts';
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

/** A receiver that answers with these statuses, then with 200. Each answer waits for `isOpen`. */
async function receiver(statuses: number[] = [], isOpen: Promise<void> = Promise.resolve()) {
  const received: Received[] = [];
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ type: request.headers['content-type'], body });
    await isOpen;
    response.writeHead(statuses.shift() ?? 200).end('answer');
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  return { received, url: `http://127.0.0.1:${port}/services/${SECRET}` };
}

function start(url: string, template?: string): MemoryObservatory {
  const observatory = makeMemoryObservatory();
  const parsed = template === undefined ? undefined : parseTemplate(template);
  const config = parsed?.ok ? { url, template: parsed.value } : { url };
  const warn = (line: string) => void warned.push(line);
  webhook = startWebhook(config, { observatory, base: 'http://127.0.0.1:4680', warn, firstPauseMs: 2 });
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
    observatory.record(opened('a'), opened('c', 'critical', '<!channel> & `x`'));
    await expect.poll(() => webhook?.state()).toEqual({ sent: 2, waiting: 0, gaveUp: 0 });
    expect(received.map(({ type }) => type)).toEqual(['application/json', 'application/json']);
    const [first, second] = received.map(({ body }) => JSON.parse(body).text as string);
    expect(first).toContain('*critical: Deadlock: threads wait for each other*');
    expect(first).toContain('`orders:1` (main, database 0)');
    expect(first).toContain('http://127.0.0.1:4680/locks/orders%3A1?source=main&amp;db=0');
    expect(second).toContain("`&lt;!channel&gt; &amp; 'x'`");
  });

  test('repeats after a failure, and gives up after a refusal', async () => {
    const { received, url } = await receiver([500, 429, 200, 404]);
    const observatory = start(url);
    observatory.record(opened('a'), opened('b'), opened('c'));
    await expect
      .poll(() => webhook?.state())
      .toMatchObject({ sent: 2, waiting: 0, gaveUp: 1, problem: 'it answered 404' });
    expect(received).toHaveLength(5);
    expect(warned.join()).toContain('was not delivered: it answered 404');
  });

  test('gives up after six attempts, follows no redirect, and never logs the address', async () => {
    const { received, url } = await receiver([503, 503, 503, 503, 503, 503, 302]);
    const observatory = start(url);
    observatory.record(opened('a'), opened('b'));
    await expect.poll(() => webhook?.state()).toEqual({ sent: 0, waiting: 0, gaveUp: 2, problem: 'it answered 302' });
    expect(received).toHaveLength(7);
    webhook?.stop();
    const other = start('http://127.0.0.1:1/services/'.concat(SECRET));
    other.record(opened('a'));
    await expect.poll(() => webhook?.state().gaveUp).toBe(1);
    expect(warned).toHaveLength(3);
    expect(warned.join() + JSON.stringify(webhook?.state())).not.toContain(SECRET);
  });

  test('a receiver that does not answer fills the queue, and never delays the observatory', async () => {
    let open = () => {};
    const { received, url } = await receiver([], new Promise((resolve) => (open = resolve)));
    const observatory = start(url);
    const more = 7;
    for (let n = 0; n < MOST_WAITING + more; n++) observatory.record(opened(`v${n}`));
    expect(webhook?.state()).toMatchObject({ sent: 0, waiting: MOST_WAITING, gaveUp: more });
    open();
    await expect.poll(() => webhook?.state()).toMatchObject({ sent: MOST_WAITING, waiting: 0, gaveUp: more });
    expect(received).toHaveLength(MOST_WAITING);
  });

  test('ends while a message waits', async () => {
    const { received, url } = await receiver([], new Promise(() => {}));
    const observatory = start(url);
    observatory.record(opened('a'), opened('b'));
    await expect.poll(() => received.length).toBe(1);
    webhook?.stop();
    observatory.record(opened('c'));
    expect(observatory.listeners()).toBe(0);
    expect(warned).toEqual(['Lockscope ends: 2 messages to the webhook were not sent.']);
    expect(webhook?.state().waiting).toBe(0);
  });
});

describe('templates', () => {
  test('in JSON, values cannot change the shape', async () => {
    const { received, url } = await receiver();
    const observatory = start(url, '{"blocks": [{"name": "{{lock}} ({{ severity }})", "n": 1}]}');
    observatory.record(opened('a', 'critical', '"}], "admin": [{"x'));
    await expect.poll(() => received).toHaveLength(1);
    expect(received[0]?.type).toBe('application/json');
    expect(JSON.parse(received[0]?.body ?? '')).toEqual({ blocks: [{ name: '"}], "admin": [{"x (critical)', n: 1 }] });
  });

  test('other text is sent as text', async () => {
    const { received, url } = await receiver();
    start(url, '{{title}} at {{lock}}: {{page}}').record(opened('a'));
    await expect.poll(() => received).toHaveLength(1);
    expect(received[0]).toEqual({
      type: 'text/plain; charset=utf-8',
      body: 'Deadlock: threads wait for each other at orders:1: http://127.0.0.1:4680/locks/orders%3A1?source=main&db=0',
    });
  });

  test('a value that does not exist is refused', () => {
    expect(parseTemplate('{{lock}} {{password}}')).toMatchObject({
      ok: false,
      error: expect.stringContaining('{{password}}'),
    });
  });
});
