import type { z } from 'zod';
import { errorBody } from '../../shared/wire/http.ts';
import type { SentProblem } from '../../shared/wire/problems/problem-schema.ts';
import { BASE_PATH } from '../url/base-path.ts';
import { EN } from '../words/en.ts';
import { currentWords } from '../words/language.ts';
import { problemText } from '../words/problem-text.ts';
import type { Words } from '../words/words.ts';

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

/** There was no response, or this page cannot read it. The page writes the message itself. */
class AnswerError extends Error {
  constructor(readonly say: (words: Words) => { message: string; hint: string }) {
    super(say(EN).message);
  }
}

/** Reads a JSON body and validates it. Throws an `ApiError` for an error response, and an `AnswerError` otherwise. */
export async function getJson<T>(path: string, schema: z.ZodType<T>, signal?: AbortSignal): Promise<T> {
  const body = await send(path, { headers: { accept: 'application/json' }, ...(signal ? { signal } : {}) });
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path.join('.') ?? '';
  throw new AnswerError(({ problems }) => ({
    message: problems.unreadable(path, field),
    hint: problems.reloadHint,
  }));
}

/** Sends a POST request and ignores the body of the response. Throws like `getJson`. */
export async function postJson(path: string, body: unknown = {}): Promise<void> {
  await send(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
}

async function send(path: string, init: RequestInit): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(BASE_PATH + path, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new AnswerError(({ problems }) => ({ message: problems.silent, hint: problems.silentHint }));
  }
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) return body;
  const parsed = errorBody.safeParse(body);
  if (parsed.success) throw new ApiError(response.status, parsed.data.error);
  throw new AnswerError(({ problems }) => ({
    message: problems.status(response.status),
    hint: problems.reloadHint,
  }));
}

/** Formats any error as message and hint, in the current language unless other words are passed. */
export function problemFromError(error: unknown, words: Words = currentWords()): { message: string; hint: string } {
  if (error instanceof AnswerError) return error.say(words);
  if (error instanceof ApiError) return problemText(words, error.problem);
  return { message: error instanceof Error ? error.message : String(error), hint: words.problems.reloadHint };
}
