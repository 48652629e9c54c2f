import type { ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { createServer } from 'node:http';

/** One running server. */
type ServerProcess = {
  readonly port: number;
  /** Ends the server immediately, like a crash; settles when it is gone. Its port stays reserved for it. */
  crash(): Promise<void>;
  /** Starts the server again after a crash: the same port, the same settings and `more`. */
  comeBack(more?: readonly string[]): Promise<void>;
  /** Ends the server for good. */
  stop(): Promise<void>;
  /** Stops the process until `thaw`. Its connections stay open. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
};

/** Where servers run: this machine, or one container. The servers and the tests reach each other at 127.0.0.1:PORT. */
export type ServerHost = {
  /** A folder that the servers can write to. */
  readonly dir: string;
  /** Starts a server; `args` receives the port. Settles when it is ready. */
  start(args: (port: number) => readonly string[]): Promise<ServerProcess>;
  /** Writes a file for the servers; returns its path on their host. */
  writeFile(name: string, text: string): Promise<string>;
  /** Ends every server on this host. */
  close(): Promise<void>;
};

/** Settles with `ready`, or with the reason why a server did not start. */
export function untilReady(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let output = '';
    const read = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-10_000);
      if (/ready to accept connections|Sentinel ID is/i.test(output)) resolve('ready');
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code) => resolve(`exit code ${code}: ${output.trim().split('\n').slice(-3).join(' / ')}`));
  });
}

/** Ends a child and waits until it is gone. */
export async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await gone;
}

/**
 * Ports that no system assigns by itself, so no other program gets one while its server is down. Cluster servers talk
 * to each other on a port that is 10,000 higher, which no system assigns either.
 */
const PORTS = { first: 12_000, count: 10_000 };

/** The first of `count` ports in a row that were free a moment ago. */
export async function freePort(count = 1): Promise<number> {
  for (;;) {
    const first = PORTS.first + randomInt(PORTS.count - count);
    const all = Array.from({ length: count }, (_, index) => canListen(first + index));
    if ((await Promise.all(all)).every(Boolean)) return first;
  }
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** Settles when a child has ended. */
export async function gone(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  await new Promise((resolve) => child.once('exit', resolve));
}
