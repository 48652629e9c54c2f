import { expect, test } from 'vitest';
import type { Signal } from '../../../shared/signals/signal.ts';
import { RedisError, type Reply } from '../../redis/connection/reply.ts';
import type { OrderedFeed } from '../../redis/stream/ordered-feed.ts';
import { pollClients } from './client-poll.ts';
import type { Pipeline } from './pipeline.ts';

/** What a poll returns and adds to the stream, if Redis answers INFO like this. */
async function pollWith(info: Reply) {
  const added: Signal[] = [];
  const feed = {
    ...{ capabilities: { canListClients: true }, now: () => 1, isClosed: false, heardAt: Number.POSITIVE_INFINITY },
    ask: async () => [info],
  } as unknown as OrderedFeed; // the code under test uses only these parts
  const interpreter = { hasCommands: true, clients: { all: () => [] }, presence: { hasDoubts: false } };
  const pipeline = { interpreter, add: (signal: Signal) => added.push(signal) } as unknown as Pipeline;
  return { poll: await pollClients(feed, pipeline), added };
}

test('with too many connections, or without INFO, it is not known which clients are connected', async () => {
  for (const info of ['connected_clients:2001', new RedisError('NOPERM no')])
    expect(await pollWith(info)).toMatchObject({ poll: { isTooLong: true }, added: [{ isUnavailable: true }] });
});

test('while a script keeps Redis busy, a poll reports nothing about clients', async () => {
  const busy = new RedisError('BUSY Redis is busy running a script.');
  expect(await pollWith(busy)).toEqual({ poll: undefined, added: [] });
});
