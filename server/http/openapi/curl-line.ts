import type { ApiDocument, JsonSchema, Method, Operation, Parameter } from './document.ts';

/**
 * A command that sends a request to an operation, with an example for each required part of its path, query and body.
 */
export function curlLine(address: string, path: string, method: Method, operation: Operation): string {
  const { parameters = [], requestBody, responses } = operation;
  const required = parameters.filter((each) => each.required);
  const valueFor = ({ name, schema }: Parameter) => encodeURIComponent(String(exampleOf(name, schema)));
  const filled = required
    .filter((each) => each.in === 'path')
    .reduce((text, each) => text.replace(`{${each.name}}`, valueFor(each)), path);
  const query = required.filter((each) => each.in === 'query').map((each) => `${each.name}=${valueFor(each)}`);
  const url = quoted(`${address}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`);
  const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const [answer] = Object.keys(responses[200]?.content ?? {});
  const words = [
    'curl',
    ...(answer === 'text/event-stream' ? ['-N'] : []),
    ...(answer === 'application/gzip' ? ['-OJ'] : []),
    ...(method === 'delete' || (method === 'post' && type === undefined) ? ['-X', method.toUpperCase()] : []),
    ...(type === undefined ? [] : ['-H', quoted(`Content-Type: ${type}`)]),
    ...(body === undefined ? [] : body.schema ? ['-d', quoted(exampleBody(body.schema))] : ['--data-binary', '@FILE']),
    url,
  ];
  return words.join(' ');
}

function exampleBody({ properties = {}, required = [], examples }: JsonSchema): string {
  if (examples) return JSON.stringify(examples[0]);
  return JSON.stringify(Object.fromEntries(required.map((name) => [name, exampleOf(name, properties[name] ?? {})])));
}

/** An example of the schema, or else a choice, or else `true` for a flag, or else the name in capitals. */
function exampleOf(name: string, { examples, enum: choices, type }: JsonSchema): unknown {
  return examples?.[0] ?? choices?.[0] ?? (type === 'boolean' ? true : name.toUpperCase());
}

/** One word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

export function operationsOf({ paths }: ApiDocument): { path: string; method: Method; operation: Operation }[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method as Method, operation })),
  );
}
