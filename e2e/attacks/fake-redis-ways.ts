import type { Socket } from 'node:net';
import {
  type Answers,
  answerAsEmptyRedis,
  array,
  bulk,
  type FakeConnection,
  flood,
  helloOf,
} from '../support/servers/fake-redis.ts';
import { BAD_LENGTHS, HOLDER, line, ODD_LINES, ODD_PUSHES, script } from './odd-bytes.ts';

const MB = 1024 * 1024;
export const PASSWORD = 'hunter2-of-a-test';

/** How one fake server behaves: it is not Redis, or it is a broken Redis. */
export type Way = {
  readonly answers?: Answers;
  /** Takes over each connection. */
  readonly connect?: (socket: Socket, nth: number) => void;
  /** Lockscope may still watch a server that behaves like this. */
  readonly mayObserve?: true;
  /** The problem that must be reported. Absent: none has to be. */
  readonly code?: string;
  /** Problems that may be reported as well. */
  readonly mayReport?: readonly string[];
  /** No connection may be closed because of this behaviour. */
  readonly keepsConnection?: true;
  /** A lock about which events must be reported. */
  readonly shows?: string;
};

/** Answers the command `name` by `answer`, and other commands as an empty Redis does. */
function after(name: string, answer: (connection: FakeConnection, words: string[]) => string | undefined): Answers {
  return (words, connection) =>
    words[0]?.toUpperCase() === name ? answer(connection, words) : answerAsEmptyRedis(words, connection);
}

function instead(name: string, reply: string): Answers {
  return after(name, () => reply);
}

/** Stops answering on a connection at this command. */
function fallsSilentAt(name: string): Answers {
  const silent = new WeakSet<Socket>();
  return (words, connection) => {
    if (words[0]?.toUpperCase() === name) silent.add(connection.socket);
    return silent.has(connection.socket) ? undefined : answerAsEmptyRedis(words, connection);
  };
}

/** The reply to `name` begins with `begin` and continues with `piece` for `total` bytes. */
function floods(name: string, begin: string, piece: string, total: number): Answers {
  return after(name, ({ socket }) => {
    socket.write(begin);
    void flood(socket, piece, total);
    return undefined;
  });
}

function listsClients(rows: number): Answers {
  const list = bulk('id=9 addr=127.0.0.1:5 name=x age=1 idle=0 omem=0\n'.repeat(rows));
  return (words, connection) => (words[1] === 'LIST' ? list : answerAsEmptyRedis(words, connection));
}

/** Answers MONITOR with OK, and then with what `write` sends. */
function monitors(write: (socket: Socket) => unknown): Answers {
  return after('MONITOR', ({ socket }) => {
    setTimeout(() => socket.writable && write(socket), 300);
    return '+OK\r\n';
  });
}

