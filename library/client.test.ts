import { createServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { connect, LockscopeError } from './client.ts';

let server: Server | undefined;
afterEach(() => void server?.close());

test('a question to a server that accepts and never answers rejects in time, with what to do', async () => {
  server = createServer((socket) => socket.on('error', () => undefined));
  const port = await new Promise<number>((resolve) => {
    server?.listen(0, '127.0.0.1', () => resolve((server?.address() as { port: number }).port));
  });
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
