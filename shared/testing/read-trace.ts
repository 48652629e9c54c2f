import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const TRACES = new URL('../traces/', import.meta.url);

/** One recorded trace: what a connection received, and what the clients saw. */
export type Golden = {
  readonly folder: string;
  /** `fair-dead-head`, or `fair-clock-skew-4.7.0` where a folder holds several versions. */
  readonly name: string;
  /** Whether its server writes a push before the line of the command that caused it. */
  readonly isPushFirst: boolean;
  /** What the connection received, as latin-1 text. */
  trace(): string;
  /** What the clients saw, line by line, without what an operator did beside them. */
  truth(): string[];
};

/** Every trace in `shared/traces`, those that are packed included. */
export function goldens(): Golden[] {
  return [...goldensIn(''), ...goldensIn(OTHER)];
}

/** Traces of what clients lock as one, multi locks and RedLocks: these are of three servers. */
export function goldensOfSeveral(): Golden[] {
  return goldensIn('groups/');
}

/** Every trace in the folders of a folder. */
export function goldensIn(parent: string): Golden[] {
  return foldersIn(parent).flatMap((folder) => {
    const files = readdirSync(new URL(`${folder}/`, TRACES));
    return files.filter((file) => /\.trace(\.gz)?$/.test(file)).map((file) => golden(folder, file));
  });
}

/** Traces of other libraries stand in folders of their own, one for each library and version. */
export const OTHER = 'other/';

function foldersIn(parent: string): string[] {
  const entries = readdirSync(new URL(parent, TRACES), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => `${parent}${name}`);
}

function golden(folder: string, file: string): Golden {
  const at = new URL(`${folder}/${file}`, TRACES);
  const name = file.replace(/\.trace(\.gz)?$/, '');
  return {
    folder,
    name,
    isPushFirst: !folder.startsWith('redis-6'),
    trace() {
      const bytes = readFileSync(at);
      return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1');
    },
    truth() {
      const lines = readFileSync(new URL(`${folder}/${name}.truth`, TRACES), 'utf8').split('\n');
      return lines.filter((line) => line.split(' ')[1] !== 'operator');
    },
  };
}
