import type { Response } from 'express';
import { problem } from '../../../shared/wire/problems/problem.ts';
import { inSlices } from '../../watch/slices/in-slices.ts';
import { jsonInSlices } from '../../watch/slices/json-in-slices.ts';
import { HttpProblem } from '../problems/problem.ts';
import type { Bounds } from './room.ts';

/** A waiting request uses no memory besides its connection. 64 windows take a few seconds. */
const MOST_WAITING = 64;
const RETRY_AFTER_S = 2;

/** Computes an answer. `signal` is aborted when the client has closed its connection. */
type Work<T> = (signal: AbortSignal) => Promise<T>;

/** Computes the answers of one route one after the other. */
type OneAtATime = {
  /**
   * Waits its turn, does the work, and sends the result with `send`. Sends nothing to a client that has closed its
   * connection. Throws a 503 with `Retry-After` if 64 answers already wait.
   */
  answer<T>(res: Response, work: Work<T>, send: (result: T) => void): Promise<void>;
  /** As `answer`, for work that returns the body of a JSON answer, which is serialised in slices. */
  answerJson(res: Response, work: Work<Readonly<Record<string, unknown>>>): Promise<void>;
};

/** With `connections`, an answer whose turn has come is refused if there is no memory left for it. */
export function oneAtATime(connections: Bounds | undefined): OneAtATime {
  let last: Promise<unknown> = Promise.resolve();
  let count = 0;

  async function answer<T>(res: Response, work: Work<T>, send: (result: T) => void): Promise<void> {
    if (count > MOST_WAITING) throw busy(res, 'waiting');
    const client = new AbortController();
    res.once('close', () => client.abort());
    count++;
    const turn = last.then(async () => {
      client.signal.throwIfAborted();
      if (connections?.hasRoom() === false) throw busy(res, 'unread');
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
    answerJson: (res, work) =>
      answer(
        res,
        async (signal) => inSlices(jsonInSlices(await work(signal)), signal),
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

function busy(res: Response, why: 'waiting' | 'unread'): HttpProblem {
  res.setHeader('Retry-After', String(RETRY_AFTER_S));
  return new HttpProblem(503, problem('busy', { why, seconds: RETRY_AFTER_S }));
}
