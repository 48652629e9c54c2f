import type { JsonSchema } from './document.ts';

/** Objects with more characters than this are written over several lines. */
const LINE = 90;

/**
 * Writes a schema as a type of TypeScript, for people:
 *
 *   { v: 1, locks: Lock[], nextCursor?: string }
 */
export function typeText(schema: JsonSchema, indent = ''): string {
  const { $ref, const: only, enum: choices, anyOf, oneOf, items, prefixItems, properties, type } = schema;
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf('/') + 1);
  if (only !== undefined) return JSON.stringify(only);
  if (choices) return choices.map((each) => JSON.stringify(each)).join(' | ');
  const either = anyOf ?? oneOf;
  if (either) return either.map((each) => typeText(each, indent)).join(' | ');
  if (prefixItems) return `[${prefixItems.map((each) => typeText(each, indent)).join(', ')}]`;
  if (items) return listOf(items, typeText(items, indent));
  if (properties) return objectText(schema, indent);
  if (typeof type === 'object') return type.map((each) => typeText({ ...schema, type: each }, indent)).join(' | ');
  if (type === 'object') return 'object';
  return type === 'integer' ? 'number' : (type ?? 'unknown');
}

function listOf({ properties }: JsonSchema, item: string): string {
  return properties || !item.includes(' | ') ? `${item}[]` : `(${item})[]`;
}

function objectText({ properties = {}, required = [], additionalProperties }: JsonSchema, indent: string): string {
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(
    ([name, each]) => `${name}${required.includes(name) ? '' : '?'}: ${typeText(each, inner)}`,
  );
  if (additionalProperties) fields.push('…');
  const line = `{ ${fields.join(', ')} }`;
  if (line.length + indent.length <= LINE && !line.includes('\n')) return line;
  return `{\n${fields.map((field) => `${inner}${field},\n`).join('')}${indent}}`;
}

/** The type and limits of a parameter: `integer, 1 to 1000, 200 by default`. */
export function limitsText(schema: JsonSchema): string {
  const { enum: choices, type, minimum, maximum, minLength, maxLength, default: usual } = schema;
  if (choices) return choices.join(', ');
  const most = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? undefined : maximum;
  const limits = [
    ...(minimum !== undefined && most !== undefined ? [`${minimum} to ${most}`] : []),
    ...(minimum !== undefined && most === undefined ? [`at least ${minimum}`] : []),
    ...(minLength !== undefined ? [`at least ${minLength} characters`] : []),
    ...(maxLength !== undefined ? [`at most ${maxLength} characters`] : []),
    ...(usual !== undefined ? [`${usual} by default`] : []),
  ];
  const kind = type === undefined || typeof type === 'string' ? (type ?? typeText(schema)) : type.join(' or ');
  return [kind, ...limits].join(', ');
}
