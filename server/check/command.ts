import type { Logger } from 'pino';
import { createLog } from '../cli/log.ts';
import { createShutdown, exitCodeOfSignal, type Shutdown } from '../process/shutdown.ts';
import { check } from './check.ts';
import { textOfCheck } from './check-report.ts';
import type { CheckConfig, RunConfig } from './config.ts';
import { Program } from './program.ts';
import { runWatched } from './run-command.ts';
import { openSession } from './session.ts';
import { reportUnwatched } from './unwatched.ts';

/** Runs a command for scripts. It ends the process with the exit code of its result. */
export async function runForScripts(config: CheckConfig | RunConfig): Promise<undefined> {
  const log = createLog(config.json);
  const program = new Program();
  const shutdown = createShutdown(log, (signal, ending) => {
    if (program.isRunning) program.pass(signal);
    else void ending.run(exitCodeOfSignal(signal));
  });
  try {
    await runOne(config, log, shutdown, program);
  } catch (error) {
    if (!shutdown.isEnding()) log.error(error instanceof Error ? error.message : String(error));
    await shutdown.run(1);
  }
}

function runOne(config: CheckConfig | RunConfig, log: Logger, shutdown: Shutdown, program: Program): Promise<void> {
  return config.command === 'check' ? runCheck(config, log, shutdown) : runWatched(config, log, shutdown, program);
}

/** `lockscope check`: prints what is wrong and exits. stdout carries only the result. */
async function runCheck(config: CheckConfig, log: Logger, shutdown: Shutdown): Promise<void> {
  const observatory = openSession(config, log, shutdown);
  const body = await check(observatory, config.forMs, shutdown.signal);
  if (shutdown.isEnding()) return;
  reportUnwatched(body, log);
  process.stdout.write(config.json ? `${JSON.stringify(body)}\n` : textOfCheck(body));
  await shutdown.run(body.exitCode);
}
