import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { eventsBody } from '../../../shared/wire/http.ts';
import { recordingBody } from '../../../shared/wire/recordings.ts';
import { DumpStore } from '../../dumps/dump-store.ts';
import { readDump } from '../../dumps/read-dump.ts';
import { openRecordedDemo } from '../../recorded-demo.ts';
import { serveRecordings, twoThreads } from '../../testing/serve-recordings.ts';
import { soon } from '../../testing/soon.ts';
import { serveTestApp } from '../../testing/test-app.ts';
import type { ApiDocument } from './document.ts';

type Lockscope = { ask(method: string, path: string, init?: RequestInit): Promise<{ status: number; body: unknown }> };

/** Checks the answers of a Lockscope against its own API document. */
class Examiner {
  readonly seen = new Set<string>();
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });

  private constructor(
    readonly lockscope: Lockscope,
    readonly document: ApiDocument,
  ) {
    this.#ajv.addSchema(document, 'document');
  }

  static async of(lockscope: Lockscope): Promise<Examiner> {
    const { body } = await lockscope.ask('GET', '/api/openapi.json');
    return new Examiner(lockscope, body as ApiDocument); // the test below checks it
  }

  /** Sends a request to a route of the document, and returns the answer if it matches the schema of its status. */
  async ask(method: string, path: string, init: RequestInit = {}): Promise<unknown> {
    const { status, body } = await this.lockscope.ask(method, path, init);
    const { pathname } = new URL(path, 'http://test');
    const names = Object.keys(this.document.paths).filter((name) => patternOf(name).test(pathname));
    // A path without a parameter is more exact.
    const route = names.find((name) => !name.includes('{')) ?? names[0] ?? '';
    const pointer = ['paths', route, method.toLowerCase(), 'responses', String(status)].map(escaped).join('/');
    const validate = this.#ajv.compile({ $ref: `document#/${pointer}/content/application~1json/schema` });
    expect(validate(body) ? [] : validate.errors, `${method} ${path} ${status}`).toEqual([]);
    if (status < 300) this.seen.add(`${method} ${route}`);
    return body;
  }

  /** The routes with a JSON answer of which no answer was seen. */
  unseen(): string[] {
    return Object.entries(this.document.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { responses }]) => responses[200]?.content['application/json'] !== undefined)
        .map(([method]) => `${method.toUpperCase()} ${path}`)
        .filter((name) => !this.seen.has(name)),
    );
  }
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
}

function escaped(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}

const json = (body: unknown): RequestInit => ({
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});

