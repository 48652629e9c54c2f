import type { ProblemCode, TextsOf } from '../values.ts';
import { DEMO_TEXTS } from './demo.ts';
import { DUMP_TEXTS } from './dumps.ts';
import { RECORDING_TEXTS } from './recordings.ts';
import { REDIS_TEXTS } from './redis.ts';
import { REQUEST_TEXTS } from './requests.ts';
import { TEXT_FILE_TEXTS } from './texts.ts';
import { SIGHT_TEXTS, WATCHING_TEXTS } from './watching.ts';

/**
 * The English text of every problem. The server writes `message` and `hint` with it, and the English page uses it too.
 */
export const ENGLISH: TextsOf<ProblemCode> = {
  ...REDIS_TEXTS,
  ...WATCHING_TEXTS,
  ...SIGHT_TEXTS,
  ...REQUEST_TEXTS,
  ...DEMO_TEXTS,
  ...RECORDING_TEXTS,
  ...DUMP_TEXTS,
  ...TEXT_FILE_TEXTS,
};
