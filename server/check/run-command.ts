import { mkdirSync, openSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Logger } from 'pino';
import type { Shutdown } from '../process/shutdown.ts';
import { RecordFiles } from '../recordings/record-files.ts';
import type { Observatory } from '../watch/observatory.ts';
import type { RunConfig } from './config.ts';
import type { Program } from './program.ts';
import { watchRun } from './run.ts';
import { junitOfRun, runReportFrom, textOfRun } from './run-report.ts';
import { openSession, readLocks } from './session.ts';
import { reportUnwatched } from './unwatched.ts';

/**
 * `lockscope run`: runs a program, then reports what it did to locks. Exits with the program's exit code; if that is 0,
 * with 4 for faults, or 1 if something was not watched or not checked. stdout belongs to the program, so the report
 * goes to stderr.
 */
export async function runWatched(config: RunConfig, log: Logger, shutdown: Shutdown, program: Program): Promise<void> {
  const writeJunit = openJunit(config.junit);
  const observatory = openSession(
    config,
    log,
    shutdown,
    config.record === undefined ? undefined : new RecordFiles(config.record),
  );
  shutdown.add(async () => program.pass('SIGTERM'));
  const { signal } = shutdown;
  const parts = { program, command: config.program, readLocks: () => readLocks(config, log, signal) };
  const result = await watchRun(observatory, parts, signal);
  if (shutdown.isEnding()) return;
  if (!('report' in result)) {
    if (result.problem === undefined) reportUnwatched({ sources: observatory.sources() }, log);
    else log.error(result.problem);
    return shutdown.run(result.exitCode);
  }
  const report = runReportFrom(result, config.allow);
  reportRecorders(observatory, log);
  reportUnwatched(report, log);
  writeJunit(junitOfRun(report));
  process.stderr.write(config.json ? `${JSON.stringify(report)}\n` : textOfRun(report));
  await shutdown.run(report.exitCode);
}

/**
 * Opens the JUnit file, with its folder, before the program runs, so that a wrong name is noticed at once. Throws if it
 * cannot be written.
 */
function openJunit(path: string | undefined): (xml: string) => void {
  if (path === undefined) return () => undefined;
  try {
    mkdirSync(dirname(path), { recursive: true });
    const file = openSync(path, 'w');
    return (xml) => writeFileSync(file, xml);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException; // what openSync throws
    throw new Error(`--junit ${path}: this file cannot be written (${code}). Name another one.`);
  }
}

/** Warns about recordings that could not be written. */
function reportRecorders(observatory: Observatory, log: Logger): void {
  for (const { recorder } of observatory.sources()) {
    if (recorder?.problem) log.warn(`${recorder.problem.message} ${recorder.problem.hint}`);
  }
}
