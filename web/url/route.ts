import { EVENT_TYPES, type EventType } from '../../shared/events/event.ts';
import { TOPICS, type Topic } from '../../shared/events/topics.ts';
import { type ClientsLink, parseClientsLink, writeClientsLink } from './clients-link.ts';
import { type LockPointer, parseDb, parsePointer, pointerFromName } from './lock-link.ts';
import { LIVE, MOMENT_PARAMETERS, type Moment, type Origin, parseMoment, writeMoment } from './moment.ts';
import {
  PLAIN_TIMELINE,
  parseTimelineLink,
  TIMELINE_PARAMETERS,
  type TimelineLink,
  writeTimelineLink,
} from './timeline-link.ts';
import { parseWaitsLink, type WaitsLink, writeWaitsLink } from './waits-link.ts';

export const LOCK_FILTERS = ['all', 'held', 'waited'] as const;
export type LockFilter = (typeof LOCK_FILTERS)[number];
export const LOCK_SORTS = [
  'attention',
  'name',
  'kind',
  'holder',
  'count',
  'held',
  'lease',
  'waiters',
  'wait',
  'rate',
] as const;
export type LockSort = (typeof LOCK_SORTS)[number];

/** Parts of a link that could not be used. */
export type LinkTrouble = {
  /** Parameters that could not be read. */
  broken?: readonly string[];
  /** The recording that the link points into, if a different one, or none, is open. */
  elsewhere?: string;
};
export type OverviewRoute = Moment &
  LinkTrouble & {
    page: 'overview';
    q: string;
    show: LockFilter;
    sort: LockSort;
    isReversed: boolean;
  };
export type LockRoute = Moment &
  LinkTrouble & {
    page: 'lock';
    pointer: LockPointer;
    source: string | null;
    db: number | null;
  };
export type EventsRoute = Moment &
  LinkTrouble & {
    page: 'events';
    /** The whole name of a lock. */
    lock: string;
    /** A part of the name. */
    lockPart: string;
    type: EventType | null;
    topic: Topic | null;
    /** A whole holder id. */
    holder: string;
    /** A part of the holder id, of its name or of its thread. */
    holderPart: string;
    /** The id of a multi lock or RedLock. */
    group: string;
  };
/** The graph of waiting threads. */
export type GraphRoute = Moment & LinkTrouble & { page: 'graph' };
/** What waits were spent on. */
export type WaitsRoute = WaitsLink & LinkTrouble & { page: 'waits' };
/** The list of clients, or one client. */
export type ClientsRoute = ClientsLink & LinkTrouble & { page: 'clients' };
export type TimelineRoute = LinkTrouble & {
  page: 'timeline';
  link: TimelineLink;
};
/** Pages without parameters. The path is the name. */
const PLAIN_PAGES = ['recordings', 'demo'] as const;
type PlainPage = (typeof PLAIN_PAGES)[number];
type PlainRoute = { [P in PlainPage]: { page: P } }[PlainPage];
export type HelpRoute = {
  page: 'incident-help';
  /** The incident; null: the list of all. */
  incident: string | null;
};
/** What endangers locks on the servers. `source`: one of them; null: all. */
export type DoctorRoute = { page: 'doctor'; source: string | null };
export type Route =
  | OverviewRoute
  | TimelineRoute
  | LockRoute
  | EventsRoute
  | GraphRoute
  | WaitsRoute
  | ClientsRoute
  | PlainRoute
  | HelpRoute
  | DoctorRoute
  | { page: 'not-found'; path: string };

export const OVERVIEW: OverviewRoute = {
  page: 'overview',
  q: '',
  show: 'all',
  sort: 'attention',
  isReversed: false,
  at: null,
  selected: null,
};
export const EVENTS: EventsRoute = {
  page: 'events',
  lock: '',
  lockPart: '',
  type: null,
  topic: null,
  holder: '',
  holderPart: '',
  group: '',
  at: null,
  selected: null,
};
export const TIMELINE: TimelineRoute = { page: 'timeline', link: PLAIN_TIMELINE };

const KNOWN: ReadonlySet<string> = new Set([
  'q',
  'show',
  'sort',
  'source',
  'db',
  'digest',
  'lock',
  'lockPart',
  'type',
  'topic',
  'holder',
  'holderPart',
  'group',
  'view',
  'last',
  'compare',
  ...MOMENT_PARAMETERS,
]);
const KNOWN_TO_TIMELINE: ReadonlySet<string> = new Set(TIMELINE_PARAMETERS);

/** Returns the route of a lock's page. */
export function lockRoute(lock: { name: string; source: string; db: number }): LockRoute {
  return {
    page: 'lock',
    pointer: pointerFromName(lock.name),
    source: lock.source,
    db: lock.db,
    at: null,
    selected: null,
  };
}

