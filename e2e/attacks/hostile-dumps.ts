import { readFileSync } from 'node:fs';

const MB = 1024 * 1024;

const filled = (head: string, part: string, end = '') =>
  head + part.repeat(Math.floor((19.9 * MB - head.length - end.length) / part.length)) + end;

/** A dump of 19 MB whose parts all differ. */
function withParts(part: (n: number) => string): string {
  const parts = ['Full thread dump x\n'];
  for (let n = 0, length = 0; length < 19 * MB; n++) {
    const next = part(n);
    parts.push(next);
    length += next.length;
  }
  return parts.join('');
}

function differentKeys(): string {
  return `{"threadDump":{${Array.from({ length: 1_900_000 }, (_, n) => `"${n.toString(36)}":1`).join()}}}`;
}

/**
 * Hostile dumps: what each has 20 MB of, its text, and the codes with which it may be refused. One without codes is
 * read.
 */
export const HOSTILE: readonly (readonly [string, () => string, readonly string[]])[] = [
  [
    'small objects',
    () => filled('{"threads":[{"threadName":"x"}', ',{}', ']}'),
    ['not-a-thread-dump', 'thread-dump-too-much'],
  ],
  // The parsed value would take more memory than the reading thread has, which would end the process.
  ['different keys', differentKeys, ['not-a-thread-dump']],
  ['deep lists', () => filled('{"threads":', '['), ['not-a-thread-dump', 'thread-dump-too-much']],
  ['heads of dumps', () => filled('', 'Full thread dump x\n'), ['not-a-thread-dump']],
  [
    'half heads of threads',
    () => filled('Full thread dump x\n', '"" #'),
    ['not-a-thread-dump', 'thread-dump-too-much'],
  ],
  [
    'frames in a log',
    () => filled('x Full thread dump x\n', 'at a at b at ( '),
    ['not-a-thread-dump', 'thread-dump-too-much'],
  ],
  ['different frames', () => withParts((n) => `${n % 200 === 0 ? `"" #${n + 1} tid=0x1\n` : ''}at f${n}\n`), []],
  [
    'different locks',
    () => withParts((n) => `${n % 200 === 0 ? `"" #${n + 1} tid=0x1\n` : ''}- locked <0x${n}>\n`),
    [],
  ],
  ['threads', () => filled('Full thread dump x\n', '"t" #9 tid=0x1\n'), []],
];

const REAL = new URL('../../shared/traces/dumps/redisson-4.7.0.jstack.txt', import.meta.url);

export function realDump(): string {
  return readFileSync(REAL, 'utf8');
}

/** Uploads a dump. Returns the status of the answer, and its code if it is refused. */
export async function addDump({ url }: { url: string }, body: string) {
  const headers = { 'Content-Type': 'application/octet-stream' };
  const answer = await fetch(`${url}/api/thread-dumps`, { method: 'POST', body, headers });
  const { error } = (await answer.json()) as { error?: { code: string } }; // an error body, or a dump
  return { status: answer.status, code: error?.code };
}
