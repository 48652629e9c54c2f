import type { Translated } from '../translated.ts';
import type { Words } from '../words.ts';
import { asleep } from './insights/asleep.ts';
import { contention } from './insights/contention.ts';
import { fair } from './insights/fair.ts';
import { jvm } from './insights/jvm.ts';
import { lost } from './insights/lost.ts';
import { server } from './insights/server.ts';
import { stuck } from './insights/stuck.ts';

/** 每个诊断的标题、解释和建议。 */
export const insights: Translated<Words['insights']> = {
  ...lost,
  ...stuck,
  ...asleep,
  ...fair,
  ...contention,
  ...server,
  ...jvm,
};
