import { connect } from 'node:net';

/** An application that keeps writing one key. */
export type SetLoad = { stop(): void };

const EVERY_MS = 20;
/** While at least this many bytes wait to be sent, SETs are left out. */
const MOST_WAITING = 8 * 1024 * 1024;

/**
 * Sends `perSecond` SETs of `valueBytes` over one connection, without waiting for replies. While 8 MB or more wait to
 * be sent, SETs are left out.
 */
export function startSetLoad(port: number, valueBytes: number, perSecond: number): SetLoad {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.resume();
  const command = Buffer.concat([
    Buffer.from(`*3\r\n$3\r\nSET\r\n$7\r\napp:key\r\n$${valueBytes}\r\n`),
    Buffer.alloc(valueBytes, 'x'),
    Buffer.from('\r\n'),
  ]);
  const began = performance.now();
  let due = 0;
  const timer = setInterval(() => {
    const before = due;
    due = Math.floor(((performance.now() - began) / 1000) * perSecond); // on a busy machine the timer fires late
    for (let n = before; n < due && socket.writableLength < MOST_WAITING; n++) socket.write(command);
  }, EVERY_MS);
  return {
    stop() {
      clearInterval(timer);
      socket.destroy();
    },
  };
}
