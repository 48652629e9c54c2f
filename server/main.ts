#!/usr/bin/env node
import './process/small-heaps.ts';
import './process/process-title.ts';
import { runForScripts } from './check/command.ts';
import { failed } from './cli/failed.ts';
import { USAGE } from './cli/usage.ts';
import { type Config, parseConfig } from './config.ts';
import { runDoctor } from './doctor/command.ts';
import { runObserver } from './fleet/observe-command.ts';
import { runStoreWriter } from './fleet/store-command.ts';
import { VERSION } from './package-info.ts';
import { runTop } from './top/command.ts';

/**
 * Runs the command and returns its exit code; `undefined`: the page is served, or the command ends the process itself.
 */
async function run(config: Config): Promise<number | undefined> {
  switch (config.command) {
    case 'help':
      process.stdout.write(USAGE);
      return 0;
    case 'version':
      process.stdout.write(`${VERSION}\n`);
      return 0;
    case 'doctor':
      return runDoctor(config);
    case 'check':
    case 'run':
      return runForScripts(config);
    case 'top':
      return runTop(config);
    case 'fleet-observe':
      return runObserver(config);
    case 'fleet-store':
      return runStoreWriter(config);
    case 'observe':
    case 'demo':
    case 'open':
    case 'view':
      return (await import('./serve-command.ts')).serveUntilSignal(config); // an observer does not load what serves pages
  }
}

// Keep watching after the reader of a pipe has gone, as in `lockscope … | head -1`.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);
const config = parseConfig(process.argv.slice(2), process.env);
const exitCode = config.ok ? await run(config.value) : failed(config.error.message, config.error.exitCode);
if (exitCode !== undefined) process.exitCode = exitCode;
