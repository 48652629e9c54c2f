import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import type { ErrorBody } from '../../../shared/wire/http.ts';
import { type Problem, problem } from '../../../shared/wire/problems/problem.ts';
import { DemoProblem } from '../../demo/demo-stage.ts';
import { DumpProblem } from '../../dumps/dump-problem.ts';
import { OpenError } from '../../recordings/read-file.ts';
import { StoreProblem } from '../../recordings/store-problem.ts';
import type { Observatory } from '../../watch/observatory.ts';
import { ObserveRefusal } from '../../watch/observer/observe-refusal.ts';
import { ObserverGone } from '../../watch/observer/observer-problems.ts';
import { PastGone } from '../../watch/terms/past-gone.ts';
import { faultOf, notANumber } from './field-fault.ts';

/** A request that cannot be answered. `field`: the part of it that is wrong. */
export class HttpProblem extends Error {
  constructor(
    readonly status: number,
    readonly problem: Problem,
    readonly field?: string,
  ) {
    super(problem.message);
  }
}

/** The documented error body. */
export function errorBodyOf({ problem: { code, values, message, hint }, field }: Refused): ErrorBody {
  return { error: { code, values, message, hint, ...(field === undefined ? {} : { field }) } };
}

type Refused = Pick<HttpProblem, 'problem' | 'field'>;

/** Answers with the documented error body. */
export function sendProblem(
  res: Response,
  refused: Refused & { readonly status: number; readonly retryAfterSeconds?: number },
): void {
  if (refused.retryAfterSeconds !== undefined) res.setHeader('Retry-After', refused.retryAfterSeconds);
  res.status(refused.status).json(errorBodyOf(refused));
}

/** Returns the parsed value. Throws a 400 that names the first invalid field. */
export function checked<S extends z.ZodType>(
  schema: S,
  value: unknown,
  where: 'query' | 'header' | 'body' | 'path',
): z.output<S> {
  const result = schema.safeParse(value);
  const fault = result.success ? notANumber(value, result.data) : faultOf(result.error, where);
  if (fault) throw new HttpProblem(400, problem('bad-request', { where, ...fault }), fault.field);
  return result.data as z.output<S>; // there is no fault, so it was parsed
}

/** Answers an /api path that does not exist. */
export const unknownPath: RequestHandler = ({ method, baseUrl, path }, _res, next) => {
  next(new HttpProblem(404, problem('unknown-path', { method, path: (baseUrl + path).slice(0, 200) })));
};

/**
 * Answers every error with the documented error body, without a stack, unless an answer has begun. Internal errors go
 * to `report`.
 */
export function problemHandler(report: (error: Error) => void): ErrorRequestHandler {
  return (error: unknown, _req, res, _next) => {
    const known = asProblem(error);
    if (known && !res.headersSent) return sendProblem(res, known);
    report(error instanceof Error ? error : new Error(String(error)));
    // Half an answer cannot be taken back. Express would end the connection, which may still carry another answer.
    if (res.headersSent) return void res.destroy();
    sendProblem(res, { status: 500, problem: problem('internal') });
  };
}

/** The problem for an error that is thrown on purpose; `undefined` for an internal error. */
function asProblem(error: unknown): HttpProblem | undefined {
  if (error instanceof HttpProblem) return error;
  if (error instanceof OpenError) return new HttpProblem(422, error.problem, 'body');
  if (error instanceof StoreProblem) return new HttpProblem(error.status, error.problem);
  if (error instanceof DumpProblem) return new HttpProblem(error.status, error.problem, error.field);
  if (error instanceof DemoProblem) return new HttpProblem(error.status, error.problem, error.field);
  if (error instanceof ObserveRefusal) return new HttpProblem(409, error.problem);
  if (error instanceof PastGone) return new HttpProblem(503, error.problem);
  if (error instanceof ObserverGone) return new HttpProblem(503, error.problem);
  return error instanceof Error ? problemOfExpress(error) : undefined;
}

/** The refusal of what needs a server, where there is none: in a recording, or in a viewer. */
export function withoutServer({ refusal }: Pick<Observatory, 'refusal'>): HttpProblem {
  return new HttpProblem(409, refusal ?? problem('recording'));
}

function problemOfExpress(error: Error): HttpProblem | undefined {
  const { status, type } = error as Error & Record<string, unknown>; // the code below checks each field
  if (type === 'entity.too.large') return new HttpProblem(413, problem('too-large'), 'body');
  if (type === 'entity.parse.failed') return new HttpProblem(400, problem('bad-json'), 'body');
  if (error instanceof URIError) return new HttpProblem(400, problem('bad-path'), 'path');
  const isClientError = typeof status === 'number' && status >= 400 && status < 500;
  return isClientError ? new HttpProblem(status, problem('unreadable-request'), 'body') : undefined;
}
