import { connect as connectTcp, type Socket } from 'node:net';

const AT_ONCE = 100; // fewer than the backlog of a server, which drops connections once it is full

/**
 * Opens `count` connections, pings Redis once on each, and leaves them idle. Returns a function that closes them.
 * Throws with the number of the first connection that fails: a machine may limit open files and ports.
 */
export async function openIdleConnections(port: number, count: number): Promise<() => void> {
  const open: Socket[] = [];
  const close = () => {
    for (const socket of open) socket.destroy();
  };
  try {
    while (open.length < count) {
      const batch = Math.min(AT_ONCE, count - open.length);
      const answered = Array.from({ length: batch }, () => {
        const socket = connectTcp(port, '127.0.0.1');
        open.push(socket);
        return answeredPing(socket, open.length);
      });
      await Promise.all(answered);
    }
  } catch (error) {
    close();
    throw error;
  }
  return close;
}

function answeredPing(socket: Socket, number: number): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.on('error', (error) => reject(new Error(`idle connection ${number} failed`, { cause: error })));
    socket.on('close', () => reject(new Error(`idle connection ${number} was closed`)));
    socket.once('data', (reply) => {
      if (String(reply).startsWith('+PONG')) resolve();
      else reject(new Error(`idle connection ${number} was refused: ${reply}`));
    });
    socket.write('PING\r\n');
  });
}
