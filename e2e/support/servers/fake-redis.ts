import { createServer, type Socket } from 'node:net';

/** One connection of the fake server; `queue` has the commands since MULTI. */
export type FakeConnection = { readonly socket: Socket; queue: string[][] | undefined };
/** Returns the reply to one command; `undefined` if the server stays silent. */
export type Answers = (words: string[], connection: FakeConnection) => string | undefined;

/** A server that looks like Redis and answers as the test wants. */
export type FakeRedis = {
  readonly port: number;
  /** Connections accepted so far. */
  accepted(): number;
  /** Uses these answers from now on, and closes all connections. `onConnect` returns true to take over a connection. */
  answerWith(answers: Answers, onConnect?: (socket: Socket) => boolean): void;
  stop(): void;
};

export function bulk(text: string): string {
  return `$${Buffer.byteLength(text, 'latin1')}\r\n${text}\r\n`;
}

export function array(items: readonly string[]): string {
  return `*${items.length}\r\n${items.join('')}`;
}

/** The reply to HELLO of a master. */
export function helloOf(version: string): string {
  const fields = [bulk('server'), bulk('redis'), bulk('version'), bulk(version), bulk('proto'), ':3\r\n'];
  const more = [bulk('id'), ':7\r\n', bulk('mode'), bulk('standalone'), bulk('role'), bulk('master')];
  return `%6\r\n${fields.join('')}${more.join('')}`;
}

const INFO =
  'run_id:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\nrole:master\r\nmaster_replid:bbbb\r\nmaster_repl_offset:0\r\n';

/** Answers like a Redis without keys. */
export function answerAsEmptyRedis(words: string[], connection: FakeConnection): string {
  const name = words[0]?.toUpperCase() ?? '';
  const sub = words[1]?.toUpperCase();
  if (connection.queue && name !== 'EXEC') {
    connection.queue.push(words);
    return '+QUEUED\r\n';
  }
  switch (name) {
    case 'HELLO':
      return helloOf('7.0.15');
    case 'CONFIG':
      return `%1\r\n${bulk('notify-keyspace-events')}${bulk('Eghxe')}`;
    case 'CLIENT':
      if (sub === 'ID') return ':7\r\n';
      return sub === 'LIST' ? bulk('id=7 addr=127.0.0.1:5 name=lockscope age=1 idle=0 omem=0\n') : '+OK\r\n';
    case 'ACL':
      return sub === 'WHOAMI' ? bulk('default') : '+OK\r\n';
    case 'PUBSUB':
      return sub === 'NUMSUB' && words.length > 2 ? array([bulk(words[2] ?? ''), ':0\r\n']) : '*0\r\n';
    case 'TIME': {
      const micros = Date.now() * 1000;
      return array([bulk(`${Math.floor(micros / 1e6)}`), bulk(`${micros % 1e6}`)]);
    }
    case 'INFO':
      return bulk(INFO);
    case 'PSUBSCRIBE':
    case 'SUBSCRIBE':
      return words
        .slice(1)
        .map((channel, n) => `>3\r\n${bulk(name.toLowerCase())}${bulk(channel)}:${n + 1}\r\n`)
        .join('');
    case 'SCAN':
      return array([bulk('0'), '*0\r\n']);
    case 'TYPE':
      return '+none\r\n';
    case 'HGETALL':
      return '%0\r\n';
    case 'HLEN':
    case 'PUBLISH':
      return ':0\r\n';
    case 'PTTL':
      return ':-2\r\n';
    case 'ECHO':
      return bulk(words[1] ?? '');
    case 'MULTI':
      connection.queue = [];
      return '+OK\r\n';
    case 'EXEC': {
      const { queue } = connection;
      if (!queue) return '-ERR EXEC without MULTI\r\n';
      connection.queue = undefined;
      return array(queue.map((each) => answerAsEmptyRedis(each, connection)));
    }
    default:
      return '+OK\r\n';
  }
}

/** Starts a fake Redis on a free port. `host`: `0.0.0.0` for every address of this machine, for example 127.0.3.7. */
export async function startFakeRedis(host = '127.0.0.1'): Promise<FakeRedis> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  let answers: Answers = answerAsEmptyRedis;
  let takesOver: (socket: Socket) => boolean = () => false;
  const server = createServer((socket) => {
    accepted++;
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    if (takesOver(socket)) return void socket.resume();
    const connection: FakeConnection = { socket, queue: undefined };
    let rest = Buffer.alloc(0);
    socket.on('data', (data: Buffer) => {
      rest = Buffer.concat([rest, data]);
      for (let command = commandAt(rest); command; command = commandAt(rest)) {
        rest = rest.subarray(command.end);
        const reply = answers(command.words, connection);
        if (reply !== undefined && socket.writable) socket.write(reply, 'latin1');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const address = server.address();
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: address !== null && typeof address === 'object' ? address.port : 0,
    accepted: () => accepted,
    answerWith: (next, onConnect = () => false) => {
      answers = next;
      takesOver = onConnect;
      cut();
    },
    stop: () => {
      cut();
      server.close();
    },
  };
}

/** The command at the beginning of these bytes; `undefined` if it is not complete. */
export function commandAt(buffer: Buffer): { words: string[]; end: number } | undefined {
  let at = buffer.indexOf('\r\n');
  if (at === -1) return undefined;
  const count = Number(buffer.toString('latin1', 1, at));
  const words: string[] = [];
  at += 2;
  for (let n = 0; n < count; n++) {
    const end = buffer.indexOf('\r\n', at);
    if (end === -1) return undefined;
    const length = Number(buffer.toString('latin1', at + 1, end));
    if (buffer.length < end + 4 + length) return undefined;
    words.push(buffer.toString('latin1', end + 2, end + 2 + length));
    at = end + 4 + length;
  }
  return { words, end: at };
}

/** Writes pieces until `total` bytes are sent or the connection is closed, with back-pressure. */
export async function flood(socket: Socket, piece: string, total: number): Promise<void> {
  const bytes = Buffer.from(piece, 'latin1');
  for (let sent = 0; sent < total && socket.writable; sent += bytes.length) {
    if (socket.write(bytes)) continue;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        socket.off('drain', done).off('close', done);
        resolve();
      };
      socket.on('drain', done).on('close', done);
    });
  }
}
