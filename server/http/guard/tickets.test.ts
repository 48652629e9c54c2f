import { expect, test } from 'vitest';
import { setCookieText } from './cookies.ts';
import { TICKET_MS, Tickets } from './tickets.ts';

const SECRET = 'a secret of all copies';
let now = 1_795_000_000_000;
const clock = () => now;
const after = (ms: number) => () => now + ms;

/** The cookie that an answer to a request with these headers sets, as the browser sends it back. */
function given(tickets: Tickets, cookie = '', isSecure = false): string {
  const { cookie: set } = tickets.renew({ cookie }, isSecure);
  return set ? `${set.name}=${set.value}` : cookie;
}

test('a ticket ends three minutes after it was made, unless a request renews it', () => {
  const tickets = new Tickets({ now: clock });
  const cookie = given(tickets);
  expect(tickets.of({ cookie })?.endsAt).toBe(now + TICKET_MS);
  now += TICKET_MS - 1;
  expect(tickets.of({ cookie })).toBeDefined();
  const renewed = given(tickets, cookie);
  expect(tickets.of({ cookie: renewed })?.id).toBe(tickets.of({ cookie })?.id);
  now += 1;
  expect(tickets.of({ cookie })).toBeUndefined();
  expect(tickets.of({ cookie: renewed })?.endsAt).toBe(now - 1 + TICKET_MS);
});

test('the cookie is set again at most every 30 s, and once for a request', () => {
  const tickets = new Tickets({ now: clock });
  const cookie = given(tickets);
  now += 29_999;
  expect(tickets.renew({ cookie }, false).cookie).toBeUndefined();
  now += 2;
  const headers = { cookie };
  expect(tickets.renew(headers, false).cookie).toBeDefined();
  expect(tickets.renew(headers, false).cookie).toBeUndefined();
});

test('each page has its own ticket; a changed ticket, or a ticket of another server, is not accepted', () => {
  const tickets = new Tickets({ now: clock });
  const [first, second] = [given(tickets), given(tickets)];
  expect(tickets.of({ cookie: first })?.id).not.toBe(tickets.of({ cookie: second })?.id);
  const [name, value = ''] = first.split('=');
  const [id = '', end = '', signature = ''] = value.split('.');
  const changed = [
    `${id}.${Number(end) + 1}.${signature}`,
    `${id}.${end}.`,
    `${id}.${end}`,
    '',
    `${'A'.repeat(22)}.${end}.${signature}`,
  ];
  for (const each of [...changed, `${id}.${end}.${'A'.repeat(43)}`, `${value}x`, value.toUpperCase()])
    expect(tickets.of({ cookie: `${name}=${each}` }), each).toBeUndefined();
  expect(new Tickets({ now: clock }).of({ cookie: first })).toBeUndefined();
});

test('copies with one secret accept each other’s tickets, even if a clock is a minute ahead', () => {
  const cookie = given(new Tickets({ secret: SECRET, now: clock }));
  for (const apart of [0, 59_000, -59_000]) {
    const copy = new Tickets({ secret: SECRET, now: after(apart) });
    expect(copy.of({ cookie }), String(apart)).toBeDefined();
  }
  expect(new Tickets({ secret: SECRET, now: after(-61_000) }).of({ cookie })).toBeUndefined();
  expect(new Tickets({ secret: SECRET, now: after(TICKET_MS + 59_000) }).of({ cookie })).toBeDefined();
  expect(new Tickets({ secret: SECRET, now: after(TICKET_MS + 61_000) }).of({ cookie })).toBeUndefined();
  // Two Lockscopes of one application are not copies of each other, even with the same secret.
  expect(new Tickets({ secret: SECRET, place: '/other', now: clock }).of({ cookie })).toBeUndefined();
  expect(new Tickets({ secret: `${SECRET}.`, now: clock }).of({ cookie })).toBeUndefined();
});

test('the names of cookies differ between applications, and are the same for copies of one', () => {
  const nameOf = (tickets: Tickets, isSecure = false) => given(tickets, '', isSecure).split('=')[0];
  const names = Array.from({ length: 100 }, () => nameOf(new Tickets()));
  expect(new Set(names).size).toBe(100);
  expect(nameOf(new Tickets({ secret: SECRET }))).toBe(nameOf(new Tickets({ secret: SECRET })));
  expect(nameOf(new Tickets({ secret: SECRET }))).not.toBe(nameOf(new Tickets({ secret: SECRET, place: '/other' })));
});

test('a page over TLS has its own cookie, which is sent only over TLS', () => {
  const tickets = new Tickets({ now: clock });
  const { cookie } = tickets.renew({}, true);
  if (!cookie) throw new Error('no cookie');
  expect(setCookieText(cookie, '/ops/locks')).toMatch(
    /^lockscope-[0-9a-f]{8}-tls=\S+; Max-Age=180; Path=\/ops\/locks; HttpOnly; SameSite=Strict; Secure$/,
  );
  const plain = given(tickets);
  expect(plain).not.toContain('-tls=');
  expect(tickets.of({ cookie: `${cookie.name}=${cookie.value}` })).toBeDefined();
  // A request over plain HTTP with the ticket of a page over TLS gets a new ticket, which its browser can keep.
  expect(given(tickets, `${cookie.name}=${cookie.value}`)).not.toContain('-tls=');
});

test('a ticket is still valid after ten thousand others were issued', () => {
  const tickets = new Tickets({ now: clock });
  const first = given(tickets);
  for (let n = 0; n < 10_000; n++) tickets.renew({ cookie: 'other=1' }, false);
  expect(tickets.of({ cookie: first })).toBeDefined();
});
