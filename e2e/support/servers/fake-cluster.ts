import { answerAsEmptyRedis, array, bulk, type FakeRedis, startFakeRedis } from './fake-redis.ts';

const SLOTS = 16_384;

/** A cluster of masters without keys, which are all one process: each has its own address of 127.0.0.0/8. */
type FakeCluster = {
  /** The URL of the cluster's first server. */
  readonly url: string;
  stop(): void;
};

/** Starts a cluster of this many masters, with the slots divided among them. */
export async function startFakeCluster(count: number): Promise<FakeCluster> {
  const server: FakeRedis = await startFakeRedis('0.0.0.0');
  const { port } = server;
  const shards = Array.from({ length: count }, (_, place) => ({
    id: place.toString(16).padStart(40, '0'),
    host: `127.0.${Math.floor(place / 250) + 1}.${(place % 250) + 1}`,
    first: Math.ceil((SLOTS / count) * place),
    last: Math.ceil((SLOTS / count) * (place + 1)) - 1,
  }));
  const nodesFor = (address: string | undefined) =>
    shards.map(({ id, host, first, last }, place) => {
      const flags = host === address ? 'myself,master' : 'master';
      return `${id} ${host}:${port}@${port + 1} ${flags} - 0 0 ${place + 1} connected ${first}-${last}\n`;
    });
  const slots = shards.map(({ id, host, first, last }) =>
    array([`:${first}\r\n`, `:${last}\r\n`, array([bulk(host), `:${port}\r\n`, bulk(id), '*0\r\n'])]),
  );
  server.answerWith((words, connection) => {
    if (words[0]?.toUpperCase() !== 'CLUSTER' || connection.queue) return answerAsEmptyRedis(words, connection);
    if (words[1]?.toUpperCase() === 'SLOTS') return array(slots);
    return bulk(nodesFor(connection.socket.localAddress).join(''));
  });
  return { url: `redis+cluster://${shards[0]?.host}:${port}`, stop: server.stop };
}
