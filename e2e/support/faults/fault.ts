import type { DemoProcess } from '../lockscope/demo-process.ts';
import type { Chance } from '../random/seeded.ts';
import type { CuttingProxy } from '../servers/cutting-proxy.ts';
import type { RunningRedis } from '../servers/redis.ts';

/** Everything that a fault may hit. Lockscope and the applications reach Redis through a proxy each. */
export type FaultTargets = {
  readonly redis: RunningRedis;
  readonly watching: CuttingProxy;
  readonly applications: CuttingProxy;
  /** The process id of Lockscope. */
  readonly lockscope: number;
  /** The clients that run now. */
  readonly clients: readonly DemoProcess[];
};

/** One fault that happened; times in µs of the machine's clock. */
export type Strike = {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** Set if Lockscope certainly lost a connection by which it observes. If absent, it may have lost one. */
  readonly blind?: Blindness;
  /**
   * The applications lost connections, or the server lost data: the answers that they got differ from what happened.
   */
  readonly confuses: boolean;
  /** Redis refused commands meanwhile. */
  readonly isRefusing: boolean;
  /** What Redis sent to Lockscope during the fault may have arrived only at its end. */
  readonly delays?: boolean;
};

/** How soon Lockscope can know that it lost a connection: at once, or when an answer has been missing for too long. */
type Blindness = 'cut' | 'silence';

/** One kind of fault. */
export type Fault<On> = {
  readonly name: string;
  readonly blind?: Blindness;
  readonly confuses?: boolean;
  readonly isRefusing?: boolean;
  readonly delays?: boolean;
  /** Strikes, and afterwards repairs what it broke. */
  strike(targets: On, chance: Chance): Promise<void>;
};

/** Strikes with one of these faults, chosen by chance. Returns what struck, and when. */
export async function strike<On>(faults: readonly Fault<On>[], targets: On, chance: Chance): Promise<Strike> {
  const { name, blind, confuses = false, isRefusing = false, delays = false, strike: happen } = chance.oneOf(faults);
  const from = Date.now() * 1000;
  await happen(targets, chance);
  return { name, ...(blind ? { blind } : {}), confuses, isRefusing, delays, from, to: Date.now() * 1000 };
}

/** Leads all clients to the server at this port. Closes their open connections, so that they connect again. */
export function redirect(proxy: CuttingProxy, port: number): void {
  proxy.leadTo(port);
  proxy.shut();
  proxy.open();
}

/** Kills one connection whose row in CLIENT LIST passes the test, if there is one. */
export async function killClient(
  { command }: Pick<RunningRedis, 'command'>,
  chance: Chance,
  isCandidate: (line: string) => boolean,
): Promise<void> {
  const lines = String(await command('CLIENT', 'LIST')).split('\n');
  const ids = lines.filter(isCandidate).map((line) => /^id=(\d+)/.exec(line)?.[1] ?? '');
  if (ids.length > 0) await command('CLIENT', 'KILL', 'ID', chance.oneOf(ids));
}
