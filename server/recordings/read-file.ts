import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream';
import { constants, createGunzip } from 'node:zlib';
import { isJsonWithin } from '../../shared/base/json-bounds.ts';
import type { RecordedSignal } from '../../shared/recording/format.ts';
import {
  LINE_BOUNDS,
  LONGEST_LINE,
  type RecordingProblem,
  RecordingReader,
} from '../../shared/recording/read-recording.ts';
import type { LostLine } from '../../shared/signals/signal.ts';
import { type Encoding, TextBytes } from '../../shared/unwrap/text-bytes.ts';
import { problem } from '../../shared/wire/problems/problem.ts';
import { FileHead } from './file-head.ts';
import { LineSplitter } from './line-splitter.ts';
import { isRecordingHead, MonitorTextReader } from './monitor-text.ts';

/** A recording that cannot be opened: the fault, and what to do. */
export class OpenError extends Error {
  readonly problem: RecordingProblem;

  constructor(path: string, problem: RecordingProblem) {
    super(`${basename(path)}: ${problem.message} ${problem.hint}`);
    this.problem = problem;
  }
}

const MB = 1024 * 1024;

/** Limits for a file whose sender may not be a user of this machine. */
export type FileLimits = {
  /** Bytes after decompression. */
  readonly unpackedMb: number;
  /** A file with a longer line is refused. */
  readonly lineMb: number;
  readonly lines: number;
};

const NO_LIMITS: FileLimits = {
  ...{ unpackedMb: Number.POSITIVE_INFINITY, lines: Number.POSITIVE_INFINITY },
  lineMb: 64,
};

/** What is known about a file that is being read, or has been read. */
export type FileFacts = Pick<
  RecordingReader | MonitorTextReader,
  'header' | 'end' | 'isCutShort' | 'signals' | 'badCount' | 'badLines' | 'skipped'
>;

/** Receives the next signal of a file. */
export type TakeSignal = (signal: RecordedSignal | LostLine, facts: FileFacts) => void;

export type ReadOptions = {
  readonly limits?: FileLimits | undefined;
  /** Aborted when the result is no longer wanted. */
  readonly signal?: AbortSignal | undefined;
};

/** Reads a file and passes its signals on. */
export type ReadFile = (path: string, take: TakeSignal, options?: ReadOptions) => Promise<FileFacts>;

/**
 * Reads a recording, or the text of MONITOR, and passes every signal to `take`, in order, after the header has been
 * read. `pause`: awaited after each piece of the file.
 *
 * A file that was cut short is read up to its end. Rejects with `OpenError` if the file is not a readable recording,
 * and with the reason of `signal`.
 */
export async function readRecordingFile(
  path: string,
  take: TakeSignal,
  options: ReadOptions = {},
  pause: (facts: FileFacts) => Promise<unknown> = () => new Promise((resolve) => setImmediate(resolve)),
): Promise<FileFacts> {
  const head = new FileHead();
  try {
    return await readLines(path, take, { ...options, head, pause });
  } catch (error) {
    if (!(error instanceof OpenError && error.problem.code === 'not-a-recording')) throw error;
    throw error.problem.values.seems === undefined ? new OpenError(path, head.problem()) : error;
  }
}

type Reading = ReadOptions & { readonly head: FileHead; readonly pause: (facts: FileFacts) => Promise<unknown> };

async function readLines(
  path: string,
  take: TakeSignal,
  { limits = NO_LIMITS, signal, head, pause }: Reading,
): Promise<FileFacts> {
  const { unpackedMb, lineMb } = limits;
  let bytes = 0;
  let count = 0;
  const lines = new LineReader(path, take);
  const splitter = new LineSplitter(LONGEST_LINE);
  const decoder = new TextBytes(true);
  const add = (text: string) => {
    for (const line of splitter.add(text)) {
      if (++count > limits.lines) throw new OpenError(path, problem('recording-too-long', { lines: limits.lines }));
      lines.add(line);
    }
  };
  try {
    for await (const chunk of await bytesOf(path)) {
      bytes += chunk.length;
      if (bytes > unpackedMb * MB) throw new OpenError(path, tooLarge('unpacked', unpackedMb));
      head.add(chunk);
      if (!lines.isKnown && head.isOfAnotherKind) throw new OpenError(path, head.problem());
      add(decoder.add(chunk));
      if (!lines.isKnown && splitter.restLength > LONGEST_LINE) throw new OpenError(path, head.problem());
      if (splitter.restLength > lineMb * MB) throw new OpenError(path, tooLarge('line', lineMb));
      await pause(lines.reader); // a long file must not delay SIGINT and SIGTERM
      signal?.throwIfAborted();
    }
  } catch (error) {
    if (error instanceof OpenError || signal?.aborted) throw error;
    // The file is cut short or damaged from here on. Everything read before counts.
    add(decoder.end());
    if (!lines.reader.header && !(lines.reader instanceof MonitorTextReader)) {
      throw new OpenError(path, problemOfFile(error));
    }
    return lines.finished({ isCut: true, encoding: decoder.encoding });
  }
  if (bytes === 0) throw new OpenError(path, head.problem(true));
  add(decoder.end());
  lines.addRest(splitter.rest());
  return lines.finished({ encoding: decoder.encoding });
}

