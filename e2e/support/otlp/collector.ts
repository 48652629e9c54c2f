import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { end, freePort } from '../servers/server-process.ts';
import { waitFor } from '../wait-for.ts';

/** The program of a Collector; README.md has the lines that build one. */
export const OTELCOL = process.env.OTELCOL || 'otelcol';

const DOCS = new URL('../../../docs/opentelemetry.md', import.meta.url);

type Config = {
  receivers: { otlp: { protocols: { http: { endpoint: string } } } };
  exporters: Record<string, object>;
  service: { pipelines: Record<string, { exporters: string[] }>; telemetry?: object };
};

/** A running Collector of OpenTelemetry. */
type Collector = {
  /** The URL at which the Collector receives OTLP over HTTP. */
  readonly url: string;
  /** What the Collector printed so far: its log, and every item that it received. */
  output(): string;
  stop(): Promise<void>;
};

/**
 * Starts a Collector on a free port with the configuration of docs/opentelemetry.md. It also passes what it receives on
 * to `next`, a receiver of OTLP over HTTP.
 */
export async function startCollector(next: string): Promise<Collector> {
  const dir = mkdtempSync(join(tmpdir(), 'lockscope-collector-'));
  const address = `127.0.0.1:${await freePort()}`;
  const file = join(dir, 'config.yaml');
  writeFileSync(file, JSON.stringify(configFor(address, next)));
  const child = spawn(OTELCOL, ['--config', file], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const stop = async () => {
    await end(child);
    rmSync(dir, { recursive: true });
  };
  try {
    await waitFor('the Collector', (missing) => isReady(child, output) || missing(output));
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: `http://${address}`, output: () => output, stop };
}

function isReady(child: ChildProcess, output: string): boolean {
  if (child.exitCode !== null) throw new Error(`the Collector ended with code ${child.exitCode}: ${output}`);
  return output.includes('Everything is ready');
}

function configFor(address: string, next: string): Config {
  const [, written = ''] = /```yaml\n(receivers:[^`]+)```/.exec(readFileSync(DOCS, 'utf8')) ?? [];
  const config = parse(written) as Config; // the example of our own document
  config.receivers.otlp.protocols.http.endpoint = address;
  config.exporters.otlp_http = { endpoint: next, compression: 'none' };
  for (const pipeline of Object.values(config.service.pipelines)) pipeline.exporters.push('otlp_http');
  config.service.telemetry = { metrics: { level: 'none' } }; // otherwise the Collector serves its own metrics on a fixed port
  return config;
}
