import type { z } from 'zod';
import { errorBody } from '../../shared/wire/http.ts';

/** What the server answered instead of what was asked for. `status` 0: it did not answer at all. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly hint: string,
  ) {
    super(message);
  }
}

/** Reads one JSON body and checks it against its schema. */
export async function getJson<T>(path: string, schema: z.ZodType<T>, signal?: AbortSignal): Promise<T> {
  const body = await send(path, { headers: { accept: 'application/json' }, ...(signal ? { signal } : {}) });
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path.join('.') ?? '';
  throw new ApiError(200, 'unreadable', `The answer of ${path} was not as expected (${field}).`, RELOAD);
}

/** Asks the server to do something; what it answers is not looked at. */
export async function postJson(path: string, body: unknown = {}): Promise<void> {
  await send(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
}

const RELOAD = 'Reload this page: it may be older than the server.';

async function send(path: string, init: RequestInit): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiError(0, 'no-answer', 'The Lockscope server does not answer.', 'See whether it still runs.');
  }
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) return body;
  const told = errorBody.safeParse(body);
  if (told.success) {
    const { code, message, hint } = told.data.error;
    throw new ApiError(response.status, code, message, hint);
  }
  throw new ApiError(response.status, 'http', `The server answered ${response.status}.`, RELOAD);
}

/** Any failure as two sentences: what happened and what to do. */
export function problemFromError(error: unknown): { message: string; hint: string } {
  if (error instanceof ApiError) return { message: error.message, hint: error.hint };
  return { message: error instanceof Error ? error.message : String(error), hint: RELOAD };
}
