import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Demo, demoBody, scenariosBody } from '../../shared/wire/demo.ts';
import { errorBody } from '../../shared/wire/http.ts';
import { problem } from '../../shared/wire/problems/problem.ts';
import { strictly } from '../../testing/stories/strictly.ts';
import { DemoProblem, type DemoStage } from '../demo/demo-stage.ts';
import { makeMemoryObservatory } from '../testing/memory-observatory.ts';
import { serveTestApp, type TestApp } from '../testing/test-app.ts';

type Done = { ok: boolean; result: string };

/** A stage without clients. It records its calls, and the test decides when each operation returns. */
class PaperStage implements DemoStage {
  readonly redisUrl = 'redis://127.0.0.1:1';
  readonly asked: unknown[] = [];
  readonly ends: { resolve: (done: Done) => void; reject: (error: Error) => void }[] = [];
  #scenario: string | null = null;

  view(): Demo {
    const state = this.#scenario === null ? 'idle' : 'running';
    return { v: 1, scenario: this.#scenario, step: 0, steps: 8, script: [], state, clients: [] };
  }
  scenarios() {
    return [{ id: 'two-threads', title: 'Two threads', summary: 'They want one lock.', steps: 8, lock: 'orders:42' }];
  }
  async startScenario(id: string) {
    if (id !== 'two-threads')
      throw new DemoProblem(404, problem('no-such-scenario', { scenario: id, known: ['two-threads'] }), 'id');
    this.#scenario = id;
  }
  async stopScenario() {
    this.#scenario = null;
  }
  async clientAction(client: string, action: string) {
    if (client !== 'A') throw new DemoProblem(404, problem('no-such-client', { client, known: ['A'] }), 'client');
    this.asked.push([client, action]);
  }
  threadAction(client: string, thread: number, action: string, body: unknown) {
    if (thread > 3) throw new DemoProblem(404, problem('no-such-thread', { client, thread, threads: 3 }), 'n');
    this.asked.push([client, thread, action, body]);
    const done = new Promise<Done>((resolve, reject) => this.ends.push({ resolve, reject }));
    return { op: this.ends.length, done };
  }
  async close() {}
}

let stage: PaperStage;
let app: TestApp;

beforeEach(async () => {
  stage = new PaperStage();
  app = await serveTestApp(makeMemoryObservatory(), { stage });
});

afterEach(() => app.close());

describe('the demo', () => {
  test('is reported by /api/health', async () => {
    expect((await app.get('/api/health')).body).toMatchObject({ demo: true });
  });

  test('scenarios are listed, started and stopped', async () => {
    expect(strictly(scenariosBody, (await app.get('/api/demo/scenarios')).body).scenarios[0]?.id).toBe('two-threads');
    expect(strictly(demoBody, (await app.get('/api/demo')).body)).toMatchObject({ state: 'idle', scenario: null });
    const started = await app.post('/api/demo/scenarios/two-threads/start', {});
    expect(strictly(demoBody, started.body)).toMatchObject({ state: 'running', scenario: 'two-threads' });
    expect((await app.post('/api/demo/stop')).body).toMatchObject({ state: 'idle' });
    const unknown = await app.post('/api/demo/scenarios/three-threads/start');
    expect(unknown.status).toBe(404);
    expect(errorBody.parse(unknown.body).error).toMatchObject({ code: 'no-such-scenario', field: 'id' });
  });

  test('actions of clients are forwarded', async () => {
    expect((await app.post('/api/demo/clients/A/freeze')).status).toBe(200);
    expect(stage.asked).toEqual([['A', 'freeze']]);
    expect((await app.post('/api/demo/clients/Z/freeze')).status).toBe(404);
    const wrong = await app.post('/api/demo/clients/A/explode');
    expect({ status: wrong.status, field: errorBody.parse(wrong.body).error.field }).toEqual({
      status: 400,
      field: 'action',
    });
  });

  test('an operation is answered at once, and may fail later', async () => {
    const { status, body } = await app.post('/api/demo/clients/A/threads/1/lock', { leaseMs: 500 });
    expect({ status, body }).toEqual({ status: 202, body: { v: 1, op: 1, state: 'started' } });
    expect(stage.asked).toEqual([['A', 1, 'lock', { leaseMs: 500 }]]);
    stage.ends[0]?.reject(new Error('killed'));
    expect((await app.get('/api/health')).status).toBe(200);
  });

  test('with ?wait=1 the response is the result of the operation', async () => {
    const answer = app.post('/api/demo/clients/A/threads/2/tryLock?wait=1', { lock: 'a', waitMs: 10 });
    await expect.poll(() => stage.ends.length).toBe(1);
    stage.ends[0]?.resolve({ ok: false, result: 'false' });
    expect(await answer).toMatchObject({ status: 200, body: { v: 1, op: 1, ok: false, result: 'false' } });
  });

  test.each([
    ['threads/x/lock', {}, 400, 'n'],
    ['threads/9/lock', {}, 404, 'n'],
    ['threads/1/steal', {}, 400, 'action'],
    ['threads/1/lock', { lock: '' }, 400, 'lock'],
    ['threads/1/lock', { lock: 7 }, 400, 'lock'],
    ['threads/1/lock', { leaseMs: -1 }, 400, 'leaseMs'],
    ['threads/1/lock', { leaseMs: 1.5 }, 400, 'leaseMs'],
    ['threads/1/tryLock', { waitMs: 1e12 }, 400, 'waitMs'],
    ['threads/1/lock?wait=maybe', {}, 400, 'wait'],
  ])('POST %s %j is answered with %i, field %s', async (path, body, status, field) => {
    const answer = await app.post(`/api/demo/clients/A/${path}`, body);
    expect(answer.status).toBe(status);
    expect(errorBody.parse(answer.body).error.field).toBe(field);
    expect(stage.asked).toEqual([]);
  });
});

test('without a demo, the paths of a demo are answered with 404', async () => {
  await app.close();
  app = await serveTestApp(makeMemoryObservatory());
  const answers = [
    await app.get('/api/demo'),
    await app.get('/api/demo/scenarios'),
    await app.post('/api/demo/scenarios/two-threads/start'),
    await app.post('/api/demo/clients/A/threads/1/lock', {}),
  ];
  for (const { status, body } of answers) {
    expect(status).toBe(404);
    expect(errorBody.parse(body).error.code).toBe('no-demo');
  }
});
