import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { connect, LockscopeError } from './client.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

test('a request without an answer is rejected in time, with an error that names the next step', async () => {
  const server = createServer((socket) => socket.on('error', () => undefined));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a server that listens on TCP has an AddressInfo
  const error = await connect(`http://127.0.0.1:${port}`, { answerWithinMs: 50 })
    .health()
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(LockscopeError);
  expect(error).toMatchObject({
    status: 0,
    code: 'no-answer',
    message: `http://127.0.0.1:${port} did not answer within 0.05 s.`,
  });
});
