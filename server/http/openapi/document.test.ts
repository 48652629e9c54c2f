import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { API_ROUTES, DEMO_ROUTES } from '../routes/all.ts';
import { COMPONENTS } from './components.ts';
import { type ApiDocument, documentOf, type JsonSchema, type Method } from './document.ts';
import { refusalsOf } from './refusals-of.ts';

const ROUTES = [...API_ROUTES, ...DEMO_ROUTES];
const DOCUMENT = documentOf(ROUTES, '1.2.3');
const OPERATIONS = Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

function operationAt({ paths }: ApiDocument, { method, path }: { method: string; path: string }) {
  return paths[`/api${path.replace(/:(\w+)/g, '{$1}')}`]?.[method.toLowerCase() as Method]; // the document has this form
}

test('the document is valid OpenAPI 3.1, with and without the demo', async () => {
  for (const document of [DOCUMENT, documentOf(API_ROUTES, '1.2.3')]) {
    const checked = await new Validator().validate(structuredClone(document) as object as Record<string, unknown>);
    expect(checked.errors ?? []).toEqual([]);
    expect(checked.valid).toBe(true);
  }
  const broken = { ...structuredClone(DOCUMENT), info: { title: 'no version' } };
  expect((await new Validator().validate(broken as object as Record<string, unknown>)).valid).toBe(false);
});

test('the document has every route, and nothing else', () => {
  expect(OPERATIONS).toHaveLength(ROUTES.length);
  for (const route of ROUTES) expect(operationAt(DOCUMENT, route)?.operationId).toBe(route.operation);
  expect(Object.keys(documentOf(API_ROUTES, '1').paths).some((path) => path.startsWith('/api/demo'))).toBe(false);
  expect(DOCUMENT.info.version).toBe('1.2.3');
});

test('each operation has its own name and a sentence of description', () => {
  const names = OPERATIONS.map(({ operation }) => operation.operationId);
  expect(new Set(names).size).toBe(names.length);
  for (const { operation } of OPERATIONS) {
    expect(operation.operationId).toMatch(/^[a-z]+(?:[A-Z][a-z]+)+$/);
    expect(operation.summary).toMatch(/^[A-Z].{15,}\.$/);
  }
  const tags = new Set(OPERATIONS.flatMap(({ operation }) => operation.tags));
  expect(DOCUMENT.tags.map(({ name }) => name).sort()).toEqual([...tags].sort());
});

test.each(OPERATIONS)('$method $path describes each parameter, and each field of its body', ({ operation, path }) => {
  const { parameters = [], requestBody } = operation;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  expect(parameters.filter((each) => each.in === 'path').map(({ name }) => name)).toEqual(inPath);
  const fields = Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
    Object.entries(schema?.properties ?? {}),
  );
  const described = [...parameters.map((each) => [each.name, each] as const), ...fields];
  for (const [name, { description }] of described) expect(description, name).toMatch(/^[A-Z`].+\.$/);
});

test('the document has the limits and choices of parameters', () => {
  const parameters = operationAt(DOCUMENT, { method: 'GET', path: '/events' })?.parameters ?? [];
  const schemaOf = (wanted: string) => parameters.find(({ name }) => name === wanted)?.schema;
  expect(schemaOf('limit')).toMatchObject({ type: 'integer', minimum: 1, maximum: 5000, default: 500 });
  expect(schemaOf('type')?.enum).toContain('lock.acquired');
  expect(schemaOf('dense')?.enum).toEqual(expect.arrayContaining(['true', 'false', '1', '0']));
  expect(parameters.filter(({ required }) => required)).toEqual([]);
});

test('the document names the media types of bodies, uploads, streams and files', () => {
  const typesOf = (method: string, path: string) => {
    const operation = operationAt(DOCUMENT, { method, path });
    const answers = ['200', '202'].map((status) => Object.keys(operation?.responses[status]?.content ?? {}));
    return [Object.keys(operation?.requestBody?.content ?? {}), ...answers];
  };
  const json = 'application/json';
  expect(typesOf('POST', '/thread-dumps')).toEqual([['application/octet-stream', json, 'text/plain'], [json], []]);
  expect(typesOf('POST', '/locks/:name/release')).toEqual([[json], [json], []]);
  expect(typesOf('POST', '/demo/clients/:client/threads/:n/:action')).toEqual([[json], [json], [json]]);
  expect(typesOf('GET', '/recording')).toEqual([[], ['application/gzip'], []]);
  expect(typesOf('GET', '/events/stream')).toEqual([[], ['text/event-stream'], []]);
});

test('the document has the statuses and codes with which each route refuses requests', () => {
  const { responses = {} } = operationAt(DOCUMENT, { method: 'GET', path: '/locks/:name' }) ?? {};
  expect(Object.keys(responses).map(Number)).toEqual([200, 400, 401, 403, 404, 409, 410, 429, 500, 503]);
  expect(responses[404]?.description).toContain('`unknown-lock`');
  expect(responses[404]?.content['application/json']?.schema).toEqual({ $ref: '#/components/schemas/Error' });
  for (const route of ROUTES)
    expect([...refusalsOf(route).keys()]).toEqual(expect.arrayContaining([401, 403, 429, 500, 503]));
});

test('a schema that occurs in several routes or schemas is a component', () => {
  expect(Object.keys(DOCUMENT.components.schemas)).toEqual(Object.keys(COMPONENTS));
  const answers = ROUTES.map(({ answer }) => answer).filter((answer) => typeof answer !== 'string');
  const twice = answers.filter((answer, n) => answers.indexOf(answer) !== n);
  expect(twice.length).toBeGreaterThan(0);
  expect(twice.filter((answer) => !Object.values(COMPONENTS).includes(answer))).toEqual([]);
  expect(JSON.stringify(DOCUMENT.components.schemas.LockAnswer)).toContain('"#/components/schemas/Holder"');
});

test('every JSON answer of a route has v: 1, except the API document, whose format has no room for it', () => {
  const without = OPERATIONS.filter(({ operation }) => {
    const schema = operation.responses[200]?.content['application/json']?.schema;
    return schema !== undefined && !hasVersion(schema);
  });
  expect(without.map(({ path }) => path)).toEqual(['/api/openapi.json']);
});

function hasVersion(schema: JsonSchema): boolean {
  const name = schema.$ref?.split('/').at(-1);
  if (name !== undefined) return hasVersion(DOCUMENT.components.schemas[name] ?? {});
  if (schema.anyOf) return schema.anyOf.every(hasVersion);
  return (
    JSON.stringify(schema.properties?.v) === '{"type":"number","const":1}' && schema.required?.includes('v') === true
  );
}
