import { gzipSync } from 'node:zlib';

/* Hostile files, and how an upload of each is answered. */

/** A file as text or bytes, and the code with which it is refused. */
export type RefusedFile = readonly [name: string, content: () => string | Buffer, code: string];
export type ShownFile = readonly [name: string, content: () => string | Buffer];

const HOLDER = '00000001-d89d-4cda-962c-c6e370a8fee0:1';
/** The time of their first line, 1 µs after these recordings begin. */
export const AT = 1_700_000_000_000_001;
export const HEADER = JSON.stringify({
  lockscope: 'recording',
  format: 1,
  source: { id: 'redis', url: 'redis://x', redisVersion: '7', role: 'master', level: 'monitor', isPushFirst: true },
  startedAt: AT - 1,
});
const PING = '1795218451.000001 [0 10.0.0.9:1] "PING"';
const MANY_SPACES = Buffer.alloc(100 * 1024 * 1024, 32);

export const COLOURED_HEADER = HEADER.replace('"format":1', '"format":"\\u001b[31m"');

/** MONITOR text with prototypes and control characters. */
export const HOSTILE_TEXT = `${PING}\n${PING.replace('"PING"', '"DEL" "__proto__" "\\x1b[31m"')}\r\n`;

/** A header, and a line of 100 MB. */
export const longLine = () => gzipSync(Buffer.concat([Buffer.from(`${HEADER}\n`), MANY_SPACES]));

export const SMALL_REFUSED: readonly RefusedFile[] = [
  ['an empty file', () => '', 'not-a-recording'],
  ['a page', () => '<html>', 'not-a-recording'],
  ['broken gzip', () => Buffer.from([0x1f, 0x8b, 1, 2, 3]), 'not-a-recording'],
  ['only the first word of MONITOR', () => 'OK\n', 'not-a-recording'],
  ['another format', () => HEADER.replace('"format":1', '"format":99'), 'recording-newer'],
  ['a header of nonsense', () => HEADER.replace('"id":"redis"', `"id":"${'x'.repeat(300)}"`), 'recording-damaged'],
  ['a number as an id', () => HEADER.replace('"id":"redis"', '"id":5'), 'recording-damaged'],
  ['colours in its header', () => COLOURED_HEADER, 'recording-damaged'],
];

export const LARGE_REFUSED: readonly RefusedFile[] = [
  ['100 MB of zeros', () => gzipSync(Buffer.alloc(100 * 1024 * 1024)), 'not-a-recording'],
  ['a line of 100 MB of spaces', longLine, 'recording-too-large'],
  [
    'a line of 100 MB after a line of MONITOR',
    () => gzipSync(Buffer.concat([Buffer.from(`${PING}\n`), MANY_SPACES])),
    'recording-too-large',
  ],
];

export const SMALL_SHOWN: readonly ShownFile[] = [
  ['MONITOR text with prototypes and control characters', () => HOSTILE_TEXT],
  ['MONITOR text with a line of nonsense', () => `${PING}\n?\n${PING}`],
  ['MONITOR text that was cut off', () => gzipSync(PING).subarray(0, -9)],
  ['MONITOR text with the newest line first', () => descending(1000, '')],
  ['lines of nonsense', () => `${HEADER}\n{"at":1}\n[[[`],
  [
    'numbers beyond measure',
    () => `${HEADER}\n{"at":9007199254740991,"time":1}\n{"at":1e400,"time":1}\n{"at":-1,"time":1}\n`,
  ],
  [
    'names of prototypes',
    () =>
      `${HEADER}\n{"at":${AT},"db":0,"from":"__proto__","do":["__proto__","constructor"]}\n` +
      `{"at":${AT},"read":[{"db":0,"name":"__proto__","type":"hash","fields":{"__proto__":"1","${HOLDER}":"1"},"pttl":5}]}\n`,
  ],
];

export const LARGE_SHOWN: readonly ShownFile[] = [
  ['a million bad lines', () => gzipSync(`${HEADER}\n${'{"at":1}\n'.repeat(1_000_000)}`)],
  [
    'a million lines of MONITOR that go back in time',
    () => gzipSync(`${PING}\n${'1.000001 [0 x:1] "DEL" "a"\n'.repeat(1_000_000)}`),
  ],
  ['a million lines of MONITOR with the newest line first', () => gzipSync(descending(1_000_000, ''))],
  ['100 MB of MONITOR with the newest line first', () => gzipSync(descending(1000, 'x'.repeat(100_000)))],
  ['forms within forms', () => `${PING}\n${'1.000001 [0 “”&lt;\\n"'.repeat(50_000)}\n`],
  ['three million brackets', () => `${HEADER}\n${'['.repeat(3_000_000)}\n`],
];

/** A MONITOR text with the newest line first. */
function descending(lines: number, more: string): string {
  return Array.from({ length: lines }, (_, n) => `${1_795_218_451 - n}.000001 [0 x:1] "DEL" "a${more}"\n`).join('');
}
