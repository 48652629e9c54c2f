/** Files that are not texts, by their first bytes. */
export const FILE_KINDS = [
  'empty',
  'heap-dump',
  'flight-recording',
  'archive',
  'picture',
  'redis-data',
  'binary',
] as const;
type FileKind = (typeof FILE_KINDS)[number];

/** First characters of files. A heap dump is one of `jmap`, a flight recording one of JFR, Redis's data an RDB file. */
const BEGINNINGS: readonly (readonly [beginning: string, kind: FileKind])[] = [
  ['JAVA PROFILE 1.', 'heap-dump'],
  ['FLR\0', 'flight-recording'],
  ['PK\x03\x04', 'archive'],
  ['\x1f\x8b', 'archive'],
  ['7z\xbc\xaf', 'archive'],
  ['BZh', 'archive'],
  ['\xfd7zXZ', 'archive'],
  ['\x28\xb5\x2f\xfd', 'archive'],
  ['\x89PNG', 'picture'],
  ['\xff\xd8\xff', 'picture'],
  ['GIF8', 'picture'],
  ['%PDF-', 'picture'],
  ['REDIS0', 'redis-data'],
];

const HEAD_BYTES = 512;

/** What a file seems to be by its first bytes, if it is not a text. */
export function fileKindOf(head: Uint8Array): FileKind | undefined {
  if (head.length === 0) return 'empty';
  const text = String.fromCharCode(...head.subarray(0, HEAD_BYTES));
  const known = BEGINNINGS.find(([beginning]) => text.startsWith(beginning))?.[1];
  if (known) return known;
  if (text.slice(257, 262) === 'ustar') return 'archive';
  return isBinary(text) ? 'binary' : undefined;
}

/** More control characters than a text has. NULs do not count: they are in UTF-16, and in logs that were cut. */
function isBinary(text: string): boolean {
  const controls = text.match(/[\x01-\x06\x0e-\x1a\x1c-\x1f]/g)?.length ?? 0;
  return controls > text.length / 20;
}
