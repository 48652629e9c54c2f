import type { z } from 'zod';
import type { SentProblem } from '../../../shared/wire/problems/problem-schema.ts';
import { WIRE_VERSION } from '../../../shared/wire/version.ts';
import { BASE_PATH } from '../../url/base-path.ts';
import { EN_FIRST } from '../../words/en-first.ts';
import { currentWords } from '../../words/language.ts';
import { problemText } from '../../words/problem-text.ts';
import type { FirstWords, Words } from '../../words/words.ts';
import { isProblem } from './sent-problem.ts';

/** An error response of the server. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly problem: SentProblem,
  ) {
    super(problem.message);
  }

  get code(): string {
    return this.problem.code;
  }
}

/** There was no response, or not one that this page can read. The page writes the message itself. */
class AnswerError extends Error {
  constructor(readonly textIn: (words: FirstWords) => { message: string; hint: string }) {
    super(textIn(EN_FIRST).message);
  }
}

/** The schema of a body. Only its type counts here: page and server are of one version (`useNewVersion`). */
export type BodySchema = z.ZodType<{ v: typeof WIRE_VERSION }>;

/**
 * Reads a JSON body from a path below `BASE_PATH`. Throws an `ApiError` for a problem that Lockscope reports, the error
 * of `fetch` if `signal` has aborted the request, and an `AnswerError` for any other answer and for no answer.
 */
export async function getJson<S extends BodySchema>(path: string, signal?: AbortSignal): Promise<z.infer<S>> {
  return requestJson<S>(BASE_PATH + path, signal ? { signal } : {});
}

/** As `getJson`, for any request, by its whole path, which includes `BASE_PATH`. */
export async function requestJson<S extends BodySchema>(path: string, init: RequestInit): Promise<z.infer<S>> {
  const body = await send(path, { ...init, headers: { accept: 'application/json', ...init.headers } });
  if (hasVersion(body)) return body as z.infer<S>; // `v` fits, and the server has the version of this page
  throw new AnswerError(({ problems }) => ({ message: problems.unreadable(path), hint: problems.reloadHint }));
}

function hasVersion(body: unknown): body is { v: typeof WIRE_VERSION } {
  return typeof body === 'object' && body !== null && 'v' in body && body.v === WIRE_VERSION;
}

/** Sends a POST request and ignores the body of the response. Throws like `getJson`. */
export async function postJson(path: string, body: unknown = {}): Promise<void> {
  await send(BASE_PATH + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** Reads a file. Throws like `getJson`. */
export async function getFile(path: string): Promise<Blob> {
  const response = await ask(BASE_PATH + path, {});
  if (response.ok) return response.blob();
  throw await errorFrom(response);
}

async function send(path: string, init: RequestInit): Promise<unknown> {
  const response = await ask(path, init);
  if (!response.ok) throw await errorFrom(response);
  return response.json().catch(() => null);
}

async function ask(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new AnswerError(({ problems }) => ({ message: problems.silent, hint: problems.silentHint }));
  }
}

async function errorFrom(response: Response): Promise<Error> {
  const body: unknown = await response.json().catch(() => null);
  const problem = typeof body === 'object' && body !== null && 'error' in body ? body.error : null;
  if (isProblem(problem)) return new ApiError(response.status, problem);
  return new AnswerError(({ problems }) => ({
    message: problems.status(response.status),
    hint: problems.reloadHint,
  }));
}

/** Formats any error as message and hint, in the current language unless other words are passed. */
export function problemFromError(error: unknown, words: Words = currentWords()): { message: string; hint: string } {
  if (error instanceof AnswerError) return error.textIn(words);
  if (error instanceof ApiError) return problemText(words, error.problem);
  return { message: error instanceof Error ? error.message : String(error), hint: words.problems.reloadHint };
}
