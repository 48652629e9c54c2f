import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import type { ErrorBody } from '../../shared/wire/http.ts';
import { DemoProblem } from '../demo/demo-stage.ts';
import { ObserveRefusal } from '../watch/observer/observe-refusal.ts';
import { ObserverGone } from '../watch/observer/observer-problems.ts';

/** A request that cannot be answered: what is wrong and what to do next. */
export class HttpProblem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly hint: string,
    readonly field?: string,
    readonly values?: Readonly<Record<string, number>>,
  ) {
    super(message);
  }
}

/** Answers with the documented error body. */
export function sendProblem(
  res: Response,
  problem: Pick<HttpProblem, 'status' | 'code' | 'message' | 'hint' | 'field' | 'values'> & {
    retryAfterSeconds?: number;
  },
) {
  if (problem.retryAfterSeconds !== undefined) res.setHeader('Retry-After', problem.retryAfterSeconds);
  const { status, code, message, hint, field, values } = problem;
  const more = { ...(field === undefined ? {} : { field }), ...(values === undefined ? {} : { values }) };
  const body: ErrorBody = { error: { code, message, hint, ...more } };
  res.status(status).json(body);
}

/** Returns the parsed value. Throws a 400 that names the first invalid field. */
export function checked<S extends z.ZodType>(schema: S, value: unknown, where: 'query' | 'body' | 'path'): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const field = issue?.path.join('.') || where;
  throw new HttpProblem(
    400,
    'bad-request',
    `Invalid ${where} field "${field}": ${issue?.message ?? 'unexpected value'}.`,
    `Correct "${field}" and send the request again.`,
    field,
  );
}

/** Answers an /api path that does not exist. */
export const unknownPath: RequestHandler = (req, _res, next) => {
  next(
    new HttpProblem(
      404,
      'unknown-path',
      `There is no ${req.method} ${(req.baseUrl + req.path).slice(0, 200)}.`,
      'GET /api/health shows that the server is up; the paths are listed in docs/api.md.',
    ),
  );
};

/** Turns every error into the documented error body, without a stack. Internal errors go to `report`. */
export function problemHandler(report: (error: Error) => void): ErrorRequestHandler {
  return (error: unknown, _req, res, next) => {
    if (res.headersSent) return next(error);
    const problem = asProblem(error);
    if (problem) {
      sendProblem(res, problem);
      return;
    }
    report(error instanceof Error ? error : new Error(String(error)));
    sendProblem(res, {
      status: 500,
      code: 'internal',
      message: 'Internal error in Lockscope.',
      hint: 'See its log for details. Everything else still works.',
    });
  };
}

/** The problem for an error that is thrown on purpose; `undefined` for an internal error. */
function asProblem(error: unknown): HttpProblem | undefined {
  if (error instanceof HttpProblem) return error;
  if (error instanceof DemoProblem) {
    return new HttpProblem(error.status, error.code, error.message, error.hint, error.field);
  }
  if (error instanceof ObserveRefusal) {
    const { code, message, hint, values } = error.problem;
    return new HttpProblem(409, code, message, hint, undefined, values);
  }
  if (error instanceof ObserverGone) {
    return new HttpProblem(503, error.problem.code, error.problem.message, error.problem.hint);
  }
  return error instanceof Error ? problemOfExpress(error) : undefined;
}

function problemOfExpress(error: Error): HttpProblem | undefined {
  const { status, type } = error as Error & Record<string, unknown>; // read with checks below
  if (type === 'entity.too.large') {
    return new HttpProblem(413, 'too-large', 'The body is larger than 2.5 MB.', 'Send less.', 'body');
  }
  if (type === 'entity.parse.failed') {
    return new HttpProblem(400, 'bad-json', 'The body is not JSON.', 'Send a JSON object.', 'body');
  }
  if (error instanceof URIError) {
    return new HttpProblem(400, 'bad-path', 'The path has a broken percent-encoding.', 'Encode the name once.', 'path');
  }
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new HttpProblem(
      status,
      'bad-request',
      'The request cannot be read.',
      'Look at its headers and body.',
      'body',
    );
  }
  return undefined;
}
