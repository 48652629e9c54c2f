import { bulk } from '../support/servers/fake-redis.ts';

export const HOLDER = '00000001-d89d-4cda-962c-c6e370a8fee0:1';

/** A line of MONITOR. */
export function line(
  words: readonly string[],
  head = '0 127.0.0.1:9',
  at = `${Math.floor(Date.now() / 1000)}.000001`,
): string {
  return `+${at} [${head}] ${words.map((word) => `"${word}"`).join(' ')}\r\n`;
}

/** The lines of a script that acquires a lock. */
export function script(lock: string): string {
  return [
    line(['EVAL', 'return 1', '1', lock, '30000', HOLDER]),
    line(['exists', lock], '0 lua'),
    line(['hincrby', lock, HOLDER, '1'], '0 lua'),
    line(['pexpire', lock, '600000'], '0 lua'),
  ].join('');
}

/** Pushes that no Redis sends. */
export const ODD_PUSHES = [
  '>0\r\n',
  '>1\r\n_\r\n',
  '>2\r\n:1\r\n:2\r\n',
  `>2\r\n${bulk('invalidate')}_\r\n`,
  `>2\r\n${bulk('invalidate')}*2\r\n:1\r\n*0\r\n`,
  `>3\r\n${bulk('message')}_\r\n_\r\n`,
  `>4\r\n${bulk('pmessage')}${bulk('*')}${bulk('__keyevent@99999999999999999999__:hset')}${bulk('k')}`,
  `>4\r\n${bulk('pmessage')}${bulk('*')}${bulk('__keyevent@0__:')}${bulk('')}`,
  `>4\r\n${bulk('pmessage')}${bulk('*')}${bulk('redisson_lock__channel:{')}${bulk('0')}`,
  `>3\r\n${bulk('subscribe')}${bulk('x')}:1\r\n`,
  '|1\r\n+a\r\n+b\r\n+OK\r\n',
  `>3\r\n${bulk('psubscribe')}_\r\n_\r\n`,
];

/** Lines of MONITOR that no Redis sends. */
export const ODD_LINES = [
  '+1\r\n',
  '+12345\r\n',
  '+1.2 [\r\n',
  '+1.2 [0 lua]\r\n',
  '+1.2 [0 lua] "\r\n',
  '+1.2 [x y] "a"\r\n',
  '+9.9 [0 ] "DEL"\r\n',
  '+1.2 [0 lua] "hincrby" "a\r\n',
  `+${'9'.repeat(400)}.1 [0 lua] "hincrby" "a" "${HOLDER}" "1"\r\n`,
  `+1.1 [${'9'.repeat(400)} 1.1.1.1:1] "EVAL" "x" "1" "a"\r\n`,
  '+1.1 [-1 1:1] "EVAL" "x" "999999999" "a"\r\n',
  '+1.1 [0 1:1] "EVAL" "x" "-1"\r\n',
  '+1.1 [0 1:1] "EVAL"\r\n',
  '+1.1 [0 1:1] "DEL"\r\n',
  '+1.1 [0 1:1] "SET" "a" "NX" "PX"\r\n',
  '+1.1 [0 1:1] "PUBLISH" "redisson_lock__channel:"\r\n',
  '+1.1 [0 1:1] "SWAPDB" "a" "b"\r\n',
  '+1.1 [0 1:1] "HELLO" "x"\r\n',
  '+1.1 [0 1:1] "CLIENT" "SETNAME"\r\n',
  '+1.1 [0 1:1] "SUBSCRIBE"\r\n',
].join('');

/** Replies with an invalid length. */
export const BAD_LENGTHS = ['$-2\r\nx', '$abc\r\n', '*-5\r\n', '%1.5\r\n', '$1e3\r\n'];
