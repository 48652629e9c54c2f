import type { z } from 'zod';
import type { FieldFault } from '../../../shared/wire/problems/values.ts';

type Issue = z.core.$ZodIssue;

/** The first field that a schema refuses, and why. `whole`: the name for the value itself. */
export function faultOf(error: z.ZodError, whole: string): FieldFault {
  const issue = error.issues[0];
  const unknown = issue?.code === 'unrecognized_keys' ? [issue.keys[0] ?? ''] : [];
  const field = [...(issue?.path ?? []), ...unknown].join('.') || whole;
  return { field, ...(issue ? faultOfIssue(issue) : OTHER) };
}

/**
 * The first field that was read as a number, although its text is not digits, with or without a fraction. `Number` also
 * reads `''`, `' 7'`, `'0x10'`, `'1e15'`, `null` and `true`: an empty shell variable as 0, and an instant without its
 * last digits.
 */
export function notANumber(given: unknown, read: unknown): FieldFault | undefined {
  const texts: Readonly<Record<string, unknown>> = Object(given);
  const found = Object.entries(Object(read)).find(([field, value]) => {
    const text = texts[field];
    return typeof value === 'number' && text !== undefined && typeof text !== 'number' && !DECIMAL.test(String(text));
  });
  return found && { field: found[0], fault: 'type', expected: 'number' };
}

const DECIMAL = /^\d+(?:\.\d+)?$/;

const OTHER = { fault: 'other', expected: '' } as const;

function faultOfIssue(issue: Issue): Omit<FieldFault, 'field'> {
  switch (issue.code) {
    case 'unrecognized_keys':
      return { fault: 'unknown', expected: '' };
    case 'invalid_type':
      return issue.expected === 'nonoptional'
        ? { fault: 'missing', expected: '' }
        : { fault: 'type', expected: issue.expected };
    case 'too_big':
      return { fault: 'too-big', expected: amountOf(issue.maximum, issue.origin) };
    case 'too_small':
      return { fault: 'too-small', expected: amountOf(issue.minimum, issue.origin) };
    case 'invalid_value':
      return { fault: 'choice', expected: issue.values.join(', ') };
    case 'invalid_format':
      return { fault: 'format', expected: issue.format };
    case 'custom':
      return ofRule(issue.params);
    default:
      return OTHER;
  }
}

function amountOf(limit: number | bigint, origin: string): string {
  return origin === 'number' || origin === 'int' ? String(limit) : `${limit} (${origin})`;
}

/** A rule may name the `format` of a text, or another field: `before` it, or not `together` with it. */
function ofRule({ before, together, format }: Record<string, unknown> = {}): Omit<FieldFault, 'field'> {
  if (typeof format === 'string') return { fault: 'format', expected: format };
  if (typeof before === 'string') return { fault: 'before', expected: before };
  return typeof together === 'string' ? { fault: 'together', expected: together } : OTHER;
}
