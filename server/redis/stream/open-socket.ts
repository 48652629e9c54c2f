import { connect as connectTcp, isIP, type OnReadOpts, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { RedisUrl } from '../../../shared/base/redis-url.ts';

/** Bytes taken by one read at most; every read uses the same memory. */
const READ_BYTES = 128 * 1024;
const CONNECT_TIMEOUT_MS = 5000;

type SocketUse<T> = {
  /** Called with what arrives. The bytes are valid during the call only: the next read overwrites them. */
  onBytes(bytes: Buffer): void;
  /** Called with the socket as soon as it is connected, so that no event of it is missed. Returns the result. */
  onOpen(socket: Socket): T;
};

/** Connects by TCP, TLS or a Unix socket, or rejects within five seconds with the reason. Nothing is sent yet. */
export function openSocket<T>(url: RedisUrl, { onBytes, onOpen }: SocketUse<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const buffer = Buffer.allocUnsafe(READ_BYTES);
    const callback = (bytes: number) => {
      onBytes(buffer.subarray(0, bytes));
      return true;
    };
    const socket = socketFor(url, { buffer, callback });
    const timer = setTimeout(
      () => socket.destroy(new Error(`no answer within ${CONNECT_TIMEOUT_MS / 1000} s`)),
      CONNECT_TIMEOUT_MS,
    );
    socket.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    socket.once(url.tls ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer);
      socket.removeAllListeners('error');
      const result = onOpen(socket);
      if (url.tls) socket.on('data', onBytes); // TLS decrypts into its own memory
      resolve(result);
    });
  });
}

function socketFor(url: RedisUrl, onread: OnReadOpts): Socket {
  if (url.path !== null) return connectTcp({ path: url.path, onread });
  const { host, port } = url;
  if (!url.tls) return connectTcp({ host, port, onread });
  return connectTls({ host, port, servername: serverNameFor(host) });
}

/** The name that a server with TLS is asked for: an address is no name, and Node warns of it on stderr. */
export function serverNameFor(host: string): string {
  return isIP(host) === 0 ? host : '';
}
