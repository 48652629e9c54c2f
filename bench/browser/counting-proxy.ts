import { connect, createServer } from 'node:net';

/** A proxy in front of Lockscope that counts the bytes of live channels. */
type CountingProxy = {
  readonly url: string;
  /**
   * Bytes sent to pages over WebSockets so far: frames with their headers, and the answers that opened the WebSockets,
   * without TCP headers.
   */
  bytes(): number;
  close(): void;
};

/** Opens a port that forwards to a server without changes. */
export async function startCountingProxy(target: string): Promise<CountingProxy> {
  const { port } = new URL(target);
  let bytes = 0;
  const server = createServer((page) => {
    const product = connect(Number(port), '127.0.0.1');
    let isLive = false;
    page.on('data', (chunk) => {
      if (!isLive && /^upgrade: *websocket/im.test(chunk.toString('latin1'))) isLive = true;
    });
    product.on('data', (chunk) => {
      if (isLive) bytes += chunk.length;
    });
    page.pipe(product).pipe(page);
    const end = () => {
      page.destroy();
      product.destroy();
    };
    for (const side of [page, product]) side.on('error', end).on('close', end);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return { url: `http://127.0.0.1:${address.port}`, bytes: () => bytes, close: () => server.close() };
}
