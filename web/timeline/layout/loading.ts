import type { RedisTime } from '../../../shared/base/time.ts';
import type { Span } from './scale.ts';

/** What is being read, and how far that has come. */
export type Loading = Span & { readonly reached: RedisTime | 'failed' };
