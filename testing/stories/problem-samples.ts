import { z } from 'zod';
import { PROBLEM_VALUES, type ProblemCode } from '../../shared/wire/problems/values.ts';

/** Examples of the values of a code: with and without optional fields, and with each choice. */
export function samplesOf(code: ProblemCode): readonly Record<string, unknown>[] {
  return samplesOfShape(PROBLEM_VALUES[code].shape);
}

/** Examples of the values of a schema's fields: with and without optional fields, and with each choice. */
export function samplesOfShape(shape: Readonly<Record<string, z.ZodType>>): readonly Record<string, unknown>[] {
  let samples: Record<string, unknown>[] = [{}];
  for (const [name, field] of Object.entries(shape)) {
    samples = samples.flatMap((sample) => valuesOf(name, field).map((value) => ({ ...sample, [name]: value })));
  }
  return samples.map((sample) => Object.fromEntries(Object.entries(sample).filter(([, value]) => value !== undefined)));
}

/** The items of a list: every choice of an enumeration, otherwise two texts. */
function itemsOf(name: string, item: z.ZodType): readonly unknown[] {
  return item instanceof z.ZodEnum ? item.options : [`${name}-1`, `${name}-2`];
}

/** Text and numbers that are easy to find again in a sentence. */
function valuesOf(name: string, field: z.ZodType): readonly unknown[] {
  if (field instanceof z.ZodOptional) return [undefined, ...valuesOf(name, field.unwrap() as z.ZodType)];
  if (field instanceof z.ZodNullable) return [null, ...valuesOf(name, field.unwrap() as z.ZodType)];
  if (field instanceof z.ZodEnum) return field.options;
  if (field instanceof z.ZodBoolean) return [true, false];
  if (field instanceof z.ZodArray) return [[], itemsOf(name, field.element as z.ZodType)];
  if (field instanceof z.ZodNumber) return [name.endsWith('At') || name === 'now' ? 1_700_000_000_000_000 : 4321];
  if (field instanceof z.ZodString) return [`${name}-x`];
  throw new Error(`no example for ${name}`);
}
