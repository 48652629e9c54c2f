/** Files that are not texts, by their first bytes. */
export const FILE_KINDS = [
  'empty',
  'heap-dump',
  'flight-recording',
  'archive',
  'document',
  'picture',
  'redis-data',
  'encoded',
  'binary',
] as const;
type FileKind = (typeof FILE_KINDS)[number];

/**
 * First characters of files. A heap dump is one of `jmap`, a flight recording one of JFR, Redis's data an RDB file, and
 * `encoded` an attachment as a mail has it (base64).
 */
const BEGINNINGS: readonly (readonly [beginning: string, kind: FileKind])[] = [
  ['JAVA PROFILE 1.', 'heap-dump'],
  ['FLR\0', 'flight-recording'],
  ['PK\x03\x04', 'archive'],
  ['\x1f\x8b', 'archive'],
  ['7z\xbc\xaf', 'archive'],
  ['BZh', 'archive'],
  ['\xfd7zXZ', 'archive'],
  ['\x28\xb5\x2f\xfd', 'archive'],
  ['\x04\x22\x4d\x18', 'archive'],
  ['\x1f\x9d', 'archive'],
  ['Rar!', 'archive'],
  ['\xd0\xcf\x11\xe0', 'binary'], // a mail or a document of Office: its text is in pieces
  ['\x89PNG', 'picture'],
  ['\xff\xd8\xff', 'picture'],
  ['GIF8', 'picture'],
  ['%PDF-', 'picture'],
  ['RIFF', 'picture'],
  ['BM', 'picture'],
  ['REDIS0', 'redis-data'],
  ['VALKEY0', 'redis-data'],
];

const HEAD_BYTES = 512;

/** What a file seems to be by its first bytes, if it is not a text. */
export function fileKindOf(head: Uint8Array): FileKind | undefined {
  if (head.length === 0) return 'empty';
  const text = String.fromCharCode(...head.subarray(0, HEAD_BYTES));
  const known = BEGINNINGS.find(([beginning]) => text.startsWith(beginning))?.[1];
  if (known === 'archive' && OFFICE_FILE.test(text)) return 'document';
  if (known && (known !== 'picture' || isPicture(text))) return known;
  if (text.slice(4, 8) === 'ftyp') return 'picture'; // HEIC, AVIF, or a film
  if (isEncoded(text)) return 'encoded';
  if (text.slice(257, 262) === 'ustar') return 'archive';
  return isBinary(text) ? 'binary' : undefined;
}

/** The first file in the archive that a text program or a spreadsheet writes. */
const OFFICE_FILE = /^PK\x03\x04[\s\S]{0,60}(?:\[Content_Types\]\.xml|_rels\/|word\/|xl\/|mimetypeapplication\/vnd\.)/;

/** `RIFF` and `BM` may also be the first letters of a text, so a picture needs more evidence. */
function isPicture(text: string): boolean {
  if (text.startsWith('RIFF')) return text.slice(8, 12) === 'WEBP';
  return !text.startsWith('BM') || text.includes('\0');
}

/** Lines of base64, after the head of a mail or without one. Lines of hexadecimal digits are not. */
const ENCODED =
  /^(?:[\s\S]{0,60000}?^Content-Transfer-Encoding:\s{0,9}base64\b|\s{0,9}(?:(?![\da-f]{1,100}\r?\n)[\w+/]{60,100}\r?\n){3})/im;
/** A whole text of base64, or a text of JSON with nothing else, on one line. */
const ON_ONE_LINE =
  /(?:^|[:[]\s?")(?=[a-z\d+/]{0,300}[A-Z])(?=[A-Z\d+/]{0,300}[a-z])(?=[A-Za-z+/]{0,300}\d)[A-Za-z\d+/]{300,}={0,2}(?:"|\s|$)/;

/** Whether a text is encoded as an attachment of a mail. */
export function isEncoded(text: string): boolean {
  const head = text.slice(0, 65_536);
  return ENCODED.test(head) || ON_ONE_LINE.test(head);
}

/** Whether more than 5 % are control characters. NULs do not count: they are in UTF-16, and in logs that were cut. */
function isBinary(text: string): boolean {
  const controls = text.match(/[\x01-\x06\x0e-\x1a\x1c-\x1f]/g)?.length ?? 0;
  return controls > text.length / 20;
}
