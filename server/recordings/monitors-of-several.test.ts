import { expect, test } from 'vitest';
import { LINES, readIn } from './testing/posted-texts.ts';

/** The lines of two servers, which alternate. */
const both = (first: (line: string) => string, second: (line: string) => string) =>
  LINES.flatMap((line) => [first(line), second(line)]).join('\n');

test.each([
  [
    'stern two pods',
    both(
      (l) => `redis-a-0 redis ${l}`,
      (l) => `redis-b-0 redis ${l.replaceAll('stock:7', 'x')}`,
    ),
    'redis-a-0',
    'redis-b-0',
  ],
  [
    'kubetail two',
    both(
      (l) => `[redis-0] ${l}`,
      (l) => `[redis-1] ${l}`,
    ),
    'redis-0',
    'redis-1',
  ],
  [
    'pdsh two',
    both(
      (l) => `node-1: ${l}`,
      (l) => `node-2: ${l}`,
    ),
    'node-1',
    'node-2',
  ],
  [
    'addresses two',
    both(
      (l) => `10.0.0.5:6379: ${l}`,
      (l) => `10.0.0.6:6379: ${l}`,
    ),
    '10.0.0.5:6379',
    '10.0.0.6:6379',
  ],
  [
    'parallel --tag two',
    both(
      (l) => `redis-0\t${l}`,
      (l) => `redis-1\t${l}`,
    ),
    'redis-0',
    'redis-1',
  ],
  [
    'tail -f two',
    `==> a.log <==\n${LINES.slice(0, 4).join('\n')}\n\n==> b.log <==\n${LINES.slice(0, 4).join('\n')}\n\n==> a.log <==\n${LINES.slice(4).join('\n')}\n`,
    'a.log',
    'b.log',
  ],
  [
    'loki two streams',
    LINES.flatMap((line, n) => [JSON.stringify({ labels: { pod: n % 2 ? 'redis-0' : 'redis-1' }, line })]).join('\n'),
    'redis-1',
    'redis-0',
  ],

  [
    'syslog of two hosts, the newer form',
    both(
      (l) => `<134>1 2026-11-18T10:26:44Z host-1 redis 812 - - ${l}`,
      (l) => `<134>1 2026-11-18T10:26:44Z host-2 redis 812 - - ${l}`,
    ),
    'host-1 redis',
    'host-2 redis',
  ],
  [
    'two tasks of a service',
    both(
      (l) => `shop_redis.1.aa@host-1    | ${l}`,
      (l) => `shop_redis.2.bb@host-2    | ${l}`,
    ),
    'shop_redis.1.aa@host-1',
    'shop_redis.2.bb@host-2',
  ],
  [
    'two pods with one container name',
    both(
      (l) => JSON.stringify({ container_name: 'redis', pod_name: 'a', log: l }),
      (l) => JSON.stringify({ container_name: 'redis', pod_name: 'b', log: l }),
    ),
    'redis a',
    'redis b',
  ],
  [
    'syslog of two hosts',
    both(
      (l) => `Nov 18 10:26:40 host-1 redis[812]: ${l}`,
      (l) => `Nov 18 10:26:40 host-2 redis[812]: ${l}`,
    ),
    'host-1 redis',
    'host-2 redis',
  ],
  [
    'a time and a name',
    both(
      (l) => `2026-11-18T10:26:40Z redis-0 ${l}`,
      (l) => `2026-11-18T10:26:40Z redis-1 ${l}`,
    ),
    'redis-0',
    'redis-1',
  ],
  [
    'ports in parentheses',
    both(
      (l) => `(6379) ${l}`,
      (l) => `(6380) ${l}`,
    ),
    '6379',
    '6380',
  ],
  [
    'ports',
    both(
      (l) => `6379: ${l}`,
      (l) => `6380: ${l}`,
    ),
    '6379',
    '6380',
  ],
  [
    'hosts in json',
    both(
      (l) => JSON.stringify({ host: 'a', message: l }),
      (l) => JSON.stringify({ host: 'b', message: l }),
    ),
    'a',
    'b',
  ],
  [
    'a column of a table',
    `pod,line\n${both(
      (l) => `a,"${l.replaceAll('"', '""')}"`,
      (l) => `b,"${l.replaceAll('"', '""')}"`,
    )}`,
    'a',
    'b',
  ],
])('a text of several servers is refused: %s', async (_, text, one, other) => {
  expect(await readIn(text)).toEqual({ code: 'monitor-of-several', values: { one, other } });
});
