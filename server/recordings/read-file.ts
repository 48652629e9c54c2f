import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream';
import { constants, createGunzip } from 'node:zlib';
import type { RecordedSignal, RecordingProblem } from '../../shared/recording/format.ts';
import { NOT_A_RECORDING, RecordingReader } from '../../shared/recording/read-recording.ts';
import { LineSplitter } from './line-splitter.ts';

/** A recording that cannot be opened: what is wrong and what to do. */
export class OpenError extends Error {
  readonly problem: RecordingProblem;

  constructor(path: string, problem: RecordingProblem) {
    super(`${basename(path)}: ${problem.message} ${problem.hint}`);
    this.problem = problem;
  }
}

/** Characters of a line: the header has a few hundred, the longest line of a signal has the longest lock name in it. */
const LONGEST_HEADER = 1_000_000;
const LONGEST_LINE = 64 * 1024 * 1024;
const TOO_LONG: RecordingProblem = {
  code: 'unreadable',
  message: 'This recording cannot be read: one of its lines is longer than 64 MB.',
  hint: 'Take another copy of the file, or record again.',
};

/**
 * Reads a recording's file and gives every signal to `take`, in order, the header being read by then.
 *
 * A file that ends in the middle is read up to there. Rejects with `OpenError` where nothing can be read.
 */
export async function readRecordingFile(
  path: string,
  take: (signal: RecordedSignal, reader: RecordingReader) => void,
): Promise<RecordingReader> {
  const reader = new RecordingReader();
  const addLine = (line: string) => {
    const read = reader.add(line);
    if (!read.ok) throw new OpenError(path, read.error);
    if (read.value) take(read.value, reader);
  };
  const splitter = new LineSplitter();
  const decoder = new TextDecoder();
  try {
    for await (const chunk of await bytesOf(path)) {
      for (const line of splitter.add(decoder.decode(chunk, { stream: true }))) addLine(line);
      if (!reader.header && splitter.restLength > LONGEST_HEADER) throw new OpenError(path, NOT_A_RECORDING);
      if (splitter.restLength > LONGEST_LINE) throw new OpenError(path, TOO_LONG);
      await new Promise((resolve) => setImmediate(resolve)); // a long file must not hold up signals
    }
  } catch (error) {
    if (error instanceof OpenError) throw error;
    // Cut or damaged from here on: what was read before stays.
    if (!reader.header) throw new OpenError(path, problemOfFile(error));
    return reader;
  }
  // A last line without its end is complete only when it can be read.
  const rest = splitter.rest();
  if (rest !== '' && (!reader.header || isJson(rest))) addLine(rest);
  if (!reader.header) throw new OpenError(path, NOT_A_RECORDING);
  return reader;
}

/** The bytes of the NDJSON, unpacked where the file is packed. */
async function bytesOf(path: string): Promise<AsyncIterable<Buffer>> {
  const file = await open(path).catch((error: unknown) => {
    throw new OpenError(path, problemOfFile(error));
  });
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
    const isPacked = bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
    const bytes = createReadStream(path);
    if (!isPacked) return bytes;
    const unpacked = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
    pipeline(bytes, unpacked, () => {}); // an error reaches whoever reads `unpacked`
    return unpacked;
  } catch (error) {
    throw new OpenError(path, problemOfFile(error));
  } finally {
    await file.close();
  }
}

function problemOfFile(error: unknown): RecordingProblem {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') {
    return { code: 'unreadable', message: 'There is no such file.', hint: 'Check its name and folder.' };
  }
  if (code === 'EISDIR') {
    return { code: 'unreadable', message: 'That is a folder.', hint: 'Name the file in it.' };
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return { code: 'unreadable', message: 'That file may not be read.', hint: 'Allow it, or copy the file.' };
  }
  return NOT_A_RECORDING;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
