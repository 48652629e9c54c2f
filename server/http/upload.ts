import type { Request } from 'express';
import { problem } from '../../shared/wire/problems/problem.ts';
import { HttpProblem } from './problem.ts';
import type { Bounds } from './room.ts';

/** The body of a request as it arrives. */
export type Upload = { readonly length: number; readonly bytes: AsyncIterable<Uint8Array> };

/** For routes that take no file. */
export const NO_UPLOAD: Upload = {
  length: 0,
  bytes: {
    [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }),
  },
};

/**
 * The file in the body of a request. Throws a 415 unless it is marked as one of these media types with a known length. A form
 * on another site can send none of them but `text/plain`; the guard refuses its origin.
 *
 * What was read no longer counts as held for the connection. If the handler stops early, the rest is discarded.
 */
export function uploadOf(req: Request, types: readonly string[], connections: Bounds | undefined): Upload {
  const length = Number(req.headers['content-length'] ?? Number.NaN);
  if (!req.is([...types]) || !Number.isSafeInteger(length)) {
    throw new HttpProblem(415, problem('not-a-file'), 'content-type');
  }
  async function* read(): AsyncGenerator<Uint8Array> {
    try {
      for await (const piece of req.iterator({ destroyOnReturn: false })) {
        connections?.noteRead(req.socket);
        yield piece;
      }
    } catch (error) {
      if (req.complete) throw error;
      throw new HttpProblem(400, problem('unreadable-request')); // the client went away
    } finally {
      req.resume();
    }
  }
  return { length, bytes: { [Symbol.asyncIterator]: read } };
}
