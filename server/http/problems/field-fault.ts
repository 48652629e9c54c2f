import type { z } from 'zod';
import type { FieldFault } from '../../../shared/wire/problems/values.ts';

type Issue = z.core.$ZodIssue;

/** The first field that a schema refuses, and why. `whole`: the name for the value itself. */
export function faultOf(error: z.ZodError, whole: string): FieldFault {
  const issue = error.issues[0];
  const unknown = issue?.code === 'unrecognized_keys' ? [issue.keys[0] ?? ''] : [];
  const field = [...(issue?.path ?? []), ...unknown].join('.') || whole;
  return { field, ...(issue ? wrongOf(issue) : OTHER) };
}

const OTHER = { fault: 'other', expected: '' } as const;

function wrongOf(issue: Issue): Omit<FieldFault, 'field'> {
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

/** A rule between two fields names the other one: `before` it, or not `together` with it. */
function ofRule({ before, together }: Record<string, unknown> = {}): Omit<FieldFault, 'field'> {
  if (typeof before === 'string') return { fault: 'before', expected: before };
  return typeof together === 'string' ? { fault: 'together', expected: together } : OTHER;
}
