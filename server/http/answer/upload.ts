import type { Request } from 'express';
import { problem } from '../../../shared/wire/problems/problem.ts';
import type { Bounds } from '../limits/room.ts';
import { HttpProblem } from '../problems/problem.ts';

/** The body of a request as it arrives, and its announced length. */
export type Upload = { readonly length: number; readonly bytes: AsyncIterable<Uint8Array> };

/**
 * After 10 s of waiting, a body is refused if less than this has arrived for each further second of waiting. Otherwise
 * a slow body could occupy its memory for ever.
 */
const LEAST_BYTES_PER_SECOND = 16 * 1024;
const PATIENCE_MS = 10_000;
const LOOK_EVERY_MS = 1000;

/** For routes that accept no file. */
export const NO_UPLOAD: Upload = {
  length: 0,
  bytes: {
    [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }),
  },
};

/**
 * The file in the body of a request. Throws a 415 unless the headers have one of these media types and a length. Of the
 * types that routes accept, a form on another site can send only `text/plain`, and the guard refuses its origin.
 *
 * What was read no longer counts as held for the connection. If the handler stops early, the rest is discarded.
 */
export function uploadOf(req: Request, types: readonly string[], connections: Bounds | undefined): Upload {
  const length = Number(req.headers['content-length'] ?? Number.NaN);
  if (!req.is([...types]) || !Number.isSafeInteger(length)) {
    throw new HttpProblem(415, problem('not-a-file'), 'content-type');
  }
  const parsed = parsedBefore(req);
  if (parsed) return { length: parsed.length, bytes: { [Symbol.asyncIterator]: () => piecesOf(parsed) } };
  async function* read(): AsyncGenerator<Uint8Array> {
    const pieces: AsyncIterator<Uint8Array> = req.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]();
    const speed = new Speed();
    try {
      for (;;) {
        speed.isWaiting = true;
        const next = await Promise.race([pieces.next(), speed.tooSlow]);
        speed.isWaiting = false;
        if (next.done) return;
        connections?.noteRead(req.socket);
        yield next.value;
        speed.note(next.value.length);
      }
    } catch (error) {
      if (req.complete || error instanceof HttpProblem) throw error;
      throw new HttpProblem(400, problem('unreadable-request')); // the client went away
    } finally {
      speed.stop();
      req.resume();
    }
  }
  return { length, bytes: { [Symbol.asyncIterator]: read } };
}

/** The body, if a middleware of an application around us has read it already, for example `express.json()`. */
function parsedBefore({ readableEnded, body }: Request): Buffer | undefined {
  if (!readableEnded || body === undefined) return undefined;
  return Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

async function* piecesOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Watches how fast a body arrives. */
class Speed {
  /** Rejects once the body arrives too slowly. */
  readonly tooSlow: Promise<never>;
  /**
   * Whether the next piece is awaited. While a piece is processed, the sender cannot continue, so that time does not
   * count.
   */
  isWaiting = false;
  #bytes = 0;
  #waitedMs = 0;
  readonly #timer: NodeJS.Timeout;

  constructor() {
    let reject: (error: HttpProblem) => void = () => undefined;
    this.tooSlow = new Promise<never>((_, fail) => {
      reject = fail;
    });
    this.tooSlow.catch(() => undefined);
    this.#timer = setInterval(() => {
      if (this.isWaiting) this.#waitedMs += LOOK_EVERY_MS;
      const least = ((this.#waitedMs - PATIENCE_MS) / 1000) * LEAST_BYTES_PER_SECOND;
      if (this.#bytes < least) reject(new HttpProblem(408, problem('not-sent')));
    }, LOOK_EVERY_MS);
    this.#timer.unref();
  }

  note(bytes: number): void {
    this.#bytes += bytes;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
