import type { z } from 'zod';
import type { clientBody, clientQuery, clientsBody, clientsQuery } from '../../shared/wire/clients.ts';
import type { graphBody, graphQuery } from '../../shared/wire/graph.ts';
import type {
  eventsBody,
  eventsQuery,
  healthBody,
  lockQuery,
  locksBody,
  locksQuery,
  observeBody,
  signalsBody,
  sourceBody,
  spansBody,
  spansQuery,
} from '../../shared/wire/http.ts';
import type { insightsBody, insightsQuery } from '../../shared/wire/insights/insight.ts';
import type { lockBody } from '../../shared/wire/locks/lock.ts';
import type { trendsBody, trendsQuery } from '../../shared/wire/trends.ts';
import type { waitsBody, waitsQuery } from '../../shared/wire/waits.ts';

/** A query as a program writes it: with numbers and flags instead of text. */
type Asked<Q extends z.ZodType> = {
  readonly [field in keyof z.output<Q>]?: z.output<Q>[field];
};

/** Answers of the API, version 1. A newer server may add fields, and values to lists such as the types of events. */
export type HealthAnswer = z.output<typeof healthBody>;
export type LocksAnswer = z.output<typeof locksBody>;
export type LockAnswer = z.output<typeof lockBody>;
export type EventsAnswer = z.output<typeof eventsBody>;
export type SignalsAnswer = z.output<typeof signalsBody>;
export type SpansAnswer = z.output<typeof spansBody>;
export type InsightsAnswer = z.output<typeof insightsBody>;
export type GraphAnswer = z.output<typeof graphBody>;
export type ClientsAnswer = z.output<typeof clientsBody>;
export type ClientAnswer = z.output<typeof clientBody>;
export type TrendsAnswer = z.output<typeof trendsBody>;
export type WaitsAnswer = z.output<typeof waitsBody>;
export type SourceAnswer = z.output<typeof sourceBody>;

export type LocksQuery = Asked<typeof locksQuery>;
export type LockQuery = Asked<typeof lockQuery>;
export type EventsQuery = Asked<typeof eventsQuery>;
export type SpansQuery = Asked<typeof spansQuery>;
export type InsightsQuery = Asked<typeof insightsQuery>;
export type GraphQuery = Asked<typeof graphQuery>;
export type ClientsQuery = Asked<typeof clientsQuery>;
export type ClientQuery = Asked<typeof clientQuery>;
export type TrendsQuery = Asked<typeof trendsQuery>;
export type WaitsQuery = Asked<typeof waitsQuery>;
export type ObserveWish = z.input<typeof observeBody>;
