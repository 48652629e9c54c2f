import { randomBytes } from 'node:crypto';
import type { Result } from '../../shared/base/result.ts';
import { plusMillis, type RedisTime, redisTime } from '../../shared/base/time.ts';
import { type ClientDump, type ClientDumps, listsEveryThread, threadsOf } from '../../shared/dumps/client-dump.ts';
import type { SeenClient } from '../../shared/dumps/suggest-client.ts';
import { suggestedClient } from '../../shared/dumps/suggest-client.ts';
import { assumedTaken } from '../../shared/dumps/taken-options.ts';
import { type DumpFault, type DumpThread, MOST_THREADS, type ThreadDump } from '../../shared/dumps/thread-dump.ts';
import type { DumpEntry } from '../../shared/wire/dumps.ts';
import { problem } from '../../shared/wire/problems/problem.ts';
import { DumpProblem } from './dump-problem.ts';
import type { DumpRead } from './read-dump.ts';

const MB = 1024 * 1024;
const MOST_DUMPS = 20;
const MOST_BYTES = 64 * MB;
/** Thread dumps may use at most this part of the memory of the process. */
const PART = 1 / 8;
/** Bytes of all texts that have arrived in part. */
const MOST_ARRIVING = 3 * 20 * MB;
/** Bytes of one text. */
const UPLOAD_BYTES = 20 * MB;
/** The clock of a JVM may be ahead of Redis's by this much. */
const AHEAD_MS = 10_000;

type Kept = {
  readonly id: string;
  readonly name: string | null;
  readonly dump: ThreadDump;
  readonly threads: ClientDump['threads'];
  readonly blocked: ClientDump['blocked'];
  readonly receivedAt: RedisTime;
  readonly bytes: number;
  readonly waiting: number;
  readonly taken: { readonly at: RedisTime; readonly by: 'dump' | 'user' | 'assumed' } | null;
  readonly client: { readonly uuid: string; readonly by: 'threads' | 'user' } | null;
};

/** Facts that the user knows about a dump. Null: not known after all. Undefined: unchanged. */
type KnownOfDump = { readonly client?: string | null | undefined; readonly takenAt?: number | null | undefined };

type ReadDump = (bytes: Uint8Array) => Promise<Result<DumpRead, DumpFault>>;

/** The thread dumps that Lockscope keeps until it ends: in memory only, a few, and never in a recording. */
export class DumpStore {
  readonly #read: ReadDump;
  readonly #mostBytes: number;
  readonly #kept = new Map<string, Kept>();
  #arriving = 0;
  #turn: Promise<unknown> = Promise.resolve();

  /** `memory`: the limit of the whole process, in bytes. */
  constructor(read: ReadDump, memory = Number.POSITIVE_INFINITY) {
    this.#read = read;
    this.#mostBytes = Math.min(MOST_BYTES, memory * PART);
  }

