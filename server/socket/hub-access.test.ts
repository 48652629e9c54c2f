import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type HubBed, namesOn, startHub } from '../testing/hub-bed.ts';
import { acquired } from '../testing/make-events.ts';
import { TestPage } from '../testing/open-page.ts';
import { soon } from '../testing/soon.ts';

let bed: HubBed;

beforeEach(async () => {
  bed = await startHub();
});

afterEach(() => bed.end());

describe('bad messages', () => {
  test.each([
    ['hello', undefined, 'bad-message'],
    ['hello', { v: 2 }, 'bad-message'],
    ['hello', { v: 1, after: -5 }, 'bad-message'],
    ['want', { locks: 'all' }, 'bad-message'],
    ['release', 'orders:42', 'unknown-message'],
  ])('%s %j is answered, and the connection stays open', async (name, message, code) => {
    const page = await bed.openPage();
    page.socket.emit(name as 'hello', message as never);
    await soon(() => expect(page.received).toMatchObject([{ type: 'problem', message: { code } }]));
    page.socket.emit('hello', { v: 1 });
    await soon(() => expect(page.snapshot).toBeDefined());
  });
});

describe('access', () => {
  test.each([
    ['a foreign Origin', { extraHeaders: { Origin: 'http://evil.example' } }],
    ['a foreign Host', { extraHeaders: { Host: 'evil.example' } }],
    ['another site without an Origin', { extraHeaders: { 'Sec-Fetch-Site': 'cross-site' } }],
    ['polling', { transports: ['polling'] }],
  ])('%s is refused', async (_what, options) => {
    await expect(bed.openPage(options)).rejects.toThrow();
    expect(bed.hub.pages()).toBe(0);
  });

  test('our own Origin is accepted', async () => {
    await bed.openPage({ extraHeaders: { Origin: bed.url } });
  });

  test('our own Origin is accepted even if the browser treats ws:// as another site', async () => {
    await bed.openPage({ extraHeaders: { Origin: bed.url, 'Sec-Fetch-Site': 'cross-site' } });
  });

  test('with a token, only clients that send it are admitted', async () => {
    await bed.end();
    bed = await startHub({ token: 's3cret' });
    await expect(bed.openPage()).rejects.toThrow();
    await bed.openPage({ extraHeaders: { Authorization: 'Bearer s3cret' } });
    await bed.openPage({ query: { token: 's3cret' } });
  });

  test('100 pages are admitted; a further page is refused with a reason', async () => {
    // ten at once: on a busy machine, 100 do not all say hello in time
    for (let n = 0; n < 10; n += 1) await Promise.all(Array.from({ length: 10 }, () => bed.livePage()));
    await expect(bed.openPage()).rejects.toMatchObject({ message: 'Too many pages are open.' });
    bed.pages.splice(0, 1)[0]?.socket.disconnect();
    await soon(() => expect(bed.hub.pages()).toBe(99));
    await bed.livePage();
  });

  test('200 connections without a hello do not keep a page out: at least 100 of them are closed', async () => {
    let [opened, closed] = [0, 0];
    bed.server.on('upgrade', () => (opened += 1));
    const silent = Array.from({ length: 200 }, () => new TestPage(bed.url));
    for (const { socket } of silent) socket.on('disconnect', () => (closed += 1));
    bed.pages.push(...silent);
    await soon(() => expect(opened).toBe(200));
    const page = await bed.openPage();
    page.socket.emit('hello', { v: 1 });
    await soon(() => expect(page.snapshot).toBeDefined());
    // the others are closed after 5 s: `places.test.ts`
    await soon(() => expect(closed).toBeGreaterThanOrEqual(100));
  });

  test('a page that sends hundreds of messages at once is closed, other pages are not', async () => {
    const other = await bed.livePage();
    const loud = await bed.livePage();
    for (let n = 0; n < 300; n += 1) loud.socket.emit('hello', { v: 1 });
    await soon(() => expect(loud.socket.connected).toBe(false));
    expect(other.socket.connected).toBe(true);
  });

  test('a message of brackets is not parsed, and its page is closed', async () => {
    const [page, other] = [await bed.livePage(), await bed.livePage()];
    const parse = vi.spyOn(JSON, 'parse');
    page.socket.io.engine.send(`42["want",${'['.repeat(2_000_000)}`);
    await soon(() => expect(page.socket.connected).toBe(false));
    const longest = Math.max(0, ...parse.mock.calls.map(([text]) => text.length));
    parse.mockRestore();
    expect(longest).toBeLessThan(10_000);
    bed.observatory.record(acquired('a', 'u1:1'));
    await soon(() => expect(namesOn(other)).toEqual(['a']));
  });

  test('closing the hub ends the connection of a page and stops listening to the observatory', async () => {
    const page = await bed.livePage();
    expect(bed.observatory.listeners()).toBe(1);
    await bed.hub.close();
    await soon(() => expect(page.socket.connected).toBe(false));
    expect(bed.observatory.listeners()).toBe(0);
    const late = new TestPage(bed.url);
    bed.pages.push(late);
    await expect(late.connected()).rejects.toThrow();
    expect(bed.server.listening).toBe(true);
  });
});
