import { type AddressInfo, connect, createServer } from 'node:net';

/**
 * A place in a conversation with Redis: before request `n` of a connection, counted from 0, goes on to Redis, or before
 * its reply goes back.
 */
type ProxyStep = { readonly n: number; readonly part: 'request' | 'reply'; readonly text: string };

/** What a proxy does after a step; `undefined`: it passes the request or reply on. */
type After = 'cut' | undefined;

/** A proxy to Redis that stops at each step until `at` has settled: then it goes on, or breaks every connection. */
export type StepProxy = {
  /** The URL of Redis, through the proxy. */
  readonly url: string;
  /** Connections that were opened so far. */
  connections(): number;
  /** Breaks every connection at once: what is on its way is lost. */
  cut(): void;
  close(): void;
};

/** Starts a proxy in front of the Redis at `url`. A client that awaits each reply sends one request in each step. */
export async function startStepProxy(url: string, at: (step: ProxyStep) => Promise<After> | After): Promise<StepProxy> {
  const to = new URL(url);
  const open = new Set<() => void>();
  const cut = () => {
    for (const end of [...open]) end();
  };
  let connections = 0;
  const proxy = createServer((client) => {
    connections++;
    const redis = connect(Number(to.port), to.hostname);
    let steps: Promise<unknown> = Promise.resolve();
    let n = -1;
    const end = () => {
      client.destroy();
      redis.destroy();
      open.delete(end);
    };
    open.add(end);
    const pass = (part: ProxyStep['part'], chunk: Buffer) => {
      steps = steps.then(async () => {
        if (part === 'request') n++;
        if ((await at({ n, part, text: chunk.toString('latin1') })) === 'cut') return cut();
        if (!client.destroyed) (part === 'request' ? redis : client).write(chunk);
      });
    };
    client.on('error', end).on('close', end);
    redis.on('error', end).on('close', end);
    client.on('data', (chunk) => pass('request', chunk));
    redis.on('data', (chunk) => pass('reply', chunk));
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const through = new URL(url);
  through.port = String((proxy.address() as AddressInfo).port); // a server that listens on TCP has an AddressInfo
  return {
    url: through.href,
    connections: () => connections,
    cut,
    close() {
      cut();
      proxy.close();
    },
  };
}