  /** The dumps that are kept, the newest first. */
  list(): DumpEntry[] {
    return [...this.#kept.values()].reverse().map(entryOf);
  }

  room() {
    return { dumps: MOST_DUMPS, bytes: this.#mostBytes, usedBytes: this.#usedBytes(), uploadBytes: UPLOAD_BYTES };
  }

  /**
   * Reads a text of `length` bytes and keeps its dump. `now` and `clients` are called once the text has been read.
   * Rejects with `DumpProblem` if it is not a dump, or if there is no room.
   */
  async add(
    upload: { readonly name: string | null; readonly length: number; readonly bytes: AsyncIterable<Uint8Array> },
    known: KnownOfDump,
    seen: { now(): RedisTime; clients(): Promise<readonly SeenClient[]> },
  ): Promise<DumpEntry> {
    const { name, length } = upload;
    this.#checkRoom(length);
    const arrived: Uint8Array[] = [];
    try {
      for await (const piece of upload.bytes) {
        this.#arriving += piece.length;
        arrived.push(piece);
        if (this.#arriving > MOST_ARRIVING) throw this.#noRoom();
      }
      const bytes = Buffer.concat(arrived);
      const read = await this.#inTurn(() => this.#read(bytes));
      if (!read.ok) throw unreadable(read.error);
      const receivedAt = seen.now();
      const kept = withKnown(keptOf(name, read.value, receivedAt), known, receivedAt);
      const isFull = this.#kept.size >= MOST_DUMPS || this.#usedBytes() + kept.bytes > this.#mostBytes;
      if (isFull) throw this.#noRoom();
      const found = kept.client
        ? null
        : suggestedClient({ ...kept, takenAt: certainTakenAt(kept) }, await seen.clients());
      if (this.#kept.size >= MOST_DUMPS) throw this.#noRoom(); // other dumps arrived while the clients were requested
      const own: Kept = found ? { ...kept, client: { uuid: found.client, by: 'threads' } } : kept;
      this.#kept.set(own.id, own);
      return entryOf(own);
    } finally {
      this.#arriving -= arrived.reduce((sum, piece) => sum + piece.length, 0);
    }
  }

  /** Stores the facts that the user knows. */
  change(id: string, known: KnownOfDump, now: RedisTime): DumpEntry {
    const changed = withKnown(this.#found(id), known, now);
    this.#kept.set(id, changed);
    return entryOf(changed);
  }

  /** Throws `DumpProblem` if there is no such dump. */
  get(id: string): {
    readonly entry: DumpEntry;
    readonly dump: ThreadDump;
    readonly threads: ReadonlyMap<number, DumpThread>;
  } {
    const kept = this.#found(id);
    return { entry: entryOf(kept), dump: kept.dump, threads: kept.threads };
  }

  delete(id: string): void {
    this.#found(id);
    this.#kept.delete(id);
  }

  /** The newest dump of each client: the dump taken last, if that is certain, or else the dump that arrived last. */
  ofClients(): ClientDumps {
    const dumps = new Map<string, ClientDump>();
    for (const kept of this.#kept.values()) {
      const { id, client, dump, threads, blocked } = kept;
      const before = client && dumps.get(client.uuid);
      const takenAt = certainTakenAt(kept);
      if (!client || (before?.takenAt != null && (takenAt === null || takenAt < before.takenAt))) continue;
      dumps.set(client.uuid, { id, client: client.uuid, takenAt, dump, threads, blocked });
    }
    return dumps;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  #checkRoom(length: number): void {
    if (length > UPLOAD_BYTES) {
      throw new DumpProblem(413, problem('thread-dump-too-large', { megabytes: UPLOAD_BYTES / MB }), 'body');
    }
    if (this.#kept.size >= MOST_DUMPS || this.#usedBytes() >= this.#mostBytes) throw this.#noRoom();
  }

  #noRoom(): DumpProblem {
    const megabytes = Math.round(this.#mostBytes / MB);
    return new DumpProblem(507, problem('thread-dumps-full', { dumps: MOST_DUMPS, megabytes }));
  }

  #usedBytes(): number {
    return [...this.#kept.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  #found(id: string): Kept {
    const kept = this.#kept.get(id);
    if (!kept) throw new DumpProblem(404, problem('unknown-thread-dump'));
    return kept;
  }
}

function unreadable(why: DumpFault): DumpProblem {
  const isLong = why === 'too-many-threads';
  const what = isLong ? problem('thread-dump-too-many', { most: MOST_THREADS }) : problem('not-a-thread-dump', { why });
  return new DumpProblem(422, what, 'body');
}

function keptOf(name: string | null, read: DumpRead, receivedAt: RedisTime): Kept {
  const { dump } = read;
  const about = { id: randomBytes(8).toString('hex'), name, receivedAt, ...read, ...threadsOf(dump) };
  return { ...about, taken: takenBy(dump, receivedAt), client: null };
}

/** When the dump was taken, as the dump states, or else as is assumed. */
function takenBy(dump: ThreadDump, receivedAt: RedisTime): Kept['taken'] {
  const stated = statedBy(dump, receivedAt);
  const assumed = dump.takenAtMs === null ? assumedTaken(dump.localTime, receivedAt) : null;
  return stated ?? (assumed === null ? null : { at: redisTime(assumed), by: 'assumed' });
}

/** When the dump was taken, as the dump states. Null if it states no instant, or if the JVM's clock is far ahead. */
function statedBy({ takenAtMs }: ThreadDump, receivedAt: RedisTime): Kept['taken'] {
  if (takenAtMs === null) return null;
  const at = redisTime(Math.round(takenAtMs * 1000));
  return at > plusMillis(receivedAt, AHEAD_MS) ? null : { at: redisTime(Math.min(at, receivedAt)), by: 'dump' };
}

/** When a dump was taken, if conclusions may be drawn from it; null: the instant is unknown, or only assumed. */
function certainTakenAt({ taken }: Kept): RedisTime | null {
  return taken === null || taken.by === 'assumed' ? null : taken.at;
}

/** Throws `DumpProblem` if the instant is later than now. */
function withKnown(kept: Kept, { client, takenAt }: KnownOfDump, now: RedisTime): Kept {
  if (takenAt != null && takenAt > now) {
    throw new DumpProblem(400, problem('in-the-future', { field: 'takenAt', now }), 'takenAt');
  }
  const taken = takenAt == null ? null : ({ at: redisTime(takenAt), by: 'user' } as const);
  return {
    ...kept,
    ...(takenAt === undefined ? {} : { taken: taken ?? statedBy(kept.dump, kept.receivedAt) }),
    ...(client === undefined ? {} : { client: client === null ? null : { uuid: client, by: 'user' as const } }),
  };
}

function entryOf({ id, name, dump, receivedAt, taken, client, bytes, waiting }: Kept): DumpEntry {
  const { format, dumps, localTime, version, isWhole, listsVirtual, threads, skipped } = dump;
  return {
    ...{ id, name, format, dumps, receivedAt, takenAt: taken?.at ?? null, takenAtBy: taken?.by ?? null },
    ...{ localTime, version, isWhole, listsVirtual, listsEveryThread: listsEveryThread(dump), threads: threads.length },
    ...{ waiting, client: client?.uuid ?? null, clientBy: client?.by ?? null, bytes },
    skipped: skipped && problem('text-skipped', { ...skipped, around: [...skipped.around] }),
  };
}
