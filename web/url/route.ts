import type { EventType } from '../../shared/events/event.ts';
import type { Topic } from '../../shared/events/topics.ts';
import type { ClientsLink } from './clients-link.ts';
import { type LockPointer, pointerFromName } from './lock-link.ts';
import type { Moment } from './moment.ts';
import { PLAIN_TIMELINE, type TimelineLink } from './timeline-link.ts';
import type { WaitsLink } from './waits-link.ts';

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
  /** The recording that the link points into, if that recording is not open. */
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
/** The graph of which thread waits for which. */
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
export const PLAIN_PAGES = ['recordings', 'demo'] as const;
type PlainPage = (typeof PLAIN_PAGES)[number];
type PlainRoute = { [P in PlainPage]: { page: P } }[PlainPage];
type HelpRoute = {
  page: 'incident-help';
  /** The incident; null: the list of all. */
  incident: string | null;
};
/** The sources of a viewer. `q`: what is searched for. */
type FleetRoute = { page: 'fleet'; q: string };
/** What endangers locks on the servers. `source`: one of them; null: all. */
type DoctorRoute = { page: 'doctor'; source: string | null };
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
  | FleetRoute
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
