import type { ProjectConfig } from 'vitest/node';

/** A stage of `npm test` or `npm run test:deep`; `stages.mjs` describes its fields. */
export type Stage = {
  id: string;
  tier: 'gate' | 'deep';
  title: string;
  needs?: string[];
  files?: string[];
  except?: string[];
  alone?: string[];
  settings?: ProjectConfig;
  withinMs: number;
};

export const STAGES: Stage[];

export function aloneIn(stage: string): string;
