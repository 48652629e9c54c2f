import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { problem } from '../../shared/wire/problems/problem.ts';
import type { RecordingEntry } from '../../shared/wire/recordings.ts';
import type { RecordFile } from './record-files.ts';
import { entryOf, type Kept } from './recording-entry.ts';
import { replaceText, UPLOAD_LIMITS } from './replace-text.ts';
import { openRecording, type RecordingSummary } from './replay-observatory.ts';
import type { Mount, StoreOptions } from './store-options.ts';
import { isDiskFull, StoreProblem } from './store-problem.ts';
import { type Bytes, writeNew } from './write-new.ts';

const MB = 1024 * 1024;
const MOST_FILES = 50;
const MOST_BYTES = 1024 * MB;
/** Bytes of one file. */
const FILE_BYTES = 256 * MB;

/**
 * The recordings that Lockscope keeps until it ends, and the files of `--record`. The files are in a private folder for
 * temporary files, under names that the store chooses. At most a few are open at once; the one unused for longest is
 * closed first.
 */
export class Store<M extends Mount> {
  readonly #options: StoreOptions<M>;
  readonly #kept = new Map<string, Kept>();
  /** The contents of each recording, and the size of its file when they were read: the file of `--record` grows. */
  readonly #read = new Map<string, { readonly summary: RecordingSummary; readonly bytes: number }>();
  readonly #recordIds = new Map<RecordFile, string>();
  /** The open recordings; first the recording that was unused for longest. */
  readonly #open = new Map<string, M>();
  #folder: Promise<string> | undefined;
  /** Bytes that have arrived of files that are not kept yet. */
  #arriving = 0;
  #turn: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(options: StoreOptions<M>) {
    this.#options = options;
  }

  /** All recordings, those of `--record` first, then the newest first. */
  list(): RecordingEntry[] {
    const kept = [...this.#kept.values()].reverse();
    return [...this.#records(), ...kept].map((each) => this.#entryOf(each));
  }

  /** How much may be kept, and how much is. */
  room() {
    return {
      files: MOST_FILES,
      bytes: MOST_BYTES,
      usedBytes: this.#usedBytes(),
      fileBytes: FILE_BYTES,
      open: this.#options.open.most,
    };
  }

  /**
   * Keeps a file, and reads it once. `length`: its size, as announced. Rejects with `OpenError` if the file is not a
   * recording, with `StoreProblem` if there is no room, and with the reason of `signal`. An uploaded recording stays
   * open.
   */
  async add(
    name: string,
    origin: 'uploaded' | 'saved' | 'automatic',
    length: number,
    bytes: Bytes,
    signal?: AbortSignal,
  ): Promise<RecordingEntry> {
    if (this.#isClosed) throw new StoreProblem(404, problem('unknown-recording'));
    this.#checkRoom(length);
    let arrived = 0;
    const counted = async function* (this: Store<M>) {
      for await (const piece of bytes) {
        arrived += piece.length;
        this.#arriving += piece.length;
        this.#checkRoom(0);
        yield piece;
      }
    };
    const id = randomBytes(8).toString('hex');
    let made: string | undefined;
    try {
      const path = join(await this.#home(), `${id}.lockscope`);
      made = path;
      await writeNew(path, counted.call(this));
      const { open, read } = this.#options;
      const textOf = () => replaceText(path, { memory: open.memoryEach, read, signal });
      const text = origin === 'uploaded' ? await this.#inTurn(textOf) : undefined;
      const kept: Kept = { id, name, origin, path, bytes: (await stat(path)).size, ...(text && { text }) };
      await this.#inTurn(async () => {
        this.#checkRoom(0); // other files may have been kept since this file began to arrive
        if (origin === 'uploaded') await this.#openNow(kept, signal);
        else this.#noteRead(kept, (await this.#opened(kept, signal)).summary);
        this.#kept.set(id, kept);
      });
      return this.#entryOf(kept);
    } catch (error) {
      if (made !== undefined) await rm(made, { force: true });
      throw isDiskFull(error) ? new StoreProblem(507, problem('recordings-disk-full')) : error;
    } finally {
      this.#arriving -= arrived;
    }
  }

  /** Opens a recording. A file that has grown since it was read is read again, up to its present end. */
  async open(id: string): Promise<RecordingEntry> {
    const found = this.#found(id);
    await this.#inTurn(async () => {
      this.#found(id); // the recording may have been deleted meanwhile
      if (this.#open.has(id) && this.#summaryOf(found)) this.use(id);
      else await this.#openNow(found);
    });
    return this.#entryOf(found);
  }

  /** The name of a recording; `undefined` if the id is unknown. */
  nameOf(id: string): string | undefined {
    return this.#find(id)?.name;
  }

  /** The mount of a recording, if it is open. Marks the recording as used most recently. */
  use(id: string): M | undefined {
    const mount = this.#open.get(id);
    if (!mount) return undefined;
    this.#open.delete(id);
    this.#open.set(id, mount);
    return mount;
  }

  /** The file of a recording, to be downloaded. */
  file(id: string): { name: string; path: string } {
    return this.#found(id);
  }

  /** Deletes a recording that Lockscope keeps. */
  async delete(id: string): Promise<void> {
    const { name, origin, path } = this.#found(id);
    if (origin === 'record') throw new StoreProblem(409, problem('recording-yours', { name }));
    this.#kept.delete(id);
    // after an opening that is in progress, which would leave a recording open that is not listed
    await this.#inTurn(async () => {
      this.#read.delete(id);
      await this.#close(id, name);
      await rm(path, { force: true });
    });
  }

  /**
   * Closes an open recording to free memory: the one unused for longest of those without a page, or else of all.
   * Returns false if none is open.
   */
  closeOne(): boolean {
    const ids = [...this.#open.keys()];
    const id = ids.find((each) => this.#open.get(each)?.pages() === 0) ?? ids[0];
    if (id === undefined) return false;
    void this.#close(id, this.nameOf(id) ?? '');
    return true;
  }

  /** Closes all recordings and deletes the folder. */
  async end(): Promise<void> {
    this.#isClosed = true; // a recording that is being read is not opened
    while (this.closeOne());
    if (this.#folder) await rm(await this.#folder, { recursive: true, force: true });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  async #openNow(kept: Kept, signal?: AbortSignal): Promise<void> {
    // read first: a file that cannot be read closes no other recording
    const { observatory, summary } = await this.#opened(kept, signal);
    if (this.#isClosed) return;
    await this.#close(kept.id, kept.name);
    while (this.#open.size >= this.#options.open.most && this.closeOne());
    this.#noteRead(kept, summary);
    this.#open.set(kept.id, this.#options.mount(kept.id, observatory));
  }

  #noteRead({ id, bytes }: Kept, summary: RecordingSummary): void {
    this.#read.set(id, { summary, bytes });
  }

  /** The contents; `undefined` if they were not read, or have grown since. */
  #summaryOf({ id, bytes }: Kept): RecordingSummary | undefined {
    const read = this.#read.get(id);
    return read?.bytes === bytes ? read.summary : undefined;
  }

  #opened({ path, name, origin, text }: Kept, signal?: AbortSignal) {
    signal?.throwIfAborted();
    const { open, read } = this.#options;
    return openRecording(path, {
      ...{ memory: open.memoryEach, name, read, signal },
      ...(text && { text }),
      ...(origin === 'uploaded' ? { limits: UPLOAD_LIMITS } : {}),
    });
  }

  async #close(id: string, name: string): Promise<void> {
    const mount = this.#open.get(id);
    this.#open.delete(id);
    await mount?.close(name);
  }

  #checkRoom(length: number): void {
    if (length > FILE_BYTES) {
      throw new StoreProblem(413, problem('recording-too-large', { part: 'file', megabytes: FILE_BYTES / MB }));
    }
    const isFull = this.#kept.size >= MOST_FILES;
    if (!isFull && this.#usedBytes() + this.#arriving + length <= MOST_BYTES) return;
    throw new StoreProblem(507, problem('recordings-full', { files: MOST_FILES, megabytes: MOST_BYTES / MB }));
  }

  #usedBytes(): number {
    return [...this.#kept.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** The private folder. It is created with the first file, and only this user may read it. */
  #home(): Promise<string> {
    this.#folder ??= mkdtemp(join(tmpdir(), 'lockscope-recordings-')).catch((error: unknown) => {
      this.#folder = undefined; // the next file tries again to make the folder
      throw error;
    });
    return this.#folder;
  }

  #records(): Kept[] {
    return (this.#options.records?.list() ?? []).map((file) => {
      const id = this.#recordIds.get(file) ?? randomBytes(8).toString('hex');
      this.#recordIds.set(file, id);
      return { id, name: basename(file.path), origin: 'record', path: file.path, bytes: file.status().bytes };
    });
  }

  #find(id: string): Kept | undefined {
    return this.#kept.get(id) ?? this.#records().find((record) => record.id === id);
  }

  #found(id: string): Kept {
    const found = this.#find(id);
    if (!found) throw new StoreProblem(404, problem('unknown-recording'));
    return found;
  }

  #recordOf(id: string): RecordFile | undefined {
    return [...this.#recordIds].find(([, each]) => each === id)?.[0];
  }

  #entryOf(kept: Kept): RecordingEntry {
    const summary = this.#summaryOf(kept);
    return entryOf(kept, { summary, record: this.#recordOf(kept.id), isOpen: this.#open.has(kept.id) });
  }
}
