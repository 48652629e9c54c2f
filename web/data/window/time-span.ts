import type { RedisTime } from '../../../shared/base/time.ts';

/** A range of time. */
export type TimeSpan = { readonly from: RedisTime; readonly to: RedisTime };
