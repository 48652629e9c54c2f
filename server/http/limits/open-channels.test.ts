import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { TICKET_MS, Tickets } from '../guard/tickets.ts';
import { type Authorize, OpenChannels } from './open-channels.ts';

let now = 1_795_000_000_000;
const tickets = new Tickets({ now: () => now });
const all: OpenChannels[] = [];

afterEach(() => {
  vi.useRealTimers();
  for (const channels of all.splice(0)) channels.close();
});

function open(authorize?: Authorize, reports: unknown[] = []): OpenChannels {
  const channels = new OpenChannels({ tickets, authorize, report: (error) => reports.push(error) });
  all.push(channels);
  return channels;
}

/** A handshake of a page that has just got its ticket. */
function handshake(): IncomingMessage {
  const { cookie } = tickets.renew({}, false);
  return Object.assign(new IncomingMessage(new Socket()), { headers: { cookie: `${cookie?.name}=${cookie?.value}` } });
}

/** Follows a channel. When it ends, its name is added to `ended`. */
function follow(channels: OpenChannels, req: IncomingMessage, name: string, ended: string[]): () => void {
  return channels.follow(req, () => ended.push(name));
}

test('a channel ends with its ticket, unless requests of its own page renew it', () => {
  const channels = open();
  const ended: string[] = [];
  const [first, second] = [handshake(), handshake()];
  follow(channels, first, 'first', ended);
  follow(channels, second, 'second', ended);
  for (let n = 0; n < 10; n++) {
    now += TICKET_MS / 2;
    const { ticket } = tickets.renew(n === 0 ? first.headers : { ...first.headers }, false);
    channels.renew({ ...ticket, id: tickets.of(first.headers)?.id ?? ticket.id });
    channels.look();
  }
  expect(ended).toEqual(['second']);
  now += TICKET_MS;
  channels.look();
  expect(ended).toEqual(['second', 'first']);
  channels.look();
  expect(ended).toHaveLength(2);
});

test('a channel that was closed is forgotten, and a channel without a ticket ends at the next look', () => {
  const channels = open();
  const ended: string[] = [];
  follow(channels, handshake(), 'closed', ended)();
  follow(channels, new IncomingMessage(new Socket()), 'without', ended);
  channels.look();
  now += 2 * TICKET_MS;
  channels.look();
  expect(ended).toEqual(['without']);
});

test('the application is asked before a channel opens, and every 30 s while it is open', async () => {
  let isLoggedIn = true;
  let asked = 0;
  const channels = open(async () => {
    asked++;
    return isLoggedIn;
  });
  const req = handshake();
  expect(await channels.admits(req)).toBe(true);
  const ended: string[] = [];
  follow(channels, req, 'page', ended);
  now += 29_999;
  channels.look();
  expect(asked).toBe(1);
  now += 1;
  channels.look();
  channels.look();
  expect(asked).toBe(2);
  isLoggedIn = false;
  now += 30_000;
  channels.look();
  await vi.waitFor(() => expect(ended).toEqual(['page']));
  expect(await channels.admits(req)).toBe(false);
});

test.each<[string, Authorize]>([
  [
    'throws',
    () => {
      throw new Error('no database');
    },
  ],
  ['rejects', () => Promise.reject(new Error('no database'))],
])('if the application %s, the channel is refused, and the error is reported', async (_, authorize) => {
  const reports: unknown[] = [];
  expect(await open(authorize, reports).admits(handshake())).toBe(false);
  expect(String(reports)).toBe('Error: no database');
});

test.each([undefined, 1, 'yes', {}, null])('a channel opens only if authorize returns true, not %j', async (answer) => {
  const authorize = (() => answer) as unknown as Authorize; // what a program without types may return
  expect(await open(authorize).admits(handshake())).toBe(false);
});

test('an application that does not answer within ten seconds counts as a refusal', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const answer = open(() => new Promise<boolean>(() => undefined)).admits(handshake());
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await answer).toBe(false);
});

test('a channel that the application allows only after Lockscope has ended is refused', async () => {
  let answer: (isAdmitted: boolean) => void = () => undefined;
  const channels = open(() => new Promise<boolean>((resolve) => (answer = resolve)));
  const admitted = channels.admits(handshake());
  channels.close();
  answer(true);
  expect(await admitted).toBe(false);
});
