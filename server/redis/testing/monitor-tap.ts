import { Redis } from 'ioredis';
import { watchArrivals } from './arrivals.ts';

/** One command as MONITOR shows it; `source` is the client's address, or `lua` for a script's own command. */
export type SeenCommand = { at: number; source: string; words: string[] };

/** Every command of a server, from the moment that `tapMonitor` resolves. For tests. */
export type MonitorTap = {
  commands: SeenCommand[];
  /** Every command up to now. MONITOR may show a command after its client has the reply, so this waits for a mark. */
  caughtUp(): Promise<SeenCommand[]>;
  /** Settles once `isThere` returns true. Rejects with everything seen if that takes longer than `withinMs`. */
  until(isThere: (commands: SeenCommand[]) => boolean, withinMs?: number): Promise<void>;
  close(): void;
};

/** Starts MONITOR on a separate connection. */
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
