import { describe, expect, test } from 'vitest';
import { parseClusterNodes } from './cluster-nodes.ts';
import { ClusterShards } from './cluster-shards.ts';

const ASKED = { host: '10.0.0.1', port: 7001, tls: false };

/** A view, a node a line: `id flags master epoch slots`; the port is 7000 and the id's place in the alphabet. */
function view(text: string) {
  const lines = text
    .trim()
    .split('\n')
    .map((line) => {
      const [id = '', flags = '', master = '-', epoch = '0', ...slots] = line.trim().split(/\s+/);
      const port = 7000 + id.charCodeAt(0) - 64;
      return `${id} 10.0.0.1:${port}@1${port} ${flags} ${master} 0 0 ${epoch} connected ${slots.join(' ')}`;
    });
  return parseClusterNodes(lines.join('\n'), ASKED);
}

const CALM = `
  A myself,master - 1 0-5460
  B master - 2 5461-10922
  C master - 3 10923-16383
  D slave A 1
  E slave B 2
  F slave C 3
`;

function shards(text: string, to = new ClusterShards()) {
  return to.take(view(text)).map(({ key, master, replicas }) => `${key} ${master.id} ◀ ${replicas.join(' ')}`);
}

describe('shards', () => {
  test('are in order of their slots at first, with their copies', () => {
    expect(shards(CALM)).toEqual([
      'shard-1 A ◀ 10.0.0.1:7004',
      'shard-2 B ◀ 10.0.0.1:7005',
      'shard-3 C ◀ 10.0.0.1:7006',
    ]);
  });

  test('go on with the copy that took over, and back', () => {
    const known = new ClusterShards();
    shards(CALM, known);
    const failed = shards(
      `A master,fail - 1
       B master - 2 5461-10922
       C master - 3 10923-16383
       D master - 4 0-5460
       E slave B 2`,
      known,
    );
    expect(failed[0]).toBe('shard-1 D ◀ ');
    const back = shards(
      `A slave D 4
       B master - 2 5461-10922
       C master - 3 10923-16383
       D master - 4 0-5460`,
      known,
    );
    expect(back[0]).toBe('shard-1 D ◀ 10.0.0.1:7001');
    const again = shards(
      `A master - 5 0-5460
       B master - 2 5461-10922
       C master - 3 10923-16383
       D slave A 5`,
      known,
    );
    expect(again[0]).toBe('shard-1 A ◀ 10.0.0.1:7004');
    expect(again).toHaveLength(3);
  });

  test('a view of old, by a server that was cut off, changes nothing back', () => {
    const known = new ClusterShards();
    shards(CALM, known);
    const now = `
      A master,fail - 1
      B master - 2 5461-10922
      C master - 3 10923-16383
      D master - 4 0-5460`;
    shards(now, known);
    expect(shards(CALM, known)[0]).toBe('shard-1 D ◀ ');
    expect(shards(CALM, known)).toHaveLength(3);
  });

  test('a failed master without anybody to take over is still the master', () => {
    const known = new ClusterShards();
    shards(CALM, known);
    expect(shards(CALM.replace('B master', 'B master,fail'), known)).toHaveLength(3);
  });

  test('a master that was given slots is a new shard; one without slots has ended', () => {
    const known = new ClusterShards();
    shards(CALM, known);
    const grown = shards(`${CALM}\n G master - 4 0-99`.replace('0-5460', '100-5460'), known);
    expect(grown.at(-1)).toBe('shard-4 G ◀ ');
    const shrunk = shards(
      `A master - 1
       B master - 2 5461-10922
       C master - 3 10923-16383
       G master - 5 0-5460`,
      known,
    );
    expect(shrunk.map((line) => line.split(' ')[0])).toEqual(['shard-2', 'shard-3', 'shard-4']);
  });

  test('who lost its last slot and copies who took it is no shard any more', () => {
    const known = new ClusterShards();
    shards(`${CALM}\n G master - 4 0-99`.replace('0-5460', '100-5460'), known);
    const after = shards(`${CALM.replace('A myself,master - 1', 'A myself,master - 5')}\n G slave A 5`, known);
    expect(after.map((line) => line.split(' ')[0])).toEqual(['shard-2', 'shard-3', 'shard-4']);
  });

  describe('in views of a failover under way', () => {
    const OTHERS = `
      B master - 2 5461-10922
      C master - 3 10923-16383
      E slave B 2
      F slave C 3`;
    const BEFORE = `A master - 1 0-5460
      D slave A 1 ${OTHERS}`;
    const AFTER = `A slave D 7
      D master - 7 0-5460 ${OTHERS}`;
    const told = (text: string, by: string) => text.replace(new RegExp(`\\b${by} (?=master|slave)`), `${by} myself,`);

    /** C heard of the new epoch with a message of A, and of the rest in one order or the other. */
    const HALF_HEARD = [
      `A master - 7 0-5460
       D slave A 7 ${OTHERS}`,
      `A master - 7 0-5460
       D master - 7 ${OTHERS}`,
      `A slave D 7
       D master - 7 ${OTHERS}`,
      `A slave D 7
       D slave A 7 ${OTHERS}`,
      `A master - 1
       D master - 7 ${OTHERS}`,
    ];

    test.each(HALF_HEARD)('none is a new shard, none has ended, and it never goes back: %s', (half) => {
      const known = new ClusterShards();
      shards(BEFORE, known);
      expect(shards(told(AFTER, 'D'), known)[0]).toMatch(/^shard-1 D/);
      const seen = shards(told(half, 'C'), known);
      expect(seen.map((line) => line.slice(0, 9))).toEqual(['shard-1 D', 'shard-2 B', 'shard-3 C']);
      expect(shards(told(AFTER, 'C'), known)[0]).toBe('shard-1 D ◀ 10.0.0.1:7001');
    });

    test.each(HALF_HEARD)('the first that anybody tells of it does not hold up the truth: %s', (half) => {
      const known = new ClusterShards();
      shards(BEFORE, known);
      expect(shards(told(half, 'C'), known)).toHaveLength(3);
      const after = shards(told(AFTER, 'B'), known);
      expect(after.map((line) => line.slice(0, 9))).toEqual(['shard-1 D', 'shard-2 B', 'shard-3 C']);
    });

    test('who came while it was told wrong hears it from the two themselves', () => {
      for (const by of ['A', 'D']) {
        const known = new ClusterShards();
        expect(shards(told(HALF_HEARD[0] ?? '', 'C'), known)[0]).toMatch(/^shard-1 A/);
        expect(shards(told(AFTER, 'B'), known)[0]).toMatch(/^shard-1 A/);
        expect(shards(told(AFTER, by), known)[0]).toMatch(/^shard-1 D/);
        expect(shards(told(HALF_HEARD[0] ?? '', 'C'), known)[0]).toMatch(/^shard-1 D/);
      }
    });
  });

  test('a copy that nobody told of before goes on with the shard whose slots it serves', () => {
    const known = new ClusterShards();
    shards(CALM.replace('D slave A 1', 'D slave - 0'), known);
    const after = `A master,fail - 1
      B master - 2 5461-10922
      C master - 3 10923-16383
      D myself,master - 4 0-5460`;
    expect(shards(after, known)[0]).toBe('shard-1 D ◀ ');
    expect(shards(after, known)).toHaveLength(3);
  });

  test('a server that has just joined knows few others: those are still there', () => {
    const known = new ClusterShards();
    shards(CALM, known);
    const few = `G myself,master - 0
      C master - 3 10923-16383`;
    expect(shards(few, known)).toHaveLength(3);
    expect(shards('G myself,master - 0', known)).toHaveLength(3);
  });

  test('slots that came back come with a newer epoch: a view from between is of old', () => {
    const known = new ClusterShards();
    const lent = `${CALM.replace('0-5460', '0-98 100-5460')}\n G master - 7 99`;
    shards(CALM, known);
    expect(shards(lent, known)).toHaveLength(4);
    const byG = CALM.replace('myself,', ''); // G gave the slot away and does not know A's epoch yet
    expect(shards(`${byG}\n G myself,slave A 1`, known)).toHaveLength(4);
    const back = CALM.replace('- 1 ', '- 8 ').replace('A 1', 'A 8');
    expect(shards(`${back}\n G slave A 8`, known)).toHaveLength(3);
    expect(shards(lent, known)).toHaveLength(3);
    expect(shards(`${back}\n G slave A 8`, known)).toHaveLength(3);
  });

  test('a shard serves what no newer master took from it', () => {
    const known = new ClusterShards();
    const slotsOf = (text: string) => known.take(view(text)).map(({ key, slots }) => [key, slots]);
    slotsOf(CALM);
    expect(slotsOf('G myself,master - 4 100-199 5461-10922')).toEqual([
      [
        'shard-1',
        [
          [0, 99],
          [200, 5460],
        ],
      ],
      [
        'shard-2',
        [
          [100, 199],
          [5461, 10922],
        ],
      ],
      ['shard-3', [[10923, 16383]]],
    ]);
  });

  test('a copy that changed its master belongs to its new shard', () => {
    const known = new ClusterShards();
    shards(CALM, known);
    shards(CALM.replace('D slave A', 'D slave B'), known);
    const after = shards(
      `A master - 1 0-5460
       B master,fail - 2
       C master - 3 10923-16383
       D master - 4 5461-10922`,
      known,
    );
    expect(after[1]).toBe('shard-2 D ◀ ');
    expect(after).toHaveLength(3);
  });
});
