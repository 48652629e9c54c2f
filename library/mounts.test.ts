import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { setBase } from '../server/http/answer/base-path.ts';
import { Mounts } from './mounts.ts';

/** A request as Express passes it on: without the path under which it is mounted, which is in `baseUrl`. */
function request(url: string, mount = '', headers: Record<string, string> = {}): IncomingMessage {
  const req = Object.assign(new IncomingMessage(new Socket()), { url, headers });
  setBase(req, mount);
  return req;
}

const CHANNEL = '/socket.io/?EIO=4&transport=websocket';

describe('with a base path', () => {
  test.each([
    ['/ops/locks', '', '/'],
    ['/ops/locks/', '', '/'],
    ['/ops/locks?at=1', '', '/?at=1'],
    ['/ops/locks/api/health', '', '/api/health'],
    ['/api/health', '/ops/locks', '/api/health'],
    ['/locks/api/health', '/ops', '/api/health'],
    ['/', '/ops/locks', '/'],
    ['/api/health', '/OPS/Locks', '/api/health'], // Express compares without regard to case
    ['/api/health', '/locks', '/api/health'], // a proxy has removed /ops
  ])('%s under the mount %j is the path %s of Lockscope', (url, mount, inside) => {
    expect(new Mounts('/ops/locks').enter(request(url, mount))).toEqual({ url: inside, base: '/ops/locks' });
  });

  test.each([
    ['/', ''],
    ['/ops', ''],
    ['/ops/lock', ''],
    ['/ops/locksmith', ''],
    ['/ops/locks2/api/health', ''],
    ['//ops/locks/api/health', ''],
    ['/x/ops/locks', ''],
    ['/api/health', ''],
    ['/api/health', '/other'],
    ['/api/health', '/cks'],
    ['/api/health', '/x/ops/locks'],
    ['/smith', '/ops/lock'],
  ])('%s under the mount %j belongs to the application, also later', (url, mount) => {
    const mounts = new Mounts('/ops/locks');
    expect(mounts.enter(request(url, mount))).toBeUndefined();
    expect(mounts.channelOf(CHANNEL)).toBeUndefined();
    expect(mounts.channelOf(mount + CHANNEL)).toBeUndefined();
    expect(mounts.channelOf(`/ops/locks${CHANNEL}`)).toBe(CHANNEL);
  });

  test('the live channel is below the base path, and later also below the part of it that a proxy passes on', () => {
    const mounts = new Mounts('/tools/locks');
    expect(mounts.channelOf(`/tools/locks${CHANNEL}`)).toBe(CHANNEL);
    expect(mounts.channelOf(`/locks${CHANNEL}`)).toBeUndefined();
    mounts.enter(request('/api/health', '/locks'));
    expect(mounts.channelOf(`/locks${CHANNEL}`)).toBe(CHANNEL);
    expect(mounts.channelOf(`/locks/recordings/0123456789abcdef${CHANNEL}`)).toContain('/recordings/');
    for (const other of ['/socket.io.js', '/api/socket.io/', '/recordings/../socket.io/', '/socket.io'])
      expect(mounts.channelOf(`/locks${other}`), other).toBeUndefined();
  });
});

describe('without a base path', () => {
  test('the path is that of the mounted router, with the prefix that a proxy reports', () => {
    const mounts = new Mounts(undefined);
    expect(mounts.channelOf(`/ops/locks${CHANNEL}`)).toBeUndefined();
    const entered = mounts.enter(request('/api/health', '/ops/locks', { 'x-forwarded-prefix': '/tools' }));
    expect(entered).toEqual({ url: '/api/health', base: '/tools/ops/locks' });
    expect(mounts.channelOf(`/ops/locks${CHANNEL}`)).toBe(CHANNEL);
    expect(mounts.channelOf(CHANNEL)).toBeUndefined();
  });

  test('if there are many paths, the ones used last are remembered, and a very long one never is', () => {
    const mounts = new Mounts(undefined);
    mounts.enter(request('/', '/first/locks'));
    for (let n = 0; n < 5000; n++) {
      mounts.enter(request('/', `/tenant-${n}/locks`));
      mounts.enter(request('/', `/${'x'.repeat(3000)}${n}/locks`));
      if (n % 100 === 0) mounts.enter(request('/', '/first/locks'));
    }
    const known = Array.from({ length: 5000 }, (_, n) => mounts.channelOf(`/tenant-${n}/locks${CHANNEL}`));
    expect(known.filter((url) => url !== undefined)).toHaveLength(999);
    expect(mounts.channelOf(`/first/locks${CHANNEL}`)).toBe(CHANNEL);
    expect(mounts.channelOf(`/${'x'.repeat(3000)}1/locks${CHANNEL}`)).toBeUndefined();
  });
});
