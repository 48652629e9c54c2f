import type { RedisUrl } from '../../../shared/base/redis-url.ts';
import { connectSocket, type RedisSocket, startTimer, stopTimer } from './surroundings.ts';

/** Size of the memory that each read uses, in bytes: a limit for one read. Not used over TLS. */
export const READ_BYTES = 128 * 1024;
const CONNECT_TIMEOUT_MS = 5000;

type SocketUse<T> = {
  /** Called with what arrives. The bytes are valid during the call only: the next read overwrites them. */
  onBytes(bytes: Buffer): void;
  /** Called with the socket as soon as it is connected, so that no event is missed. `openSocket` returns its result. */
  onOpen(socket: RedisSocket): T;
};

/**
 * Connects by TCP, TLS or a Unix socket, or rejects within five seconds with the reason. Nothing is sent yet.
 * `buffer`: the memory that each read uses, except over TLS.
 */
export function openSocket<T>(
  url: RedisUrl,
  { onBytes, onOpen }: SocketUse<T>,
  buffer: Buffer = Buffer.allocUnsafe(READ_BYTES),
): Promise<T> {
  return new Promise((resolve, reject) => {
    const callback = (bytes: number) => {
      onBytes(buffer.subarray(0, bytes));
      return true;
    };
    const socket = connectSocket(url, { buffer, callback });
    const timer = startTimer(
      () => socket.destroy(new Error(`no answer within ${CONNECT_TIMEOUT_MS / 1000} s`)),
      CONNECT_TIMEOUT_MS,
    );
    socket.once('error', (error) => {
      stopTimer(timer);
      reject(error);
    });
    socket.once(url.tls ? 'secureConnect' : 'connect', () => {
      stopTimer(timer);
      socket.removeAllListeners('error');
      const result = onOpen(socket);
      if (url.tls) socket.on('data', onBytes); // TLS decrypts into its own memory
      resolve(result);
    });
  });
}