/** Fake servers that are watched at level `events`, by what they do. */
export const AT_EVENTS: Record<string, Way> = {
  'a web server': { connect: (socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n<html>'), code: 'not-redis' },
  'an SSH server': { connect: (socket) => socket.write('SSH-2.0-OpenSSH_9.6\r\n'), code: 'not-redis' },
  'bytes without sense': { connect: (socket) => socket.write(Buffer.alloc(5000, '\x07\xfe\x00z')), code: 'not-redis' },
  'closes at once': { connect: (socket) => socket.destroy(), code: 'closed' },
  silence: { connect: () => undefined, code: 'no-answer' },
  'knows no HELLO': { answers: instead('HELLO', "-ERR unknown command 'HELLO'\r\n"), code: 'too-old' },
  'refuses RESP3': { answers: instead('HELLO', '-NOPROTO unsupported protocol version\r\n'), code: 'no-resp3' },
  'has its limit of clients': {
    connect: (socket) => socket.end('-ERR max number of clients reached\r\n'),
    code: 'too-many-clients',
  },
  'is loading': { answers: instead('HELLO', '-LOADING Redis is loading the dataset in memory\r\n'), code: 'loading' },
  'HELLO is null': { answers: instead('HELLO', '_\r\n'), code: 'not-redis' },
  'HELLO is a list': {
    answers: instead('HELLO', array([bulk('version'), bulk('7.2.0'), bulk('role'), bulk('master')])),
    mayObserve: true,
  },
  'the version is a word': { answers: instead('HELLO', helloOf('unstable')), mayObserve: true },
  'version 5': { answers: instead('HELLO', helloOf('5.0.14')), code: 'too-old' },
  'an error with a secret': {
    answers: instead('HELLO', `-WRONGPASS invalid pair ${PASSWORD}\r\n`),
    code: 'wrong-password',
  },
  'a string without end': {
    answers: floods('HELLO', '$999999999999\r\n', 'a'.repeat(65_536), 64 * MB),
    code: 'no-answer',
  },
  'a list without end': {
    answers: floods('HELLO', '*999999999\r\n', ':1\r\n'.repeat(16_384), 24 * MB),
    code: 'no-answer',
  },
  'a map without end': { answers: floods('HELLO', '%4000000\r\n', '_\r\n'.repeat(16_384), 15 * MB), code: 'no-answer' },
  'nested lists': { answers: floods('HELLO', '', '*1\r\n'.repeat(16_384), 2 * MB), code: 'unreadable-reply' },
  'nested lists while observing': {
    answers: floods('SCAN', '', '*1\r\n'.repeat(16_384), 2 * MB),
    code: 'unreadable-reply',
    mayObserve: true, // until the first scan
  },
  'a simple string without end': {
    answers: floods('HELLO', '+', 'a'.repeat(65_536), 40 * MB),
    code: 'unreadable-reply',
  },
  'wrong lengths': { connect: (socket, nth) => socket.write(BAD_LENGTHS[nth % 5] ?? ''), code: 'not-redis' },
  'lines without CR': { connect: (socket) => socket.write('+OK\n+OK\n'), code: 'not-redis' },
  'odd pushes': {
    answers: after('PSUBSCRIBE', (connection, words) => {
      setTimeout(() => {
        for (const push of ODD_PUSHES) if (connection.socket.writable) connection.socket.write(push);
      }, 500);
      return answerAsEmptyRedis(words, connection);
    }),
    mayReport: ['out-of-step'],
    mayObserve: true,
  },
  'replies to no command': {
    answers: after('INFO', (connection, words) => {
      setTimeout(() => void flood(connection.socket, '+OK\r\n'.repeat(8192), 30 * MB), 800);
      return answerAsEmptyRedis(words, connection);
    }),
    code: 'out-of-step',
    mayObserve: true,
  },
  'subscriptions are never confirmed': { answers: after('PSUBSCRIBE', () => undefined), code: 'no-answer' },
  'MULTI is skipped': { answers: after('MULTI', () => undefined), code: 'out-of-step', mayObserve: true },
  'nothing is answered from MULTI on': { answers: fallsSilentAt('MULTI'), code: 'no-answer', mayObserve: true },
  'TIME is nonsense': {
    answers: instead('TIME', array([bulk('abc'), bulk('-1e999')])),
    code: 'out-of-step',
    mayObserve: true,
  },
  'TIME is the year 9999': {
    answers: instead('TIME', array([bulk('253402300799'), bulk('0')])),
    code: 'out-of-step',
    mayObserve: true,
  },
  'EXEC is short': {
    answers: after('EXEC', (connection) => {
      connection.queue = undefined;
      return '*1\r\n+OK\r\n';
    }),
    code: 'out-of-step',
    mayObserve: true,
  },
  'EXEC is null': {
    answers: after('EXEC', (connection) => {
      connection.queue = undefined;
      return '_\r\n';
    }),
    mayObserve: true,
    mayReport: ['no-snapshot'],
  },
  'SCAN never ends': {
    answers: instead('SCAN', array([bulk('7'), array(Array.from({ length: 100 }, (_, n) => bulk(`key:${n}`)))])),
    mayObserve: true,
  },
  'SCAN is nonsense': { answers: instead('SCAN', array([':1\r\n', ':2\r\n', '_\r\n'])), mayObserve: true },
  'CLIENT LIST of 15 MB': { answers: listsClients(290_000), mayObserve: true, keepsConnection: true },
  'CLIENT LIST of 40 MB': { answers: listsClients(780_000), mayObserve: true, keepsConnection: true },
  'names of 20 MB in one SCAN': {
    answers: instead('SCAN', array([bulk('0'), array(Array.from({ length: 20 }, () => bulk('n'.repeat(MB))))])),
    mayObserve: true,
    keepsConnection: true,
  },
  'one byte at a time': { connect: sendSlowly, code: 'no-answer' },
  'one byte at a time after 8 MB': {
    answers: after('HELLO', ({ socket }) => void floodThenSendSlowly(socket)),
    code: 'no-answer',
  },
};

/** Fake servers that are watched at level `monitor`, by what they do. */
export const AT_MONITOR: Record<string, Way> = {
  'odd lines': { answers: monitors((socket) => flood(socket, ODD_LINES.repeat(200), 4 * MB)), mayObserve: true },
  'a line of 20 MB': {
    answers: monitors((socket) =>
      // The line of another command shows that the script has ended, as it does on a real server.
      flood(
        socket,
        `${line(['SET', 'k', 'a'.repeat(20 * MB)])}${script('after-the-long-line')}${line(['GET', 'k'])}`,
        20 * MB,
      ),
    ),
    mayObserve: true,
    shows: 'after-the-long-line',
  },
  'a line without end': {
    answers: monitors((socket) => {
      socket.write('+1.1 [0 1:1] "SET" "k" "');
      return flood(socket, 'a'.repeat(65_536), 40 * MB);
    }),
    mayObserve: true,
  },
  'cut in mid-line': {
    answers: monitors((socket) => {
      socket.write(script('x').slice(0, 90));
      setTimeout(() => socket.destroy(), 20);
    }),
    code: 'cut',
    mayObserve: true, // for a moment
  },
  'lines of a script without its head': {
    answers: monitors((socket) => flood(socket, line(['hincrby', 'a', HOLDER, '1'], '0 lua').repeat(2000), 10 * MB)),
    mayObserve: true,
  },
  'a script without end': {
    answers: monitors((socket) => {
      socket.write(line(['EVAL', 'x', '1', 'a']));
      return flood(socket, line(['get', 'a-key-of-an-application'], '0 lua').repeat(2000), 80 * MB);
    }),
    mayReport: ['snapshot-late'],
    mayObserve: true,
  },
  'pushes without end': {
    answers: monitors((socket) => {
      const push = [bulk('pmessage'), bulk('*'), bulk('__keyevent@0__:expired'), bulk('a-key-of-an-application')];
      return flood(socket, `>4\r\n${push.join('')}`.repeat(1000), 40 * MB);
    }),
    mayReport: ['snapshot-late'],
    mayObserve: true,
  },
  'times far ahead': {
    answers: monitors((socket) => {
      const at = '99999999999.000001';
      socket.write(line(['EVAL', 'x', '1', 'a', '30000', HOLDER], undefined, at) + line(['exists', 'a'], '0 lua', at));
    }),
    mayObserve: true,
  },
  'MONITOR is never answered': { answers: after('MONITOR', () => undefined), code: 'no-answer' },
};

function sendSlowly(socket: Socket): void {
  const bytes = helloOf('7.0.15');
  let at = 0;
  const timer = setInterval(() => {
    if (!socket.writable) return clearInterval(timer);
    socket.write(bytes[at++ % bytes.length] ?? '');
  }, 100);
}

async function floodThenSendSlowly(socket: Socket): Promise<void> {
  socket.write('*9000000\r\n');
  await flood(socket, ':1\r\n'.repeat(16_384), 8 * MB);
  const timer = setInterval(() => {
    if (!socket.writable) return clearInterval(timer);
    for (let n = 0; n < 4; n++) socket.write(':1\r\n');
  }, 5);
}
