import type { ProblemCode, TextsOf } from '../values.ts';
import { OF_THE_DEMO } from './demo.ts';
import { OF_DUMPS } from './dumps.ts';
import { OF_RECORDINGS } from './recordings.ts';
import { OF_REDIS } from './redis.ts';
import { OF_REQUESTS } from './requests.ts';
import { OF_TEXTS } from './texts.ts';
import { OF_SIGHT, OF_WATCHING } from './watching.ts';

/** The English text of every problem. The server writes `message` and `hint` with it, and the English page uses it too. */
export const ENGLISH: TextsOf<ProblemCode> = {
  ...OF_REDIS,
  ...OF_WATCHING,
  ...OF_SIGHT,
  ...OF_REQUESTS,
  ...OF_THE_DEMO,
  ...OF_RECORDINGS,
  ...OF_DUMPS,
  ...OF_TEXTS,
};
