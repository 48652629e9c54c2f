import { describe, expect, test } from 'vitest';
import { endpointsFromSlots, parseClusterNodes } from './cluster-nodes.ts';

const ASKED = { host: '10.0.0.1', port: 7001, tls: false };

describe('parseClusterNodes', () => {
  test('reads lines of several forms, and leaves out servers in a handshake or without an address', () => {
    const text = [
      'aa 10.0.0.1:7001@17001,one.example,shard-id=69 myself,master - 0 0 1 connected 0-5 7 [93->-bb]',
      'bb 10.0.0.2:7002 slave,fail aa 0 0 1 disconnected',
      'cc :0@0 master,noaddr - 0 0 1 disconnected',
      'dd 10.0.0.4:7004@17004 handshake - 0 0 0 connected',
      'ee [::1]:7005@17005 master,fail? - 0 0 1 connected',
      '',
    ].join('\n');
    const nodes = parseClusterNodes(text, ASKED);
    expect(nodes.map(({ id, host, port }) => `${id} ${host} ${port}`)).toEqual([
      'aa 10.0.0.1 7001',
      'bb 10.0.0.2 7002',
      'ee [::1] 7005',
    ]);
    expect(nodes[0]).toMatchObject({
      isMaster: true,
      slots: [
        [0, 5],
        [7, 7],
      ],
      masterId: null,
      epoch: 1,
    });
    expect(nodes[1]).toMatchObject({ isMaster: false, isFailed: true, masterId: 'aa' });
    expect(parseClusterNodes(text, { ...ASKED, tls: true })[0]?.host).toBe('one.example');
  });

  test('gives a server that does not know its own address the address at which it was asked', () => {
    const { host, port } = ASKED;
    expect(parseClusterNodes('aa :0@0 myself,master - 0 0 0 connected 0', ASKED)).toMatchObject([{ host, port }]);
  });
});

describe('endpoints', () => {
  const NODES = [
    'aa 10.0.0.1:7001@17001,one.example myself,master - 0 0 1 connected 0-99',
    'bb 10.0.0.2:7002@17002,two.example master - 0 0 2 connected 100-199',
    'cc 10.0.0.3:7003@17003, slave aa 0 0 1 connected',
  ].join('\n');

  /** The hosts and ports for clients if CLUSTER SLOTS reports these endpoints of aa, bb and cc. */
  function places([aa, bb, cc]: readonly (string | null)[], tls = false) {
    const reply = [
      [0, 99, [aa, 7001, 'aa', []], [cc, 7003, 'cc', []]],
      [100, 199, [bb, 7002, 'bb', ['ip', '10.0.0.2']]],
    ];
    const nodes = parseClusterNodes(NODES, { host: 'asked', port: 7001, tls }, endpointsFromSlots(reply), 'balancer');
    return nodes.map(({ host, port }) => `${host}:${port}`);
  }

  test('are addresses by default; with TLS they are names, if a server has one', () => {
    const addresses = ['10.0.0.1', '10.0.0.2', '10.0.0.3'];
    expect(places(addresses)).toEqual(['10.0.0.1:7001', '10.0.0.2:7002', '10.0.0.3:7003']);
    expect(places(addresses, true)).toEqual(['one.example:7001', 'two.example:7002', '10.0.0.3:7003']);
  });

  test('are names if the cluster prefers names; a server without a name keeps its address', () => {
    const names = ['one.example', 'two.example', '?'];
    expect(places(names)).toEqual(['one.example:7001', 'two.example:7002', '10.0.0.3:7003']);
  });

  test('are ports of the host in the URL if CLUSTER SLOTS reports no hosts', () => {
    for (const tls of [false, true]) {
      expect(places([null, null, null], tls)).toEqual(['balancer:7001', 'balancer:7002', 'balancer:7003']);
    }
  });

  test('are left out if a reply has none, or has no id or an empty name', () => {
    expect(endpointsFromSlots([]).size).toBe(0);
    expect(endpointsFromSlots([[0, 99, ['10.0.0.1', 7001]], 'x', [1, 2, null]]).size).toBe(0);
    expect(endpointsFromSlots([[0, 99, ['', 7001, 'aa']]]).size).toBe(0);
  });
});
