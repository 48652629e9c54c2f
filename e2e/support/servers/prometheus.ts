import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '../wait-for.ts';
import { end } from './server-process.ts';

/** Whether a program is installed, for example `promtool`. */
export function hasProgram(name: string): boolean {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** One series of an answer: its labels, and its value now. */
type QueryResult = {
  readonly metric: Record<string, string>;
  readonly value: readonly [at: number, value: string];
};

/** A Prometheus that scrapes one target every second, with the alerts of this project. */
export type RunningPrometheus = {
  /** The result of an expression now. Throws if Prometheus refuses the expression. */
  query(expression: string): Promise<readonly QueryResult[]>;
  /** The `data` of an answer of its API. Throws if the answer is an error. */
  api(path: string): Promise<unknown>;
  stop(): Promise<void>;
};

/** Starts Prometheus on a free port. `rules`: the file with the alerts; `token`: what the target requires. */
export async function startPrometheus(target: string, rules: string, token?: string): Promise<RunningPrometheus> {
  const dir = mkdtempSync(join(tmpdir(), 'lockscope-prometheus-'));
  copyFileSync(rules, join(dir, 'rules.yml'));
  writeFileSync(join(dir, 'prometheus.yml'), configOf(target, token));
  const flags = ['--web.listen-address=127.0.0.1:0', '--enable-feature=exemplar-storage', '--log.level=info'];
  const files = [`--config.file=${join(dir, 'prometheus.yml')}`, `--storage.tsdb.path=${join(dir, 'data')}`];
  const child = spawn('prometheus', [...flags, ...files], { stdio: ['ignore', 'ignore', 'pipe'] });
  try {
    const url = await addressOf(child);
    const api = async (path: string): Promise<unknown> => {
      const answer = await fetch(`${url}/api/v1/${path}`);
      const body = (await answer.json()) as { status: string; data: unknown; error?: string }; // the form of every answer
      if (body.status !== 'success') throw new Error(`Prometheus: ${path}: ${body.error}`);
      return body.data;
    };
    await waitFor('Prometheus', () =>
      api('status/buildinfo').then(
        () => true,
        () => false,
      ),
    );
    return {
      api,
      async query(expression) {
        const found = (await api(`query?query=${encodeURIComponent(expression)}`)) as { result: QueryResult[] }; // the result of a query is a vector
        return found.result;
      },
      async stop() {
        await end(child);
        rmSync(dir, { recursive: true });
      },
    };
  } catch (error) {
    await end(child, 'SIGKILL');
    rmSync(dir, { recursive: true });
    throw error;
  }
}

/** Waits for the line that names the port. */
async function addressOf(child: ChildProcess): Promise<string> {
  let output = '';
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const address = await waitFor('the port of Prometheus', () => {
    if (child.exitCode !== null) throw new Error(`Prometheus ended with code ${child.exitCode}: ${output}`);
    return /"Listening on" address=(127\.0\.0\.1:[1-9]\d*)/.exec(output)?.[1];
  });
  return `http://${address}`;
}

function configOf(target: string, token: string | undefined): string {
  return JSON.stringify({
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: ['rules.yml'],
    scrape_configs: [
      {
        job_name: 'lockscope',
        static_configs: [{ targets: [target] }],
        ...(token === undefined ? {} : { authorization: { credentials: token } }),
      },
    ],
  });
}
