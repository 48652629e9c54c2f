import type * as answers from './client/answers.ts';
import { type Live, type LiveListener, type LiveOptions, openLive } from './client/live.ts';
import { type Query, Requests } from './client/request.ts';

export type { LockEvent } from '../shared/events/event.ts';
export type * from './client/answers.ts';
export type { Gap, Link, Live, LiveListener, LiveOptions } from './client/live.ts';
export { LockscopeError } from './client/request.ts';

export type ConnectOptions = {
  /** The token of `--token`. */
  readonly token?: string;
  /** Further headers of every request, for example for a login in front of Lockscope. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How long a response may take, in ms; then the call rejects. 30 s if absent. */
  readonly answerWithinMs?: number;
};

const ANSWER_WITHIN_MS = 30_000;

/**
 * A Lockscope as a program sees it: each request of the API as a function, and the live stream. Times are Redis times in
 * microseconds. The functions reject with a `LockscopeError`.
 */
export type LockscopeClient = {
  health(): Promise<answers.HealthAnswer>;
  locks(query?: answers.LocksQuery): Promise<answers.LocksAnswer>;
  /** One lock, with the Redis keys behind it. `source` and `db` are needed only if several locks have the name. */
  lock(name: string, query?: answers.LockQuery): Promise<answers.LockAnswer>;
  events(query?: answers.EventsQuery): Promise<answers.EventsAnswer>;
  /** The lines of Redis behind an event. */
  signals(seq: number): Promise<answers.SignalsAnswer>;
  spans(query?: answers.SpansQuery): Promise<answers.SpansAnswer>;
  insights(query?: answers.InsightsQuery): Promise<answers.InsightsAnswer>;
  graph(query?: answers.GraphQuery): Promise<answers.GraphAnswer>;
  clients(query?: answers.ClientsQuery): Promise<answers.ClientsAnswer>;
  client(uuid: string, query?: answers.ClientQuery): Promise<answers.ClientAnswer>;
  trends(query?: answers.TrendsQuery): Promise<answers.TrendsAnswer>;
  waits(query?: answers.WaitsQuery): Promise<answers.WaitsAnswer>;
  /** Switches the level of a source. */
  observe(source: string, wish: answers.ObserveWish): Promise<answers.SourceAnswer>;
  /** Follows the live stream until it is closed, over any number of lost connections. */
  live(listener: LiveListener, options?: LiveOptions): Live;
};

/**
 * Speaks to a running Lockscope, from Node, or from a page of the same origin. Nothing is sent before the first call.
 *
 *   const lockscope = connect('http://127.0.0.1:4680');
 *   const { locks } = await lockscope.locks({ held: true });
 *   const live = lockscope.live({ events: (events) => console.log(events) });
 *
 * `url`: its address, with the base path if it is part of an application. Throws a `TypeError` if it is not an http URL.
 */
export function connect(url: string, options: ConnectOptions = {}): LockscopeClient {
  const { token, headers = {}, answerWithinMs = ANSWER_WITHIN_MS } = options;
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const requests = new Requests({ base: baseOf(url), headers: { ...headers, ...authorization }, answerWithinMs });
  const get =
    <Q extends object, A>(path: string) =>
    (query?: Q) =>
      requests.get<A>(path, query as Query | undefined); // a query has only text, numbers and flags
  return {
    health: get('/api/health'),
    locks: get('/api/locks'),
    // The name is a query field, because `.` and `..` would be removed from a path.
    lock: (name, query = {}) => requests.get('/api/lock', { ...query, name }),
    events: get('/api/events'),
    signals: (seq) => requests.get(`/api/events/${seq}/signals`),
    spans: get('/api/spans'),
    insights: get('/api/insights'),
    graph: get('/api/graph'),
    clients: get('/api/clients'),
    client: (uuid, query = {}) => requests.get(`/api/clients/${encodeURIComponent(uuid)}`, query),
    trends: get('/api/trends'),
    waits: get('/api/waits'),
    observe: (source, wish) => requests.post(`/api/sources/${encodeURIComponent(source)}/observe`, wish),
    live: (listener, options) => openLive(requests, listener, options),
  };
}

function baseOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new TypeError(`${text} is not the address of a Lockscope. It begins with http:// or https://.`);
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
