import { z } from 'zod';
import type { DescribedRoute, Tag } from '../answer/route.ts';
import { COMPONENTS } from './components.ts';
import { refusalsOf } from './refusals-of.ts';

/** The part of JSON Schema 2020-12 that the page of the API shows. */
export type JsonSchema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly prefixItems?: readonly JsonSchema[];
  readonly additionalProperties?: unknown;
  readonly const?: unknown;
};
export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
};
type Content = Readonly<Record<string, { readonly schema?: JsonSchema }>>;
export type Operation = {
  readonly operationId: string;
  readonly tags: readonly Tag[];
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content: Content }>>;
};
export type Method = 'get' | 'post' | 'delete';
export type ApiDocument = {
  readonly openapi: '3.1.1';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: Tag; readonly description: string }[];
  readonly security: readonly Readonly<Record<string, readonly never[]>>[];
  readonly paths: Readonly<Record<string, Readonly<Partial<Record<Method, Operation>>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>>; readonly securitySchemes: object };
};

const DESCRIPTION = `What Lockscope knows about distributed locks in Redis.

Times are Redis time in microseconds since 1970, durations end in \`Ms\`. Every JSON answer has \`v: 1\`. Within this version,
fields and codes are added, and none is renamed or removed: ignore those you do not know. A refused request is answered with
\`error\`, which has a code for programs and English for people. An open recording has the same API under
\`/recordings/ID/api/\`, which also answers 404 \`unknown-recording\` and 409 \`recording-closed\`.`;

const TAGS: Readonly<Record<Tag, string>> = {
  locks: 'Locks with their holders and waiters.',
  events: 'What happened to locks, in order.',
  findings: 'What is wrong, and where time was lost.',
  clients: 'Clients of the locks, and the threads inside them.',
  recordings: 'Recordings: kept, opened and downloaded.',
  sources: 'The Redis servers, and how they are watched.',
  demo: 'The demo: its scenarios and its clients.',
};

const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', description: 'The token of `--token`. Without it, none is required.' },
  cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'lockscope-4680',
    description:
      'Set by a request with `?token=TOKEN`, for browsers. The number in its name is the port of Lockscope, here 4680.',
  },
};

const REF = '#/components/schemas/';

/** Describes these routes in OpenAPI 3.1, as mounted at the root. */
export function documentOf(routes: readonly DescribedRoute[], version: string): ApiDocument {
  const schemas = new Schemas(routes);
  const paths: Record<string, Partial<Record<Method, Operation>>> = {};
  for (const route of routes) {
    const path = `/api${route.path.replace(/:(\w+)/g, '{$1}')}`;
    const method = route.method.toLowerCase() as Method; // the lower-case forms of `Method`
    paths[path] = { ...paths[path], [method]: operationOf(route, schemas) };
  }
  const used = new Set(routes.map(({ tag }) => tag));
  const tags = (Object.keys(TAGS) as Tag[]).filter((tag) => used.has(tag));
  return {
    openapi: '3.1.1',
    info: { title: 'Lockscope', version, description: DESCRIPTION },
    servers: [{ url: '/' }],
    tags: tags.map((name) => ({ name, description: TAGS[name] })),
    security: [{ bearer: [] }, { cookie: [] }, {}],
    paths,
    components: { schemas: schemas.components(), securitySchemes: SECURITY_SCHEMES },
  };
}

function operationOf(route: DescribedRoute, schemas: Schemas): Operation {
  const { operation, tag, summary, params, query, headers, uploadTypes, answer, mayGoOn = false } = route;
  const parameters = [
    ...parametersOf('path', schemas.of(params)),
    ...parametersOf('query', schemas.of(query)),
    ...parametersOf('header', schemas.of(headers)),
  ];
  const body = schemas.of(route.body ?? route.uncheckedBody);
  const files = Object.fromEntries((uploadTypes ?? []).map((type) => [type, {}]));
  const content = uploadTypes ? files : body && { 'application/json': { schema: body } };
  const ok = { description: 'The answer.', content: contentOf(answer, schemas) };
  const goesOn = { description: 'It has begun and is still going on.', content: ok.content };
  const refused = [...refusalsOf(route)].map(([status, codes]) => [
    status,
    {
      description: `Refused with the code ${codes.map((code) => `\`${code}\``).join(' or ')}.`,
      content: { 'application/json': { schema: { $ref: `${REF}Error` } } },
    },
  ]);
  return {
    ...{ operationId: operation, tags: [tag], summary },
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(content
      ? { requestBody: { required: uploadTypes !== undefined || (body?.required ?? []).length > 0, content } }
      : {}),
    responses: { 200: ok, ...(mayGoOn ? { 202: goesOn } : {}), ...Object.fromEntries(refused) },
  };
}

function contentOf(answer: DescribedRoute['answer'], schemas: Schemas): Content {
  if (answer === 'application/gzip') return { [answer]: {} };
  if (answer === 'text/event-stream') return { [answer]: { schema: { type: 'string' } } };
  const schema = schemas.of(answer);
  return { 'application/json': schema ? { schema } : {} };
}

function parametersOf(where: Parameter['in'], { properties = {}, required = [] }: JsonSchema = {}): Parameter[] {
  return Object.entries(properties).map(([name, { description = '', ...schema }]) => ({
    ...{ name, in: where, required: required.includes(name), description, schema },
  }));
}

/**
 * The JSON Schemas of all routes. A schema describes its input, which is what is on the wire: readers parse it, as
 * pages do. So fields that a schema does not name are allowed: later versions may add some.
 */
class Schemas {
  readonly #registry = z.registry<{ id: string }>();
  readonly #all: Readonly<Record<string, JsonSchema>>;

  constructor(routes: readonly DescribedRoute[]) {
    for (const [id, schema] of Object.entries(COMPONENTS)) this.#registry.add(schema, { id });
    const parts = routes.flatMap(({ params, query, headers, body, uncheckedBody, answer }) => {
      return [params, query, headers, body, uncheckedBody, typeof answer === 'string' ? undefined : answer];
    });
    for (const [n, part] of parts.entries()) {
      if (part && !this.#registry.has(part)) this.#registry.add(part, { id: `part ${n}` });
    }
    const { schemas } = z.toJSONSchema(this.#registry, { uri: (id) => REF + id, io: 'input' });
    this.#all = Object.fromEntries(
      Object.entries(schemas).map(([id, { $id: _, $schema: __, ...schema }]) => [id, schema as JsonSchema]),
    );
  }

  /** The schema in the document: a reference if it is a component. */
  of(schema: z.ZodType | undefined): JsonSchema | undefined {
    const id = schema && this.#registry.get(schema)?.id;
    if (id === undefined) return undefined;
    return id in COMPONENTS ? { $ref: REF + id } : this.#all[id];
  }

  components(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries(Object.entries(this.#all).filter(([id]) => id in COMPONENTS));
  }
}
