import { connect } from 'node:net';

/** An application that writes one key again and again. */
export type SetLoad = { stop(): void };

const EVERY_MS = 20;
/** What Redis has not taken yet, at most. */
const MOST_WAITING = 8 * 1024 * 1024;

/** Sends `perSecond` SETs of `valueBytes` over one connection, without waiting for replies. */
export function startSetLoad(port: number, valueBytes: number, perSecond: number): SetLoad {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.resume();
  const command = Buffer.concat([
    Buffer.from(`*3\r\n$3\r\nSET\r\n$7\r\napp:key\r\n$${valueBytes}\r\n`),
    Buffer.alloc(valueBytes, 'x'),
    Buffer.from('\r\n'),
  ]);
  const block = Buffer.concat(
    Array.from({ length: Math.max(1, Math.round((perSecond * EVERY_MS) / 1000)) }, () => command),
  );
  const timer = setInterval(() => {
    if (socket.writableLength < MOST_WAITING) socket.write(block);
  }, EVERY_MS);
  return {
    stop() {
      clearInterval(timer);
      socket.destroy();
    },
  };
}
