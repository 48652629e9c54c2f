import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** The port on which a server listens. */
export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port; // a server that listens on TCP has an AddressInfo
}

/** A connection to a server of this machine on which a test writes any bytes. */
export class RawConnection {
  readonly socket: Socket;
  text = '';
  isClosed = false;

  constructor(server: Server, socket: Socket = connect(portOf(server), '127.0.0.1')) {
    this.socket = socket;
    socket.on('data', (data: Buffer) => (this.text += data.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => (this.isClosed = true));
  }

  write(text: string | Buffer): this {
    this.socket.write(text);
    return this;
  }

  /** Sends the head of a request, and what is behind it. */
  ask(line: string, headers: readonly string[] = [], body = ''): this {
    return this.write([`${line} HTTP/1.1`, 'Host: 127.0.0.1', ...headers, '', body].join('\r\n'));
  }

  /** The statuses of the answers so far. */
  get statuses(): number[] {
    return [...this.text.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => Number(match[1]));
  }

  end(): void {
    this.socket.destroy();
  }
}

/** The headers of a request that offers another protocol. */
export function offerOf(protocol: 'h2c' | 'websocket'): string[] {
  return ['Connection: Upgrade, HTTP2-Settings', `Upgrade: ${protocol}`, 'HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA'];
}

/** The headers of a WebSocket handshake. */
export const HANDSHAKE = [
  ...['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'],
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];
