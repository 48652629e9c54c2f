import { type IncomingMessage, ServerResponse } from 'node:http';
import { type Problem, problem } from '../../shared/wire/problems/problem.ts';
import { securityHeaders } from '../http/answer/headers.ts';
import { LOGIN_REQUIRED } from '../http/guard/app-guard.ts';
import type { Guard } from '../http/guard/guard.ts';
import type { OpenChannels } from '../http/limits/open-channels.ts';
import { errorBodyOf } from '../http/problems/problem.ts';

type Refusal = { readonly status: number; readonly problem: Problem; readonly retryAfterSeconds?: number };

/** Middleware of the socket server. It runs first for every request and every upgrade. */
type SocketStep = (req: IncomingMessage, res: unknown, next: () => void) => void;

const WEBSOCKET_ONLY: Refusal = { status: 400, problem: problem('websocket-only') };
const KEY = /^[+/0-9A-Za-z]{22}==$/;
const UNAUTHORIZED = 401;
const FORBIDDEN = 403;

const setHeaders = securityHeaders();

/**
 * The entry check of the live channel. Accepts only a new WebSocket that the guard allows. Refuses polling, JSON-P and
 * requests for an existing session, because another site could send those.
 */
export function socketCheck(guard: Guard, basePath = '', channels?: OpenChannels): SocketStep {
  return (req, res, next) => {
    const { method = 'GET', url = '/', headers } = req;
    const verdict = guard({
      method,
      url: url.slice(basePath.length),
      headers,
      address: req.socket.remoteAddress ?? '',
      isHandshake: true,
    });
    if (!verdict.ok) return refuse(req, res, asExpected(verdict));
    if (res instanceof ServerResponse || !isNewWebSocket(req)) return refuse(req, res, WEBSOCKET_ONLY);
    if (!channels) return next();
    void channels.admits(req).then((isAdmitted) => {
      if (isAdmitted) next();
      else refuse(req, res, asExpected(LOGIN_REQUIRED));
    });
  };
}

/** Clients of the live channel expect 403, not 401. */
function asExpected(refusal: Refusal): Refusal {
  return refusal.status === UNAUTHORIZED ? { ...refusal, status: FORBIDDEN } : refusal;
}

/** Refuses an upgrade to any other path. */
export function refuseUpgrade(req: IncomingMessage): void {
  refuse(req, undefined, WEBSOCKET_ONLY);
}

/** Whether this is an ordinary request with an offer to speak HTTP/2. */
export function isOfferOfHttp2({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'h2c';
}

function isNewWebSocket({ method, url = '/', headers }: IncomingMessage): boolean {
  const query = new URLSearchParams(url.slice(url.indexOf('?')));
  const isWebSocket =
    headers.upgrade?.toLowerCase() === 'websocket' &&
    headers['sec-websocket-version'] === '13' &&
    KEY.test(headers['sec-websocket-key'] ?? '');
  const isNew = query.get('transport') === 'websocket' && query.get('EIO') === '4' && !query.has('sid');
  return method === 'GET' && isWebSocket && isNew && !query.has('j');
}

/** Sends the refusal. For an upgrade there is no `ServerResponse`, so one is created on its connection. */
function refuse(req: IncomingMessage, res: unknown, { status, retryAfterSeconds, problem }: Refusal): void {
  const answer = res instanceof ServerResponse ? res : answerFor(req);
  const body = JSON.stringify(errorBodyOf({ problem }));
  setHeaders(req, answer, () => undefined);
  if (retryAfterSeconds !== undefined) answer.setHeader('Retry-After', retryAfterSeconds);
  answer.setHeader('Cache-Control', 'no-store');
  answer.setHeader('Connection', 'close');
  answer.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
  answer.end(req.method === 'HEAD' ? undefined : body);
}

/** Returns the answer to a request that Node has taken for an upgrade. It is the last answer of its connection. */
function answerFor(req: IncomingMessage): ServerResponse {
  const answer = new ServerResponse(req);
  answer.shouldKeepAlive = false;
  answer.assignSocket(req.socket);
  answer.on('finish', () => req.socket.end());
  return answer;
}
