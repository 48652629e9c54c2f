import { openSession } from '../check/session.ts';
import { createLog } from '../cli/log.ts';
import { createShutdown, type Shutdown } from '../process/shutdown.ts';
import type { TopConfig } from './config.ts';
import { Looker } from './look.ts';
import { type Ends, showLines } from './show-lines.ts';
import { showScreen } from './show-screen.ts';
import { Notices } from './terminal/notices.ts';
import { abilitiesOf, canDraw, Terminal } from './terminal/terminal.ts';

/**
 * `lockscope top`: shows locks and verdicts in the terminal, until the user quits or the time is over. If stdout is not
 * a terminal, or with `--json`, it writes a line for each change instead. It ends the process.
 */
export async function runTop(config: TopConfig): Promise<undefined> {
  const notices = new Notices();
  const isScreen = !config.json && canDraw(process.stdout, process.env);
  let isDrawn = false;
  // A line of the log would destroy a screen that is drawn on the same terminal.
  const log = createLog(config.json, (text) => {
    if (isDrawn && process.stderr.isTTY) notices.take(text, performance.now());
    else process.stderr.write(text);
  });
  const shutdown = createShutdown(log);
  try {
    const observatory = openSession(config, log, shutdown);
    const looker = new Looker(observatory);
    const ends = endsOf(config, shutdown);
    await observatory.start();
    if (isScreen) {
      const terminal = new Terminal(process.stdin, process.stdout, abilitiesOf(process.stdout, process.env));
      isDrawn = true;
      shutdown.add(async () => {
        terminal.close();
        isDrawn = false;
        process.stderr.write(notices.takeAll());
      });
      await untilAborted(showScreen({ looker, terminal, notices }, ends.any), ends.any);
    } else {
      process.stdout.on('error', () => void shutdown.run(0)); // the reader of the pipe has gone
      const write = (text: string) => void process.stdout.write(text);
      await untilAborted(showLines({ looker, observatory, isJson: config.json, write }, ends), ends.now);
    }
    const hasFailed = config.forMs !== undefined && !looker.hasWatched;
    if (hasFailed) log.error('No server could be watched in this time.');
    await shutdown.run(hasFailed ? 1 : 0);
  } catch (error) {
    if (shutdown.isEnding()) return;
    log.error(error instanceof Error ? error.message : String(error));
    await shutdown.run(1);
  }
}

/** Settles as `shown` does, but resolves if `shown` rejects after the signal has aborted. */
async function untilAborted(shown: Promise<void>, signal: AbortSignal): Promise<void> {
  await shown.catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

/** `now` aborts when the process begins to end, `timeOver` when the time of `--for` is over. */
function endsOf({ forMs }: TopConfig, { signal: now }: Shutdown): Ends {
  const time = new AbortController();
  if (forMs !== undefined) setTimeout(() => time.abort(), forMs);
  return { now, timeOver: time.signal, any: AbortSignal.any([now, time.signal]) };
}
