import { closeSync, createWriteStream, fchmodSync, fstatSync, openSync, statSync, type WriteStream } from 'node:fs';
import { basename } from 'node:path';
import { constants, createGzip, type Gzip } from 'node:zlib';
import type { RecordingHeader } from '../../shared/recording/format.ts';
import { type Problem, problem } from '../../shared/wire/problems/problem.ts';
import type { ValuesOf } from '../../shared/wire/problems/values.ts';
import type { Source } from '../../shared/wire/source.ts';
import type { RecordingSink } from '../watch/recording/recording-sink.ts';

type Status = NonNullable<Source['recorder']>;

/** Lines are written to disk this often, so a killed process loses at most this much. */
const FLUSH_EVERY_MS = 500;
/** Bytes that may be buffered for a slow disk; above that, the recording fails. */
const MOST_WAITING = 64 * 1024 * 1024;

const OWNER_ONLY = 0o600;
const NOT_YOURS = 'that file belongs to another user, who could read the recording. Name another one.';

/** The file cannot be created. The message is one line with the reason and what to do. */
export class RecordingFileError extends Error {}

/** The file for the source at that index of the command line: `night.lockscope`, `night-2.lockscope` … */
export function fileOfSource(file: string, index: number): string {
  if (index === 0) return file;
  const [, name = file, ending = ''] = /^(.*?)(\.[^./]+)?$/s.exec(file) ?? [];
  return `${name}-${index + 1}${ending}`;
}

/**
 * Opens a file to record to, which only this user may read. Throws `RecordingFileError` if the file exists and is not
 * empty, or cannot be created.
 */
export function openRecordingFile(path: string): RecordingSink {
  const file = new RecordingFile(path, openNew(path));
  return file;
}

function openNew(path: string): number {
  let fd: number | undefined;
  try {
    const isEmpty = statSync(path, { throwIfNoEntry: false })?.size === 0;
    fd = openSync(path, isEmpty ? 'w' : 'wx', OWNER_ONLY);
    // Opening does not change the rights of a file that existed. A device such as /dev/full keeps its own.
    if (isEmpty && fstatSync(fd).isFile()) fchmodSync(fd, OWNER_ONLY);
    return fd;
  } catch (error) {
    if (fd !== undefined) closeSync(fd);
    throw new RecordingFileError(`--record ${path}: ${fd === undefined ? reasonOf(error, path) : NOT_YOURS}`);
  }
}

/** Writes one recording to disk: gzip NDJSON, at any time readable up to the last flush. */
class RecordingFile implements RecordingSink {
  readonly #path: string;
  readonly #gzip: Gzip = createGzip();
  readonly #out: WriteStream;
  readonly #timer: NodeJS.Timeout;
  readonly #listeners = new Set<() => void>();
  #state: Status['state'] = 'waiting';
  #problem: Status['problem'];
  #signals = 0;
  #isDirty = false;

  constructor(path: string, fd: number) {
    this.#path = path;
    this.#out = createWriteStream(path, { fd });
    this.#out.on('error', (error) => this.#break(error));
    this.#gzip.on('error', (error) => this.#break(error));
    this.#gzip.pipe(this.#out);
    this.#timer = setInterval(() => this.#flush(), FLUSH_EVERY_MS);
    this.#timer.unref();
  }

  begin(header: RecordingHeader): void {
    this.#state = 'writing';
    this.#put(`${JSON.stringify(header)}\n`);
    this.#flush();
  }

  write(lines: string, signals: number): void {
    if (this.#state !== 'writing') return;
    this.#signals += signals;
    this.#put(lines);
    if (this.#gzip.writableLength + this.#out.writableLength > MOST_WAITING) {
      this.#break(new Error('the disk is too slow'));
    }
  }

  async end(at: number | undefined): Promise<void> {
    clearInterval(this.#timer);
    if (this.#state === 'failed' || this.#state === 'ended') return;
    if (this.#state === 'writing' && at !== undefined) {
      this.#put(`${JSON.stringify({ end: at, signals: this.#signals })}\n`);
    }
    const closed = new Promise<void>((resolve) => {
      this.#out.once('close', resolve);
      this.onBreak(resolve);
    });
    this.#gzip.end();
    await closed;
    if (this.status().state !== 'failed') this.#state = 'ended';
  }

  status(): Status {
    return {
      file: basename(this.#path),
      state: this.#state,
      signals: this.#signals,
      bytes: this.#out.bytesWritten,
      ...(this.#problem ? { problem: this.#problem } : {}),
    };
  }

  onBreak(listener: () => void): void {
    this.#listeners.add(listener);
  }

  #put(text: string): void {
    this.#gzip.write(text);
    this.#isDirty = true;
  }

  #flush(): void {
    if (!this.#isDirty || this.#state !== 'writing') return;
    this.#isDirty = false;
    this.#gzip.flush(constants.Z_SYNC_FLUSH);
  }

  /** Stops writing after an error. The file can be opened up to its last flush. */
  #break(error: Error): void {
    if (this.#state === 'failed') return;
    this.#state = 'failed';
    clearInterval(this.#timer);
    this.#gzip.unpipe(this.#out);
    this.#out.destroy();
    this.#problem = problemOf(basename(this.#path), error);
    for (const listener of this.#listeners) listener();
  }
}

function problemOf(file: string, error: Error): Problem {
  const code = 'code' in error ? String(error.code) : '';
  if (code === 'ENOSPC' || code === 'EDQUOT') return problem('disk-full', { file });
  return problem('recording-failed', { file, why: WHY[code] ?? 'other', quote: error.message });
}

const WHY: Readonly<Record<string, ValuesOf<'recording-failed'>['why']>> = {
  ENOENT: 'no-folder',
  EACCES: 'forbidden',
  EPERM: 'forbidden',
  EROFS: 'forbidden',
  EISDIR: 'is-folder',
};

const FOLDER = 'that is a folder. Name a file in it.';

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function reasonOf(error: unknown, path: string): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'EEXIST':
      return isFolder(path) ? FOLDER : 'that file already exists. Name another one, or delete it.';
    case 'ENOENT':
      return 'there is no such folder. Create it, or name another one.';
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return 'you may not write there. Name another folder.';
    case 'EISDIR':
      return FOLDER;
    case 'ENOSPC':
    case 'EDQUOT':
      return 'the disk is full.';
    default:
      return `${error instanceof Error ? error.message : String(error)}.`;
  }
}
