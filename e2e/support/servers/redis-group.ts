import { patientClient } from '../lockscope/patient-client.ts';
import { waitFor } from '../wait-for.ts';
import { openHost } from './server-host.ts';

/** One server of a cluster or of a Sentinel group. */
export type Member = {
  readonly port: number;
  /** `127.0.0.1:port`. */
  readonly node: string;
  command(...words: string[]): Promise<unknown>;
  /** Ends the server immediately, like a crash. */
  kill(): Promise<void>;
  /** Starts the server again after a crash: the same port, the same settings. */
  comeBack(): Promise<void>;
  /** Stops the process until `thaw`. Its connections stay open. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
};

export type Cluster = {
  /** The masters at the start. After a failover, `shardsOf` returns the roles. */
  readonly masters: readonly Member[];
  /** At the start, the replica of the master at the same index. */
  readonly replicas: readonly Member[];
  readonly url: string;
  /** The master that serves this key now. */
  memberOf(key: string): Promise<Member>;
  /** Adds an empty master to the cluster. */
  join(): Promise<Member>;
  stop(): Promise<void>;
};

export type SentinelTrio = {
  /** The master at the start. After a failover, `rolesOf` returns the roles. */
  readonly master: Member;
  readonly replica: Member;
  readonly sentinels: readonly Member[];
  readonly url: string;
  /** The name that the Sentinels give the master. */
  readonly name: string;
  /** From now on, a master that is silent for 1 s has failed. Before, it may be silent for 60 s, for a busy machine. */
  expectFailure(): Promise<void>;
  /** From now on, a master may be silent for 60 s again. */
  expectNoFailure(): Promise<void>;
  stop(): Promise<void>;
};

/** How many servers may join a cluster. */
const JOINING = 1;
const SLOTS = 16_384;
/** After this time of silence, the other servers agree that a server has failed. */
const FAILED_AFTER_MS = 1000;
const SILENT_AT_MOST_MS = 60_000;

export async function isMaster({ command }: Pick<Member, 'command'>): Promise<boolean> {
  const role = await command('ROLE');
  return Array.isArray(role) && role[0] === 'master';
}

/** Starts `count` masters, each with a replica, and waits until the cluster is complete. */
export async function startCluster(count = 3): Promise<Cluster> {
  const group = await openGroup(2 * count + JOINING);
  const start = () => group.start((port) => [...CLUSTER_SETTINGS, '--cluster-config-file', `nodes-${port}.conf`]);
  try {
    const members = await Promise.all(Array.from({ length: 2 * count }, start));
    const [masters, replicas] = [members.slice(0, count), members.slice(count)];
    const [first] = masters;
    if (!first) throw new Error('a cluster of none');
    await Promise.all(masters.map((master, place) => master.command('CLUSTER', 'ADDSLOTS', ...slotsOf(place, count))));
    await Promise.all(members.map((each, place) => each.command('CLUSTER', 'SET-CONFIG-EPOCH', String(place + 1))));
    for (const each of members.slice(1)) await first.command('CLUSTER', 'MEET', '127.0.0.1', String(each.port));
    await untilAllKnow(members, members.length);
    for (const [place, replica] of replicas.entries()) {
      const master = masters[place];
      if (master) await replica.command('CLUSTER', 'REPLICATE', String(await master.command('CLUSTER', 'MYID')));
    }
    await waitFor('the cluster to be whole', async (missing) => {
      const infos = await Promise.all(members.map(async (each) => String(await each.command('CLUSTER', 'INFO'))));
      const links = await Promise.all(replicas.map(async (each) => String(await each.command('INFO', 'replication'))));
      const nodes = await Promise.all(members.map(async (each) => String(await each.command('CLUSTER', 'NODES'))));
      const areReplicasKnown = nodes.every((text) => text.match(/ (myself,)?slave(,nofailover)? /g)?.length === count);
      const isWhole =
        infos.every((text) => text.includes('cluster_state:ok')) &&
        links.every((text) => text.includes('master_link_status:up')) &&
        areReplicasKnown;
      return isWhole || missing([...infos, ...links, ...nodes].join('\n'));
    });
    const all = [...members];
    return {
      masters,
      replicas,
      url: `redis+cluster://${masters.map(({ node }) => node).join(',')}`,
      async memberOf(key) {
        return waitFor(`somebody to serve ${key}`, async () => {
          for (const each of all) {
            const reply = await each.command('EXISTS', key).catch((error: unknown) => error);
            if (!(reply instanceof Error) && (await isMaster(each))) return each;
          }
          return undefined;
        });
      },
      async join() {
        const member = await start();
        await first.command('CLUSTER', 'MEET', '127.0.0.1', String(member.port));
        all.push(member);
        await untilAllKnow([member], all.length);
        await waitFor('the new master to be one of them', async () =>
          String(await member.command('CLUSTER', 'INFO')).includes('cluster_state:ok'),
        );
        return member;
      },
      stop: group.stop,
    };
  } catch (error) {
    await group.stop();
    throw error;
  }
}