describe('the answers of a running Lockscope have the schemas of its document', () => {
  let lockscope: Awaited<ReturnType<typeof serveRecordings>>;
  let examiner: Examiner;
  beforeAll(async () => {
    // enough for all tests of this process: above its limit, Lockscope would drop what the tests ask for
    lockscope = await serveRecordings({ memoryMb: 8192 });
    examiner = await Examiner.of(lockscope);
  });
  afterAll(() => lockscope.end());

  test('the document itself is valid, and names its URL', async () => {
    const copy = structuredClone(examiner.document) as object as Record<string, unknown>;
    expect((await new Validator().validate(copy)).valid).toBe(true);
    expect(examiner.document.servers).toEqual([{ url: '/' }]);
  });

  test('every route is answered, except those that write to a Redis, need one, or are tested elsewhere', async () => {
    const { events } = eventsBody.parse(await examiner.ask('GET', '/api/events?after=0&limit=5000'));
    const [first] = events;
    const client = events.flatMap((event) =>
      'client' in event && event.client !== undefined ? [event.client] : [],
    )[0];
    for (const path of [
      ...[
        'openapi.json',
        'health',
        'locks',
        'lock?name=orders:42',
        'locks/orders%3A42',
        'clients',
        `clients/${client}`,
      ],
      ...[`locks?at=${events.at(-1)?.at}`, `locks/orders%3A42?at=${first?.at}`, `graph?at=${events[8]?.at}`],
      ...[
        `events/${first?.seq}/signals`,
        `spans?from=0`,
        'window?from=0',
        'outline?from=0',
        'trends',
        'waits',
        'costs?by=hold',
        'hours?lock=orders:42',
        'graph',
      ],
      ...['insights', `insights?at=${events.at(-1)?.at}`, 'recordings', 'thread-dumps', 'measurement', 'problems'],
    ]) {
      await examiner.ask('GET', `/api/${path}`);
    }
    const octets = { headers: { 'Content-Type': 'application/octet-stream' }, body: twoThreads() };
    const { id } = recordingBody.parse(await examiner.ask('POST', '/api/recordings?name=x', octets)).recording;
    await examiner.ask('POST', `/api/recordings/${id}/open`);
    await examiner.ask('POST', '/api/recordings/save', json({ from: 0 }));
    await examiner.ask('DELETE', `/api/recordings/${id}`);
    await examiner.ask('DELETE', '/api/measurement');
    expect(examiner.unseen()).toEqual([
      // Only a viewer answers this route: `viewer.live.deep.test.ts` checks the answer.
      'GET /api/fleet',
      'POST /api/sources/{id}/observe',
      'POST /api/sources/{id}/own-locks',
      'GET /api/doctor',
      'POST /api/sources/{id}/measure',
      'POST /api/problems/notes',
      // The test below, of a demo, uploads and reads dumps.
      'POST /api/thread-dumps',
      'GET /api/thread-dumps/{id}',
      'POST /api/thread-dumps/{id}',
      'DELETE /api/thread-dumps/{id}',
      'POST /api/locks/{name}/release',
      'POST /api/locks/{name}/dead-head',
    ]);
  });

  test('refused requests have the schema of an error', async () => {
    await examiner.ask('GET', '/api/locks?limit=0');
    await examiner.ask('GET', '/api/doctor');
    await examiner.ask('GET', '/api/locks/nothing');
    await examiner.ask('GET', '/api/locks?at=1');
    await examiner.ask('GET', '/api/events/999999/signals');
    await examiner.ask('POST', '/api/sources/nothing/observe', json({ level: 'monitor' }));
    await examiner.ask('POST', '/api/sources/nothing/observe', {
      ...json({}),
      headers: { 'Content-Type': 'text/css' },
    });
    await examiner.ask('POST', '/api/locks/a/release', json({ confirm: 'a' }));
    await expect(examiner.ask('DELETE', '/api/locks/a')).rejects.toThrow();
  });
});

test('the answers of a demo have the schemas of its OpenAPI document', async () => {
  vi.useRealTimers(); // a recorded demo plays in real time
  const { stage, observatory } = await openRecordedDemo();
  if (!observatory) throw new Error('a recorded demo has an observatory');
  const app = await serveTestApp(observatory, { stage, dumps: new DumpStore(async (bytes) => readDump(bytes)) });
  try {
    const ask = (method: string, path: string, init: RequestInit = {}) => app.get(path, { ...init, method });
    const examiner = await Examiner.of({ ask });
    await soon(() => expect(observatory.history.count()).toBeGreaterThan(0));
    for (const path of ['demo', 'demo/scenarios', 'health', 'locks']) await examiner.ask('GET', `/api/${path}`);
    await examiner.ask('POST', '/api/demo/scenarios/watchdog/start');
    await examiner.ask('POST', '/api/demo/scenarios/nothing/start');
    await examiner.ask('POST', '/api/demo/stop');
    await examiner.ask('POST', '/api/demo/clients/A/freeze');
    await examiner.ask('POST', '/api/demo/clients/A/threads/1/lock', json({}));
    const dump = readFileSync('shared/traces/dumps/redisson-4.7.0.jstack.txt', 'utf8');
    const added = { headers: { 'Content-Type': 'text/plain' }, body: dump };
    const kept = (await examiner.ask('POST', '/api/thread-dumps', added)) as { dump: { id: string } }; // checked
    await examiner.ask('POST', `/api/thread-dumps/${kept.dump.id}`, json({ client: 'u1' }));
    await examiner.ask('GET', `/api/thread-dumps/${kept.dump.id}`);
    await examiner.ask('DELETE', `/api/thread-dumps/${kept.dump.id}`);
    expect(examiner.seen).toContain('GET /api/thread-dumps/{id}');
    expect(examiner.seen).toContain('GET /api/demo');
    expect(app.mistakes).toEqual([]);
  } finally {
    await app.close();
    await stage.close();
  }
});
