import { Redis } from 'ioredis';
import { watchArrivals } from './arrivals.ts';

/** One command as MONITOR shows it; `source` is the client's address, or `lua` for a script's own command. */
export type SeenCommand = { at: number; source: string; words: string[] };

/** A second pair of eyes for tests: every command of a server, from the moment it resolves. */
export type MonitorTap = {
  commands: SeenCommand[];
  /** Every command up to now: MONITOR tells of a command after its client had the reply, so it is waited for. */
  caughtUp(): Promise<SeenCommand[]>;
  /** Settles once `isThere` holds; rejects with everything seen when it does not within `withinMs`. */
  until(isThere: (commands: SeenCommand[]) => boolean, withinMs?: number): Promise<void>;
  close(): void;
};

/** Starts MONITOR on a connection of its own. */
export async function tapMonitor(url: string): Promise<MonitorTap> {
  const redis = new Redis(url, { protocol: 2, disableClientInfo: true });
  const monitor = await redis.monitor();
  const commands: SeenCommand[] = [];
  const inWords = ({ source, words }: SeenCommand) => `${source} ${words.join(' ')}`;
  const arrivals = watchArrivals(() => commands.map(inWords).join('\n'));
  monitor.on('monitor', (time: string, words: string[], source: string) => {
    commands.push({ at: Number(time), source, words });
    arrivals.check();
  });
  let marks = 0;
  const tap: MonitorTap = {
    commands,
    async caughtUp() {
      const mark = `caught up ${++marks}`;
      await redis.echo(mark);
      const isMark = ({ words }: SeenCommand) => words[1] === mark;
      await tap.until((seen) => seen.some(isMark));
      return commands.slice(0, commands.findIndex(isMark));
    },
    until: (isThere, withinMs) => arrivals.until(() => isThere(commands), withinMs),
    close() {
      monitor.disconnect();
      redis.disconnect();
    },
  };
  return tap;
}
