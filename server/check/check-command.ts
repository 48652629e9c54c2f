import type { Logger } from 'pino';
import type { Shutdown } from '../process/shutdown.ts';
import { check } from './check.ts';
import { textOfCheck } from './check-report.ts';
import type { CheckConfig } from './config.ts';
import { openSession } from './session.ts';
import { reportUnwatched } from './unwatched.ts';

/** `lockscope check`: prints what is wrong and exits. stdout carries only the result. */
export async function runCheck(config: CheckConfig, log: Logger, shutdown: Shutdown): Promise<void> {
  const observatory = openSession(config, log, shutdown);
  const body = await check(observatory, config.forMs, shutdown.signal);
  if (shutdown.isEnding()) return;
  reportUnwatched(body, log);
  process.stdout.write(config.json ? `${JSON.stringify(body)}\n` : textOfCheck(body));
  await shutdown.run(body.exitCode);
}
