import { z } from 'zod';

/** A problem in JSON. Pages accept codes they do not know: a newer server may send them, and then they show its English. */
export const problemFields = z.object({
  code: z.string(),
  values: z.record(z.string(), z.unknown()),
  message: z.string(),
  hint: z.string(),
});
export interface SentProblem extends z.infer<typeof problemFields> {}
export const problemSchema: z.ZodType<SentProblem> = problemFields;
