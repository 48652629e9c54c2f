import type { RedisTime } from '../../../shared/base/time.ts';
import type { TimeSpan } from './time-span.ts';

/** The oldest instant in the server's memory, and whether older events were dropped. */
export type Memory = { readonly oldestAt: RedisTime; readonly hasDropped: boolean };

/** The range that is being read, and how far reading has come; `failed`: it could not be read. */
export type Loading = TimeSpan & { readonly reached: RedisTime | 'failed' };
