import { z } from 'zod';

/**
 * A problem in JSON. A newer server may send codes that a page does not know: then the page shows the English text.
 */
export const problemFields = z.object({
  code: z.string(),
  values: z.record(z.string(), z.unknown()),
  message: z.string(),
  hint: z.string(),
});
export interface SentProblem extends z.infer<typeof problemFields> {}
export const problemSchema: z.ZodType<SentProblem> = problemFields;
