import type { IncomingHttpHeaders } from 'node:http';
import { type RequestHandler, type Response, Router } from 'express';
import type { z } from 'zod';
import { problem } from '../../../shared/wire/problems/problem.ts';
import type { ProblemCode } from '../../../shared/wire/problems/values.ts';
import { oneAtATime } from '../limits/one-at-a-time.ts';
import type { Bounds } from '../limits/room.ts';
import { checked, HttpProblem } from '../problems/problem.ts';
import { type StoredFile, sendStored } from './stored-file.ts';
import { NO_UPLOAD, type Upload, uploadOf } from './upload.ts';

/** A file to download. */
type FileAnswer = { readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> };

/**
 * What a handler returns: a body, a file on disk, a stream, or work that waits for its turn because it reads much
 * memory. `signal` is aborted when the client has closed its connection.
 */
export type Answer<B> =
  | { readonly body: B; readonly status?: 202 }
  | { readonly inTurn: (signal: AbortSignal) => Promise<B> }
  | { readonly fileInTurn: (signal: AbortSignal) => Promise<FileAnswer> }
  | { readonly stored: StoredFile }
  /** Writes the answer itself, and settles at its end. */
  | { readonly stream: (res: Response) => Promise<void> };

/** The schema of a JSON answer: an object. */
type AnswerSchema = z.ZodType<Readonly<Record<string, unknown>>>;

/** What a route is about. */
export type Tag = 'locks' | 'events' | 'findings' | 'clients' | 'recordings' | 'sources' | 'demo';

/** Codes of problems, by the status of their answers. */
type Refusals = { readonly [status: number]: readonly ProblemCode[] };

type Schemas<P, Q, B, A, H> = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Under `/api`, for example `/locks/:name`. */
  readonly path: `/${string}`;
  /** For the API description: the route's name, its subject, and its effect. */
  readonly operation: string;
  readonly tag: Tag;
  readonly summary: string;
  /** With which problems the route may refuse a request, in addition to those of any route. */
  readonly refusals?: Refusals;
  /** Schemas of the parts of a request. A part without a schema is not read. Names of headers are in lower case. */
  readonly params?: P;
  readonly query?: Q;
  readonly headers?: H;
  readonly body?: B;
  /** The schema of a body that the handler checks itself, once it knows that the request is permitted. */
  readonly uncheckedBody?: z.ZodType;
  /** The media types of a file in the body, which the handler reads as it arrives; absent: the body is not a file. */
  readonly uploadTypes?: readonly string[];
  /** The schema of its answer, or the media type of its file or stream. */
  readonly answer: A | 'application/gzip' | 'text/event-stream';
  /** The route answers 202 instead of 200 if the operation is still under way. */
  readonly mayGoOn?: boolean;
};

/** Gets the parsed parts of a request. Throws an `HttpProblem` to refuse the request. */
type Handler<C, P, Q, B, A, H> = (
  context: C,
  asked: {
    readonly params: z.output<P>;
    readonly query: z.output<Q>;
    readonly headers: z.output<H>;
    readonly body: z.output<B>;
    readonly upload: Upload;
    /** Aborted when the client has closed its connection before the answer was sent. */
    readonly gone: AbortSignal;
    /** The path under which Lockscope is mounted, `/ops/locks`; empty: the root. */
    readonly base: string;
  },
) => Answer<z.output<A>> | Promise<Answer<z.output<A>>>;

/** One route as data: its input, its responses, and the handler between the two. */
export type Route<C> = DescribedRoute & {
  readonly handle: Handler<C, z.ZodType, z.ZodType, z.ZodType, AnswerSchema, z.ZodType>;
};

/** The part of a route that the document of the API shows. */
export type DescribedRoute = Schemas<z.ZodType, z.ZodType, z.ZodType, AnswerSchema, z.ZodType>;

/** Makes a route from its schemas and a handler. The schemas determine the types of the handler. */
export function route<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends AnswerSchema = AnswerSchema,
  H extends z.ZodType = z.ZodType,
>(schemas: Schemas<P, Q, B, A, H>): { handledBy<C>(handle: Handler<C, P, Q, B, A, H>): Route<C> } {
  // The cast is safe: `mounted` passes a handler only what its own schemas returned.
  return { handledBy: <C>(handle: Handler<C, P, Q, B, A, H>) => ({ ...schemas, handle }) as Route<C> };
}

/** Returns a router for these routes. Work in turn waits only for other work of the same route. */
export function mounted<C>(routes: readonly Route<C>[], context: C, connections: Bounds | undefined): Router {
  const router = Router();
  for (const row of routes) {
    const handler = handlerOf(row, context, connections);
    if (row.method === 'GET') router.get(row.path, handler);
    else if (row.method === 'POST') router.post(row.path, handler);
    else router.delete(row.path, handler);
  }
  for (const path of new Set(routes.map((row) => row.path))) router.all(path, refuseMethod(methodsOf(routes, path)));
  return router;
}

/** The methods that a path has, as the header `Allow` lists them. */
function methodsOf(routes: readonly { path: string; method: string }[], path: string): string {
  const methods = routes.filter((row) => row.path === path).map(({ method }) => method);
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].join(', ');
}

function refuseMethod(allowed: string): RequestHandler {
  return ({ method, baseUrl, path }, res) => {
    res.setHeader('Allow', allowed);
    throw new HttpProblem(405, problem('wrong-method', { method, path: (baseUrl + path).slice(0, 200), allowed }));
  };
}

function handlerOf<C>(row: Route<C>, context: C, connections: Bounds | undefined): RequestHandler {
  const { params, query, headers, body, uncheckedBody, uploadTypes, answer: kind } = row;
  const turns = oneAtATime(connections);
  return async (req, res) => {
    const client = new AbortController();
    res.once('close', () => client.abort());
    const asked = {
      params: params && checked(params, req.params, 'path'),
      query: query && checked(query, req.query, 'query'),
      headers: headers && checked(headers, withoutEmpty(req.headers), 'header'),
      body: uncheckedBody ? (req.body ?? {}) : body && checked(body, req.body ?? {}, 'body'),
      upload: uploadTypes ? uploadOf(req, uploadTypes, connections) : NO_UPLOAD,
      gone: client.signal,
      base: req.baseUrl.replace(/\/api$/i, ''),
    };
    const answer = await untilGone(client.signal, async () => row.handle(context, asked));
    if (answer === undefined) return;
    if ('inTurn' in answer) return turns.answerJson(res, answer.inTurn);
    if ('stored' in answer) return sendStored(res, answer.stored);
    if ('stream' in answer) return answer.stream(res);
    if ('body' in answer) return void res.status(answer.status ?? 200).json(answer.body);
    return turns.answer(res, answer.fileInTurn, ({ name, bytes }) => {
      res.setHeader('Content-Disposition', `attachment; filename="${name}"`);
      res.type(String(kind)).send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    });
  };
}

/**
 * The headers that are not empty. An empty header counts as absent: a reader of events that has no id yet may send an
 * empty `Last-Event-ID`.
 */
function withoutEmpty(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''));
}

/** The result of this work; undefined if it ended because the client has left. */
async function untilGone<T>(gone: AbortSignal, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (gone.aborted && error === gone.reason) return undefined;
    throw error;
  }
}
