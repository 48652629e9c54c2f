import type { RedisTime } from '../base/time.ts';

/** One command of the replication stream: what a client's command or script changed, not what the client sent. */
export type Effect = {
  readonly db: number;
  /** The name of the command in capitals, and its arguments as text. */
  readonly words: readonly string[];
};

/** The effects of one command or script, in order. Redis applies them together. */
export type EffectGroup = {
  readonly kind: 'effects';
  /** When the effects arrived, by Redis's clock. The replication stream has no times. */
  readonly at: RedisTime;
  /** The replication offset after the effects. */
  readonly offset: number;
  readonly effects: readonly Effect[];
};