/** Parses a path and its query. Parameters that cannot be used are dropped. */
export function parseRoute(path: string, search: string, here: Origin = LIVE): Route {
  const query = new URLSearchParams(search);
  if (path === '/' || path === '') return parseOverview(query, here);
  if (path === '/events') {
    const { moment, broken, elsewhere } = parseMoment(query, here);
    const type = oneOf(EVENT_TYPES, query.get('type'));
    const topic = oneOf(TOPICS, query.get('topic'));
    if (type === null && query.has('type')) broken.push('type');
    if (topic === null && query.has('topic')) broken.push('topic');
    const asked = (name: string) => query.get(name) ?? '';
    const exact = { lock: asked('lock'), holder: asked('holder'), group: asked('group') };
    const parts = { lockPart: asked('lockPart'), holderPart: asked('holderPart') };
    return { page: 'events', ...exact, ...parts, type, topic, ...moment, ...troubleOf(broken, elsewhere) };
  }
  if (path === '/timeline') {
    const { link, broken, elsewhere } = parseTimelineLink(query, here);
    return { page: 'timeline', link, ...troubleOf(broken, elsewhere) };
  }
  if (path === '/graph') {
    const { moment, broken, elsewhere } = parseMoment(query, here);
    return { page: 'graph', ...moment, ...troubleOf(broken, elsewhere) };
  }
  if (path === '/waits') {
    const { link, broken, elsewhere } = parseWaitsLink(query, here);
    return { page: 'waits', ...link, ...troubleOf(broken, elsewhere) };
  }
  const clients = parseClientsLink(path, query, here);
  if (clients) return { page: 'clients', ...clients.link, ...troubleOf(clients.broken, clients.elsewhere) };
  const plain = oneOf(PLAIN_PAGES, path.slice(1));
  if (plain) return { page: plain };
  if (path === '/doctor') return { page: 'doctor', source: query.get('source') };
  if (path === '/help') return { page: 'incident-help', incident: null };
  const [, incident] = /^\/help\/([a-z-]+)$/.exec(path) ?? [];
  if (incident !== undefined) return { page: 'incident-help', incident };
  if (path.startsWith('/locks/')) {
    const pointer = parsePointer(path.slice('/locks/'.length), query);
    if (pointer) {
      const { moment, broken, elsewhere } = parseMoment(query, here);
      const db = parseDb(query);
      if (db === null && query.has('db')) broken.push('db');
      return { page: 'lock', pointer, source: query.get('source'), db, ...moment, ...troubleOf(broken, elsewhere) };
    }
  }
  return { page: 'not-found', path };
}

/** Returns the shortest URL of a route, with the unknown parameters of `keep`. */
export function hrefFromRoute(route: Route, keep?: URLSearchParams, here: Origin = LIVE): string {
  const query = new URLSearchParams();
  let path = '/';
  switch (route.page) {
    case 'overview':
      if (route.q !== '') query.set('q', route.q);
      if (route.show !== 'all') query.set('show', route.show);
      if (route.sort !== 'attention' || route.isReversed) query.set('sort', (route.isReversed ? '-' : '') + route.sort);
      writeMoment(route, query, here);
      break;
    case 'lock':
      path = 'name' in route.pointer ? `/locks/${encodeURIComponent(route.pointer.name)}` : '/locks/~';
      if ('digest' in route.pointer) query.set('digest', route.pointer.digest);
      if (route.source !== null) query.set('source', route.source);
      if (route.db !== null) query.set('db', String(route.db));
      writeMoment(route, query, here);
      break;
    case 'events':
      path = '/events';
      if (route.lock !== '') query.set('lock', route.lock);
      if (route.lockPart !== '') query.set('lockPart', route.lockPart);
      if (route.type !== null) query.set('type', route.type);
      if (route.topic !== null) query.set('topic', route.topic);
      if (route.holder !== '') query.set('holder', route.holder);
      if (route.holderPart !== '') query.set('holderPart', route.holderPart);
      if (route.group !== '') query.set('group', route.group);
      writeMoment(route, query, here);
      break;
    case 'graph':
      path = '/graph';
      writeMoment(route, query, here);
      break;
    case 'waits':
      path = '/waits';
      writeWaitsLink(route, query, here);
      break;
    case 'clients':
      path = writeClientsLink(route, query, here);
      break;
    case 'timeline':
      path = '/timeline';
      writeTimelineLink(route.link, query, here);
      break;
    case 'incident-help':
      path = route.incident === null ? '/help' : `/help/${route.incident}`;
      break;
    case 'doctor':
      path = '/doctor';
      if (route.source !== null) query.set('source', route.source);
      break;
    case 'not-found':
      path = route.path;
      break;
    default:
      path = `/${route.page}`;
  }
  const known = route.page === 'timeline' ? KNOWN_TO_TIMELINE : KNOWN;
  for (const [key, value] of keep ?? []) if (!known.has(key)) query.append(key, value);
  const search = query.toString();
  return search === '' ? path : `${path}?${search}`;
}

function parseOverview(query: URLSearchParams, here: Origin): OverviewRoute {
  const { moment, broken, elsewhere } = parseMoment(query, here);
  const sort = query.get('sort') ?? '';
  const isReversed = sort.startsWith('-');
  const column = oneOf(LOCK_SORTS, isReversed ? sort.slice(1) : sort);
  return {
    page: 'overview',
    q: query.get('q') ?? '',
    show: oneOf(LOCK_FILTERS, query.get('show')) ?? 'all',
    sort: column ?? 'attention',
    isReversed: column !== null && isReversed,
    ...moment,
    ...troubleOf(broken, elsewhere),
  };
}

function troubleOf(broken: readonly string[], elsewhere: string | null): LinkTrouble {
  return { ...(broken.length > 0 ? { broken } : {}), ...(elsewhere === null ? {} : { elsewhere }) };
}

function oneOf<T extends string>(words: readonly T[], text: string | null): T | null {
  return words.find((word) => word === text) ?? null;
}
