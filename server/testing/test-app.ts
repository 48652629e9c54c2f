import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errorBody } from '../../shared/wire/http.ts';
import { problemsIn, strictProblem } from '../../testing/stories/strict-problem.ts';
import { createApp } from '../http/app.ts';
import type { AppContext } from '../http/app-context.ts';
import { createGuard } from '../http/guard/guard.ts';
import type { Observatory } from '../watch/observatory.ts';
import { strictAnswer, strictRefusal } from './strict-answer.ts';

type Answer = { status: number; body: unknown; headers: Headers };

/** The app on a free port, with helpers for requests. */
export type TestApp = {
  base: string;
  /** Internal errors that the app has reported. */
  mistakes: Error[];
  get(path: string, init?: RequestInit): Promise<Answer>;
  post(path: string, body?: unknown): Promise<Answer>;
  /** The status of a request with headers that `fetch` does not allow to set. */
  rawStatus(headers: Record<string, string>, method?: string, path?: string): Promise<number | undefined>;
  close(): Promise<void>;
};

export async function serveTestApp(observatory: Observatory, change: Partial<AppContext> = {}): Promise<TestApp> {
  const mistakes: Error[] = [];
  const app = createApp({
    observatory,
    stage: undefined,
    guard: createGuard({ host: '127.0.0.1', token: undefined }),
    version: '1.2.3',
    allowRelease: false,
    webDir: '/nowhere',
    report: (error) => mistakes.push(error),
    ...change,
  });
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a server that listens on TCP has an AddressInfo

  const get = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const response = await fetch(base + path, { redirect: 'manual', ...init });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    const body = isJson ? JSON.parse(text) : text;
    if (response.status >= 400 && isJson) {
      strictProblem(errorBody.parse(body).error);
      strictRefusal(init.method ?? 'GET', path, response.status, errorBody.parse(body));
    }
    if (response.ok && isJson) strictAnswer(init.method ?? 'GET', path, body);
    if (path !== '/api/openapi.json') problemsIn(body); // its schemas have the fields of a problem
    return { status: response.status, body, headers: response.headers };
  };
  const post = (path: string, body?: unknown): Promise<Answer> => {
    const headers = { 'Content-Type': 'application/json' };
    return get(path, body === undefined ? { method: 'POST' } : { method: 'POST', headers, body: JSON.stringify(body) });
  };
  const rawStatus: TestApp['rawStatus'] = (headers, method = 'GET', path = '/api/health') =>
    new Promise((resolve, reject) => {
      const call = request(base + path, { method, headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      call.on('error', reject).end();
    });
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { base, mistakes, get, post, rawStatus, close };
}
