import { EVENT_TYPES } from '../../shared/events/event.ts';
import { TOPICS } from '../../shared/events/topics.ts';
import { parseClientsLink, writeClientsLink } from './clients-link.ts';
import { parseDb, parsePointer } from './lock-link.ts';
import { LIVE, MOMENT_PARAMETERS, type Origin, parseMoment, writeMoment } from './moment.ts';
import { type LinkTrouble, LOCK_FILTERS, LOCK_SORTS, type OverviewRoute, PLAIN_PAGES, type Route } from './route.ts';
import { parseTimelineLink, TIMELINE_PARAMETERS, writeTimelineLink } from './timeline-link.ts';
import { parseWaitsLink, writeWaitsLink } from './waits-link.ts';

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

/**
 * Parses a path and its query. Parameters that cannot be used are dropped. `/graph`, `/waits` and `/doctor` are earlier
 * names of `/blocking`, `/blocking/cost` and `/health`.
 */
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
  if (path === '/blocking' || path === '/graph') {
    const { moment, broken, elsewhere } = parseMoment(query, here);
    return { page: 'graph', ...moment, ...troubleOf(broken, elsewhere) };
  }
  if (path === '/blocking/cost' || path === '/waits') {
    const { link, broken, elsewhere } = parseWaitsLink(query, here);
    return { page: 'waits', ...link, ...troubleOf(broken, elsewhere) };
  }
  const clients = parseClientsLink(path, query, here);
  if (clients) return { page: 'clients', ...clients.link, ...troubleOf(clients.broken, clients.elsewhere) };
  const plain = oneOf(PLAIN_PAGES, path.slice(1));
  if (plain) return { page: plain };
  if (path === '/health' || path === '/doctor') return { page: 'doctor', source: query.get('source') };
  if (path === '/fleet') return { page: 'fleet', q: query.get('q') ?? '' };
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
    case 'fleet':
      path = '/fleet';
      if (route.q !== '') query.set('q', route.q);
      break;
    case 'graph':
      path = '/blocking';
      writeMoment(route, query, here);
      break;
    case 'waits':
      path = '/blocking/cost';
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
      path = '/health';
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
