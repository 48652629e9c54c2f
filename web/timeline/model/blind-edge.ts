import type { RedisTime } from '../../../shared/base/time.ts';

/** A source that is not watched, since when and why. */
export type BlindEdge = { readonly source: string; readonly since: RedisTime; readonly reason: string };
