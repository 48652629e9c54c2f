import { describe, expect, test } from 'vitest';
import { type ClusterNode, parseClusterNodes } from './cluster-nodes.ts';
import { ClusterShards } from './cluster-shards.ts';

const ASKED = { host: '10.0.0.1', port: 7001, tls: false };

/** A view with one node a line: `id flags master epoch slots`. The port is 7000 plus the id's place in the alphabet. */
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
  test('are in order of their slots at first, with their replicas', () => {
    expect(shards(CALM)).toEqual([
      'shard-1 A ◀ 10.0.0.1:7004',
      'shard-2 B ◀ 10.0.0.1:7005',
      'shard-3 C ◀ 10.0.0.1:7006',
    ]);
  });

  test('continue with the replica that took over, and with the old master after it is back', () => {
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

  test('a stale view of a server that was cut off is ignored', () => {
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

  test('the shard of a failed master is kept if no replica takes over', () => {
    const known = new ClusterShards();
    shards(CALM, known);
    expect(shards(CALM.replace('B master', 'B master,fail'), known)).toHaveLength(3);
  });

  test('a master that was given slots is a new shard; a shard whose master lost all slots has ended', () => {
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

  test('a master that lost its last slot and became a replica is no longer a shard', () => {
    const known = new ClusterShards();
    shards(`${CALM}\n G master - 4 0-99`.replace('0-5460', '100-5460'), known);
    const after = shards(`${CALM.replace('A myself,master - 1', 'A myself,master - 5')}\n G slave A 5`, known);
    expect(after.map((line) => line.split(' ')[0])).toEqual(['shard-2', 'shard-3', 'shard-4']);
  });

  describe('in views during a failover', () => {
    const OTHERS = `
      B master - 2 5461-10922
      C master - 3 10923-16383
      E slave B 2
      F slave C 3`;
    const BEFORE = `A master - 1 0-5460
      D slave A 1 ${OTHERS}`;
    const AFTER = `A slave D 7
      D master - 7 0-5460 ${OTHERS}`;
    const reported = (text: string, by: string) =>
      text.replace(new RegExp(`\\b${by} (?=master|slave)`), `${by} myself,`);

    /** C learned the new epoch from a message of A, and the rest in different orders. */
    const PARTLY_LEARNED = [
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

    test.each(PARTLY_LEARNED)('no shard is new, no shard has ended, and the failover is not undone: %s', (half) => {
      const known = new ClusterShards();
      shards(BEFORE, known);
      expect(shards(reported(AFTER, 'D'), known)[0]).toMatch(/^shard-1 D/);
      const seen = shards(reported(half, 'C'), known);
      expect(seen.map((line) => line.slice(0, 9))).toEqual(['shard-1 D', 'shard-2 B', 'shard-3 C']);
      expect(shards(reported(AFTER, 'C'), known)[0]).toBe('shard-1 D ◀ 10.0.0.1:7001');
    });

    test.each(PARTLY_LEARNED)('a wrong first report does not delay the true one: %s', (half) => {
      const known = new ClusterShards();
      shards(BEFORE, known);
      expect(shards(reported(half, 'C'), known)).toHaveLength(3);
      const after = shards(reported(AFTER, 'B'), known);
      expect(after.map((line) => line.slice(0, 9))).toEqual(['shard-1 D', 'shard-2 B', 'shard-3 C']);
    });

    test('a wrong first view is corrected by the view of one of the two servers', () => {
      for (const by of ['A', 'D']) {
        const known = new ClusterShards();
        expect(shards(reported(PARTLY_LEARNED[0] ?? '', 'C'), known)[0]).toMatch(/^shard-1 A/);
        expect(shards(reported(AFTER, 'B'), known)[0]).toMatch(/^shard-1 A/);
        expect(shards(reported(AFTER, by), known)[0]).toMatch(/^shard-1 D/);
        expect(shards(reported(PARTLY_LEARNED[0] ?? '', 'C'), known)[0]).toMatch(/^shard-1 D/);
      }
    });
  });

  test('a replica of an unknown master continues the shard whose slots it serves', () => {
    const known = new ClusterShards();
    shards(CALM.replace('D slave A 1', 'D slave - 0'), known);
    const after = `A master,fail - 1
      B master - 2 5461-10922
      C master - 3 10923-16383
      D myself,master - 4 0-5460`;
    expect(shards(after, known)[0]).toBe('shard-1 D ◀ ');
    expect(shards(after, known)).toHaveLength(3);
  });

  test('a server that has just joined knows few others: shards missing from its view are kept', () => {
    const known = new ClusterShards();
    shards(CALM, known);
    const few = `G myself,master - 0
      C master - 3 10923-16383`;
    expect(shards(few, known)).toHaveLength(3);
    expect(shards('G myself,master - 0', known)).toHaveLength(3);
  });

  test('slots that move back have a newer epoch, so a view from before the move is stale', () => {
    const known = new ClusterShards();
    const withSlotMoved = `${CALM.replace('0-5460', '0-98 100-5460')}\n G master - 7 99`;
    shards(CALM, known);
    expect(shards(withSlotMoved, known)).toHaveLength(4);
    const seenByG = CALM.replace('myself,', ''); // G gave the slot away and does not know A's epoch yet
    expect(shards(`${seenByG}\n G myself,slave A 1`, known)).toHaveLength(4);
    const back = CALM.replace('- 1 ', '- 8 ').replace('A 1', 'A 8');
    expect(shards(`${back}\n G slave A 8`, known)).toHaveLength(3);
    expect(shards(withSlotMoved, known)).toHaveLength(3);
    expect(shards(`${back}\n G slave A 8`, known)).toHaveLength(3);
  });

  test('a shard keeps the slots that no newer master has taken', () => {
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

  test('a replica that changed its master belongs to its new shard', () => {
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

test('for a view of 1,000 masters, slots are read fewer than 50 times a master, not once for each pair', () => {
  const count = 1000;
  let looks = 0;
  const first = (place: number) => Math.ceil((16_384 / count) * place);
  const nodes = Array.from({ length: count }, (_, place): ClusterNode => {
    const slots = [[first(place), first(place + 1) - 1]] as const;
    const about = { isMaster: true, isMyself: place === 0, isFailed: false, masterId: null, epoch: place + 1 };
    return {
      ...{ id: `node-${place}`, host: '127.0.0.1', port: place + 1, ...about },
      get slots() {
        looks++;
        return slots;
      },
    };
  });
  const shards = new ClusterShards();
  for (let n = 0; n < 20; n++) {
    looks = 0;
    expect(shards.take(nodes)).toHaveLength(count);
    // Sorting looks at each master about 20 times. Comparing each pair would be a million looks.
    expect(looks).toBeLessThan(50 * count);
  }
});