/** Starts a master with a replica, and three Sentinels that watch them. */
export async function startSentinelTrio(name = 'mymaster'): Promise<SentinelTrio> {
  const group = await openGroup(5);
  try {
    const master = await group.start(() => []);
    const replica = await group.start(() => ['--replicaof', '127.0.0.1', String(master.port)]);
    await waitFor('the copy to be whole', async () =>
      String(await replica.command('INFO', 'replication')).includes('master_link_status:up'),
    );
    const config = [
      `sentinel monitor ${name} 127.0.0.1 ${master.port} 2`,
      `sentinel down-after-milliseconds ${name} ${SILENT_AT_MOST_MS}`,
      `sentinel failover-timeout ${name} 5000`,
    ];
    const sentinels = await Promise.all([1, 2, 3].map(() => group.startSentinel(config)));
    await waitFor('the Sentinels to know each other and the copy', async (missing) => {
      const rows = await Promise.all(sentinels.map((each) => each.command('SENTINEL', 'MASTER', name)));
      const text = JSON.stringify(rows).replaceAll('":"', '","'); // a list, or a map
      const count = (field: string) => text.split(field).length - 1;
      return (count('"num-other-sentinels","2"') === 3 && count('"num-slaves","1"') === 3) || missing(text);
    });
    const url = `redis+sentinel://${sentinels.map(({ node }) => node).join(',')}/${name}`;
    const failsAfter = async (ms: number) => {
      const words = ['SENTINEL', 'SET', name, 'down-after-milliseconds', String(ms)];
      await Promise.all(sentinels.map((each) => each.command(...words)));
    };
    return {
      master,
      replica,
      sentinels,
      url,
      name,
      expectFailure: () => failsAfter(FAILED_AFTER_MS),
      expectNoFailure: () => failsAfter(SILENT_AT_MOST_MS),
      stop: group.stop,
    };
  } catch (error) {
    await group.stop();
    throw error;
  }
}

/** On a busy machine any server may seem to have failed, so replicas take over only when a test asks them to. */
const CLUSTER_SETTINGS = [
  ...['--cluster-replica-no-failover', 'yes', '--cluster-migration-barrier', '100'],
  ...['--cluster-enabled', 'yes', '--cluster-node-timeout', String(FAILED_AFTER_MS)],
  ...['--cluster-replica-validity-factor', '0'],
];

function slotsOf(place: number, count: number): string[] {
  const from = Math.ceil((SLOTS / count) * place);
  const to = Math.ceil((SLOTS / count) * (place + 1));
  return Array.from({ length: to - from }, (_, index) => String(from + index));
}

async function untilAllKnow(members: readonly Member[], count: number): Promise<void> {
  await waitFor('the servers to know each other', async () => {
    const infos = await Promise.all(members.map(async (each) => String(await each.command('CLUSTER', 'INFO'))));
    return infos.every((text) => text.includes(`cluster_known_nodes:${count}`));
  });
}

/** Opens a host for up to `count` servers, which are stopped together. */
async function openGroup(count: number) {
  const host = await openHost(count);
  const clients: { destroy(): void }[] = [];
  let sentinels = 0;

  async function launch(argsAt: (port: number) => readonly string[]): Promise<Member> {
    const { port, crash, comeBack, freeze, thaw } = await host.start(argsAt);
    const client = patientClient({ socket: { host: '127.0.0.1', port, reconnectStrategy: () => 50 } });
    client.on('error', () => undefined);
    await client.connect();
    clients.push(client);
    return {
      port,
      node: `127.0.0.1:${port}`,
      command: (...words) => client.sendCommand(words),
      kill: crash,
      comeBack: () => comeBack(),
      freeze,
      thaw,
    };
  }

  return {
    start: (settingsAt: (port: number) => readonly string[]): Promise<Member> =>
      launch((port) => ['--port', String(port), ...NO_PERSISTENCE, ...settingsAt(port)]),
    async startSentinel(config: readonly string[]): Promise<Member> {
      const name = `sentinel-${++sentinels}.conf`;
      const file = await host.writeFile(name, [...config, ''].join('\n'));
      return launch((port) => [file, '--sentinel', '--port', String(port)]);
    },
    async stop(): Promise<void> {
      for (const client of clients) client.destroy();
      await host.close();
    },
  };
}

const NO_PERSISTENCE = ['--save', '', '--appendonly', 'no', '--repl-diskless-sync-delay', '0'];
