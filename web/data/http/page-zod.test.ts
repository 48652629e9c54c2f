import fc from 'fast-check';
import { afterAll, expect, test, vi } from 'vitest';
import { z } from 'zod';

/** Every module with schemas that a page reads. */
const MODULES = {
  'wire/http': () => import('../../../shared/wire/http.ts'),
  'wire/lock': () => import('../../../shared/wire/locks/lock.ts'),
  'wire/lock-state': () => import('../../../shared/wire/locks/lock-state.ts'),
  'wire/fleet': () => import('../../../shared/wire/fleet/fleet.ts'),
  'wire/source': () => import('../../../shared/wire/source.ts'),
  'wire/insight': () => import('../../../shared/wire/insights/insight.ts'),
  'wire/trends': () => import('../../../shared/wire/trends.ts'),
  'wire/costs': () => import('../../../shared/wire/costs.ts'),
  'wire/waits': () => import('../../../shared/wire/waits.ts'),
  'wire/window': () => import('../../../shared/wire/window.ts'),
  'wire/graph': () => import('../../../shared/wire/graph.ts'),
  'wire/demo': () => import('../../../shared/wire/demo.ts'),
  'wire/dumps': () => import('../../../shared/wire/dumps.ts'),
  'wire/recordings': () => import('../../../shared/wire/recordings.ts'),
  'wire/release': () => import('../../../shared/wire/release.ts'),
  'wire/doctor': () => import('../../../shared/wire/doctor.ts'),
  'wire/clients': () => import('../../../shared/wire/clients.ts'),
  'wire/problem-log': () => import('../../../shared/wire/insights/problem-log.ts'),
  'wire/problems/values': () => import('../../../shared/wire/problems/values.ts'),
  'wire/problems/problem-schema': () => import('../../../shared/wire/problems/problem-schema.ts'),
  'doctor/finding-values': () => import('../../../shared/doctor/finding-values.ts'),
};

afterAll(() => {
  vi.doUnmock('zod');
  vi.resetModules();
});

/** The schemas of all modules by name, including those in tables of schemas. */
async function allSchemas(): Promise<Map<string, z.ZodType>> {
  const found = new Map<string, z.ZodType>();
  for (const [place, load] of Object.entries(MODULES)) {
    for (const [name, value] of Object.entries(await load())) {
      if (typeof value !== 'object' || value === null) continue;
      const inside = 'safeParse' in value ? [['', value]] : Object.entries(value);
      for (const [key, schema] of inside) {
        const isSchema = typeof schema === 'object' && schema !== null && 'safeParse' in schema;
        if (isSchema) found.set(`${place} ${name} ${key}`, schema as z.ZodType); // it was just seen to be one
      }
    }
  }
  return found;
}

test('page-zod accepts, returns and rejects what zod does, for every schema of a page', async () => {
  vi.resetModules();
  const real = await allSchemas();
  vi.doMock('zod', () => import('./page-zod.ts'));
  vi.resetModules();
  const small = await allSchemas();
  expect([...small.keys()]).toEqual([...real.keys()]);
  expect(real.size).toBeGreaterThan(150);
  const seen = { accepted: 0, rejected: 0 };
  for (const [name, schema] of real) {
    const twin = small.get(name);
    fc.assert(
      fc.property(almost(schema), (value) => {
        const [expected, got] = [schema.safeParse(value), twin?.safeParse(value)];
        seen[expected.success ? 'accepted' : 'rejected']++;
        expect(summary(got), `${name} ${JSON.stringify(value)}`).toEqual(summary(expected));
      }),
      { numRuns: 60, seed: 7 },
    );
  }
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(2000);
});

function summary(parsed: ReturnType<z.ZodType['safeParse']> | undefined) {
  return parsed?.success ? { data: parsed.data } : { path: parsed?.error.issues[0]?.path };
}

const JUNK = fc.constantFrom(undefined, null, '', 'x', 0, -1, 2.5, 1e300, true, [], {}, [1], { a: 1 });

/** Values that a schema accepts, some parts replaced by any other value. */
function almost(schema: z.ZodType): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 40, arbitrary: right(schema) }, { weight: 1, arbitrary: JUNK });
}

function right(schema: z.ZodType): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodOptional) return fc.option(almost(inner(schema)), { nil: undefined });
  if (schema instanceof z.ZodNullable) return fc.option(almost(inner(schema)), { nil: null });
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodReadonly) return almost(inner(schema));
  if (schema instanceof z.ZodPipe) return almost(schema.in as z.ZodType); // types of zod's core and of zod are the same objects
  if (schema instanceof z.ZodString) return fc.string({ maxLength: 4 });
  if (schema instanceof z.ZodNumber) return fc.oneof(fc.nat(1000), fc.constantFrom(-1, 0.5, '7', 1e17));
  if (schema instanceof z.ZodBoolean) return fc.boolean();
  if (schema instanceof z.ZodNull) return fc.constant(null);
  if (schema instanceof z.ZodUnknown) return JUNK;
  if (schema instanceof z.ZodLiteral) return fc.constantFrom(...schema.values);
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options);
  if (schema instanceof z.ZodArray) return fc.array(almost(schema.element as z.ZodType), { maxLength: 2 }); // as above
  if (schema instanceof z.ZodTuple) return fc.tuple(...schema.def.items.map((item) => almost(item as z.ZodType))); // as above
  if (schema instanceof z.ZodRecord)
    return fc.dictionary(fc.string(), almost(schema.valueType as z.ZodType), { maxKeys: 2 }); // as above
  if (schema instanceof z.ZodUnion) return fc.oneof(...schema.options.map((option) => almost(option as z.ZodType))); // as above
  if (schema instanceof z.ZodObject) {
    const shape = Object.entries(schema.shape).map(([key, part]) => [key, almost(part as z.ZodType)] as const); // as above
    const needed = shape.map(([key]) => key).filter((key) => !(schema.shape[key] instanceof z.ZodOptional));
    const known = fc.record(Object.fromEntries(shape), { requiredKeys: needed });
    return fc.tuple(known, fc.boolean()).map(([value, isMore]) => (isMore ? { ...value, more: 1 } : value));
  }
  throw new Error(`no values for ${schema.def.type}`);
}

function inner(schema: { unwrap(): unknown }): z.ZodType {
  return schema.unwrap() as z.ZodType; // as above
}
