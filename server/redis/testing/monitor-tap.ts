import { Redis } from 'ioredis';

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
  let check = () => undefined as undefined;
  monitor.on('monitor', (time: string, words: string[], source: string) => {
    commands.push({ at: Number(time), source, words });
    check();
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
    until(isThere, withinMs = 15_000) {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          const seen = commands.map((one) => `${one.source} ${one.words.join(' ')}`).join('\n');
          reject(new Error(`not seen within ${withinMs} ms; seen:\n${seen}`));
        }, withinMs);
        check = () => {
          if (!isThere(commands)) return;
          clearTimeout(timer);
          resolve();
        };
        check();
      });
    },
    close() {
      monitor.disconnect();
      redis.disconnect();
    },
  };
  return tap;
}
