import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorBody } from '../../shared/wire/http.ts';
import { acquired } from '../testing/make-events.ts';
import { makeMemoryObservatory } from '../testing/memory-observatory.ts';
import { serveTestApp, type TestApp } from '../testing/test-app.ts';

let app: TestApp;

beforeAll(async () => {
  const observatory = makeMemoryObservatory();
  observatory.record(acquired('a', 'u1:1'));
  app = await serveTestApp(observatory, { allowRelease: true });
});

afterAll(() => app.close());

describe('a request to release a lock', () => {
  test.each([
    [{ confirm: 'a' }, 'holders', 'missing'],
    [{ confirm: 'a', dryRun: false }, 'holders', 'missing'],
    [{ confirm: 'a', dryrun: true }, 'dryrun', 'unknown'],
    [{ confirm: 'a', holder: ['u1:1'] }, 'holder', 'unknown'],
    [{ confirm: 'a', holders: ['u1:1'], force: true }, 'force', 'unknown'],
    [{ confirm: 'a', holders: ['u1:1'], db: '0' }, 'db', 'type'],
    [{ confirm: 'a', holders: ['u1:1'], dryRun: 'true' }, 'dryRun', 'type'],
    [{ confirm: 'a', holders: 'u1:1' }, 'holders', 'type'],
    [{ holders: ['u1:1'] }, 'confirm', 'type'],
    [{ confirm: 'b', holders: ['u1:1'] }, 'confirm', undefined],
  ])('%j is refused, and the error names the field %s', async (body, field, fault) => {
    const { status, body: answer } = await app.post('/api/locks/a/release', body);
    const { error } = errorBody.parse(answer);
    expect([status, error.field, error.values.fault]).toEqual([400, field, fault]);
  });

  test.each([
    [{ confirm: 'a', holders: ['u1:1'] }],
    [{ confirm: 'a', holders: ['u1:1'], since: [1_760_000_000_001_000], db: 0, source: 'main' }],
    [{ confirm: 'a', dryRun: true }],
    [{ confirm: 'a', dryRun: true, holders: ['u1:1'] }],
  ])('%j is accepted', async (body) => {
    const { status, body: answer } = await app.post('/api/locks/a/release', body);
    expect([status, errorBody.parse(answer).error.code]).toEqual([409, 'recording']); // no Redis is connected
  });
});

describe('a request to remove a dead head', () => {
  test.each([
    [{ confirm: 'a' }, 'head', 'missing'],
    [{ confirm: 'a', head: 'u1:1' }, 'deadline', 'missing'],
    [{ confirm: 'a', head: 'u1:1', deadline: '1', dryRuns: true }, 'dryRuns', 'unknown'],
    [{ confirm: 'a', head: 'u1:1', deadline: 1 }, 'deadline', 'type'],
  ])('%j is refused, and the error names the field %s', async (body, field, fault) => {
    const { status, body: answer } = await app.post('/api/locks/a/dead-head', body);
    const { error } = errorBody.parse(answer);
    expect([status, error.field, error.values.fault]).toEqual([400, field, fault]);
  });

  test.each([[{ confirm: 'a', dryRun: true }], [{ confirm: 'a', head: 'u1:1', deadline: '1' }]])(
    '%j is accepted',
    async (body) => {
      const { status, body: answer } = await app.post('/api/locks/a/dead-head', body);
      expect([status, errorBody.parse(answer).error.code]).toEqual([409, 'release-unsafe']);
    },
  );
});
