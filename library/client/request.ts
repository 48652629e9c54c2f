import type { ErrorBody } from '../../shared/wire/http.ts';

/** Lockscope refused a request, or could not be reached. `code` and `values` are for programs, `message` is for people. */
export class LockscopeError extends Error {
  /** The HTTP status; 0 if there was no answer. */
  readonly status: number;
  /** What is wrong, as in the API: `unknown-lock`, `token-required`, …; or `no-answer`. */
  readonly code: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** What to do about it. */
  readonly hint: string;
  /** The part of the request that is wrong. */
  readonly field: string | undefined;

  constructor(status: number, { code, values, message, hint, field }: ErrorBody['error'], cause?: unknown) {
    super(message, { cause });
    this.name = 'LockscopeError';
    this.status = status;
    this.code = code;
    this.values = values;
    this.hint = hint;
    this.field = field;
  }
}

/** How requests reach a Lockscope. */
export type Place = {
  /** The address of the server without a slash at the end, with the base path: `https://ops.example.com/locks`. */
  readonly base: string;
  readonly headers: Readonly<Record<string, string>>;
  /** How long a response may take, in ms. */
  readonly answerWithinMs: number;
};

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** Sends requests to one Lockscope, and remembers the cookies that it sets, where the platform does not. */
export class Requests {
  readonly place: Place;
  readonly #cookies = new Map<string, string>();

  constructor(place: Place) {
    this.place = place;
  }

  /** The headers of a request or of the live channel, as of now. */
  headers(): Record<string, string> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return { ...this.place.headers, ...(cookie === '' ? {} : { cookie }) };
  }

  /** Reads a JSON body of version 1. Rejects with a `LockscopeError`. */
  async get<T>(path: string, query: Query = {}): Promise<T> {
    return this.#ask<T>(path + searchOf(query));
  }

  async post<T>(path: string, body: object): Promise<T> {
    const headers = { 'content-type': 'application/json' };
    return this.#ask<T>(path, { method: 'POST', body: JSON.stringify(body), headers });
  }

  async #ask<T>(path: string, init: RequestInit = {}): Promise<T> {
    const { base, answerWithinMs } = this.place;
    const headers = { accept: 'application/json', ...this.headers(), ...init.headers };
    const signal = AbortSignal.timeout(answerWithinMs);
    const failed = (error: unknown): never => {
      throw new LockscopeError(0, signal.aborted ? tooLate(base, answerWithinMs) : silent(base), error);
    };
    const response = await fetch(base + path, { ...init, headers, signal }).catch(failed);
    for (const line of response.headers.getSetCookie?.() ?? []) this.#keepCookie(line);
    const body: unknown = await response.json().catch((error) => (signal.aborted ? failed(error) : undefined));
    if (!response.ok)
      throw new LockscopeError(response.status, isRefusal(body) ? body.error : unreadable(response.status));
    if (!isOfVersion1(body)) throw new LockscopeError(response.status, unreadable(response.status));
    return body as T; // bodies of version 1 have the fields of their types
  }

  #keepCookie(line: string): void {
    const [, name, value] = /^([^=;]+)=([^;]*)/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) this.#cookies.set(name, value);
  }
}

function searchOf(query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? '' : `?${search}`;
}

function isRefusal(body: unknown): body is ErrorBody {
  const error = (body as Partial<ErrorBody> | null | undefined)?.error;
  return typeof error?.code === 'string' && typeof error.message === 'string';
}

function isOfVersion1(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'v' in body && body.v === 1;
}

function silent(base: string): ErrorBody['error'] {
  return {
    ...{ code: 'no-answer', values: {}, message: `Nothing answers at ${base}.` },
    hint: 'Check the address, and that Lockscope is running.',
  };
}

function tooLate(base: string, ms: number): ErrorBody['error'] {
  return {
    ...{ code: 'no-answer', values: {}, message: `${base} did not answer within ${ms / 1000} s.` },
    hint: 'Check that Lockscope is running there, or give it more time with answerWithinMs.',
  };
}

function unreadable(status: number): ErrorBody['error'] {
  return {
    ...{
      code: 'unreadable-answer',
      values: { status },
      message: `The answer (status ${status}) is not one of Lockscope's API.`,
    },
    hint: 'Check that the address is that of Lockscope, and whether something in front of it needs a login.',
  };
}
