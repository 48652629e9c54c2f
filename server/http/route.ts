import { type RequestHandler, Router } from 'express';
import type { z } from 'zod';
import type { Connections } from './connections.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { checked } from './problem.ts';
import { type StoredFile, sendStored } from './stored-file.ts';
import { NO_UPLOAD, type Upload, uploadOf } from './upload.ts';

/** A file to download. */
export type FileAnswer = { readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> };

/**
 * What a handler returns: a body, or work that waits for its turn because it reads much memory.
 * `signal` is aborted when the client has closed its connection.
 */
export type Answer<B> =
  | { readonly body: B; readonly status?: 202 }
  | { readonly inTurn: (signal: AbortSignal) => Promise<B> }
  | { readonly fileInTurn: (signal: AbortSignal) => Promise<FileAnswer> }
  | { readonly stored: StoredFile };

/** The schema of a JSON answer: an object. */
type AnswerSchema = z.ZodType<Readonly<Record<string, unknown>>>;

type Schemas<P, Q, B, A> = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Under `/api`, for example `/locks/:name`. */
  readonly path: `/${string}`;
  /** Schemas of the parts of a request. A part without a schema is not read. */
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** Its body is a file, which the handler reads as it arrives: the media types that it may have. */
  readonly isUpload?: readonly string[];
  /** The schema of its answer, or the media type of its file. */
  readonly answer: A | 'application/gzip';
};

/** Gets the parsed parts of a request. Throws an `HttpProblem` to refuse the request. */
type Handler<C, P, Q, B, A> = (
  context: C,
  asked: {
    readonly params: z.output<P>;
    readonly query: z.output<Q>;
    readonly body: z.output<B>;
    readonly upload: Upload;
  },
) => Answer<z.output<A>> | Promise<Answer<z.output<A>>>;

/** One route as data: what it reads, what it answers, and the handler between the two. */
export type Route<C> = Schemas<z.ZodType, z.ZodType, z.ZodType, AnswerSchema> & {
  readonly handle: Handler<C, z.ZodType, z.ZodType, z.ZodType, AnswerSchema>;
};

/** Makes a route from its schemas, which give its handler its types, and that handler. */
export function route<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends AnswerSchema = AnswerSchema,
>(schemas: Schemas<P, Q, B, A>): { handledBy<C>(handle: Handler<C, P, Q, B, A>): Route<C> } {
  // The cast is safe: `mounted` passes a handler only what its own schemas returned.
  return { handledBy: <C>(handle: Handler<C, P, Q, B, A>) => ({ ...schemas, handle }) as Route<C> };
}

/** Returns a router for these routes. Work in turn waits only for other work of the same route. */
export function mounted<C>(routes: readonly Route<C>[], context: C, connections: Connections | undefined): Router {
  const router = Router();
  for (const row of routes) {
    const handler = handlerOf(row, context, connections);
    if (row.method === 'GET') router.get(row.path, handler);
    else if (row.method === 'POST') router.post(row.path, handler);
    else router.delete(row.path, handler);
  }
  return router;
}

function handlerOf<C>(row: Route<C>, context: C, connections: Connections | undefined): RequestHandler {
  const { params, query, body, isUpload, answer: kind } = row;
  const turns = oneAtATime(connections);
  return async (req, res) => {
    const asked = {
      params: params && checked(params, req.params, 'path'),
      query: query && checked(query, req.query, 'query'),
      body: body && checked(body, req.body ?? {}, 'body'),
      upload: isUpload ? uploadOf(req, isUpload, connections) : NO_UPLOAD,
    };
    const answer = await row.handle(context, asked);
    if ('inTurn' in answer) return turns.answerJson(res, answer.inTurn);
    if ('stored' in answer) return sendStored(res, answer.stored);
    if ('body' in answer) return void res.status(answer.status ?? 200).json(answer.body);
    return turns.answer(res, answer.fileInTurn, ({ name, bytes }) => {
      res.setHeader('Content-Disposition', `attachment; filename="${name}"`);
      res.type(String(kind)).send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    });
  };
}
