import type { Words } from '../words.ts';

export const stage: Words['stage'] = {
  title: '两个线程，一把锁',
};
