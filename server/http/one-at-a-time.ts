import type { Response } from 'express';
import { inSlices } from '../watch/in-slices.ts';
import { jsonInSlices } from '../watch/json-in-slices.ts';
import type { Connections } from './connections.ts';
import { HttpProblem } from './problem.ts';

/** A waiting request holds no more than its connection; 64 windows take a few seconds. */
const MOST_WAITING = 64;
const RETRY_AFTER_S = 2;

/** Work for an answer; `signal` aborts when the client has closed its connection. */
type Work<T> = (signal: AbortSignal) => Promise<T>;

/** Does the work for answers of one kind one after the other. */
export type OneAtATime = {
  /**
   * Waits its turn, does the work, and sends what `send` makes of it. Sends nothing to a client that has closed its
   * connection. Throws a 503 with `Retry-After` if 64 answers wait already.
   */
  answer<T>(res: Response, work: Work<T>, send: (result: T) => void): Promise<void>;
  /** The same for JSON, which is written in slices; `bodyOf` may throw a problem. */
  answerJson<T>(res: Response, work: Work<T>, bodyOf: (result: T) => Readonly<Record<string, unknown>>): Promise<void>;
};

/** With `connections`, an answer that has waited is refused if there is no longer room for it. */
export function oneAtATime(connections: Connections | undefined): OneAtATime {
  let last: Promise<unknown> = Promise.resolve();
  let count = 0;

  async function answer<T>(res: Response, work: Work<T>, send: (result: T) => void): Promise<void> {
    if (count > MOST_WAITING) throw busy(res, 'Too many answers of this kind are under way.');
    const client = new AbortController();
    res.once('close', () => client.abort());
    count++;
    const turn = last.then(async () => {
      client.signal.throwIfAborted();
      if (connections?.hasRoom() === false) throw busy(res, 'Too many answers wait to be read.');
      return work(client.signal);
    });
    last = turn.catch(() => undefined);
    try {
      send(await turn);
    } catch (error) {
      if (!client.signal.aborted) throw error;
    } finally {
      count--;
    }
  }

  return {
    answer,
    answerJson: (res, work, bodyOf) =>
      answer(
        res,
        async (signal) => inSlices(jsonInSlices(bodyOf(await work(signal))), signal),
        (pieces) => sendPieces(res, pieces),
      ),
  };
}

function sendPieces(res: Response, pieces: readonly Buffer[]): void {
  res.type('json').setHeader(
    'Content-Length',
    pieces.reduce((bytes, piece) => bytes + piece.length, 0),
  );
  for (const piece of pieces) res.write(piece);
  res.end();
}

function busy(res: Response, message: string): HttpProblem {
  res.setHeader('Retry-After', String(RETRY_AFTER_S));
  return new HttpProblem(503, 'busy', message, `Read the answers first. Try again in ${RETRY_AFTER_S} s.`);
}