/**
 * Reads lines as they arrive: those of a recording, or those of MONITOR. Throws `OpenError`, in which the file has the
 * name `name`.
 */
export class LineReader {
  reader: RecordingReader | MonitorTextReader = new RecordingReader();
  #isFirst = true;
  readonly #name: string;
  readonly #take: TakeSignal;

  constructor(name: string, take: TakeSignal) {
    this.#name = name;
    this.#take = take;
  }

  /** Whether a recording, or a text of MONITOR, has begun. */
  get isKnown(): boolean {
    const { reader } = this;
    return reader.header !== undefined || (reader instanceof MonitorTextReader && reader.isBegun);
  }

  add(line: string): void {
    if (this.#isFirst && !isRecordingHead(line)) this.reader = new MonitorTextReader();
    this.#isFirst = false;
    this.#pass(this.reader.add(line));
  }

  /** Takes a last line without a line break. In a recording, it is used only if it is complete. */
  addRest(rest: string): void {
    if (rest === '') return;
    if (!this.reader.header || this.reader instanceof MonitorTextReader || isJson(rest)) this.add(rest);
  }

  /** The reader once all lines are read. `isCut`: the end of the file is missing. */
  finished({ isCut = false, encoding = 'utf-8' }: { isCut?: boolean; encoding?: Encoding } = {}): FileFacts {
    if (this.reader instanceof MonitorTextReader) {
      this.reader.noteEncoding(encoding);
      this.#pass(this.reader.finish(isCut));
    }
    if (!this.reader.header) throw new OpenError(this.#name, problem('not-a-recording', {}));
    return this.reader;
  }

  #pass(read: ReturnType<MonitorTextReader['add'] | RecordingReader['add']>): void {
    if (!read.ok) throw new OpenError(this.#name, read.error);
    for (const signal of read.value) this.#take(signal, this.reader);
  }
}

/**
 * True if a file, packed or not, begins neither as a recording does nor with a line that is too long. Rejects with
 * `OpenError`.
 */
export async function isTextFile(path: string): Promise<boolean> {
  const splitter = new LineSplitter();
  const decoder = new TextBytes();
  try {
    for await (const chunk of await bytesOf(path)) {
      const [line] = splitter.add(decoder.add(chunk));
      if (line !== undefined) return !isRecordingHead(line);
      if (splitter.restLength > LONGEST_LINE) return false;
    }
  } catch (error) {
    if (error instanceof OpenError) throw error; // the reader reports the fault
  }
  const [line = splitter.rest()] = splitter.add(decoder.end());
  return !isRecordingHead(line);
}

/** The bytes of a file, decompressed if it is gzipped. */
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
    pipeline(bytes, unpacked, () => {}); // errors reach the reader of `unpacked`
    return unpacked;
  } catch (error) {
    throw new OpenError(path, problemOfFile(error));
  } finally {
    await file.close();
  }
}

function problemOfFile(error: unknown): RecordingProblem {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return problem('recording-unreadable', { why: 'missing' });
  if (code === 'EISDIR') return problem('recording-unreadable', { why: 'is-folder' });
  if (code === 'EACCES' || code === 'EPERM') return problem('recording-unreadable', { why: 'forbidden' });
  const isDamaged = typeof code === 'string' && code.startsWith('Z_');
  return problem('not-a-recording', isDamaged ? { seems: 'damaged' } : {});
}

function tooLarge(part: 'unpacked' | 'line', megabytes: number): RecordingProblem {
  return problem('recording-too-large', { part, megabytes });
}

function isJson(text: string): boolean {
  if (!isJsonWithin(LINE_BOUNDS, text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
