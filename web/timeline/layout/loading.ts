import type { RedisTime } from '../../../shared/base/time.ts';
import type { Span } from './scale.ts';

/** The stretch that is being read, and how far reading has come. */
export type Loading = Span & { readonly reached: RedisTime | 'failed' };
