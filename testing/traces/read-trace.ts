import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Side } from './side-signals.ts';

const TRACES = new URL('../../shared/traces/', import.meta.url);

/** One recorded trace: what a connection received, and what the clients saw. */
export type Golden = {
  readonly folder: string;
  /** `fair-dead-head`, or `fair-clock-skew-4.7.0` if the folder has several versions. */
  readonly name: string;
  /** Whether its server writes a push before the line of the command that caused it. */
  readonly isPushFirst: boolean;
  /** What the connection received, as latin-1 text. */
  trace(): string;
  /** What CLIENT LIST and INFO showed, if there is a file with it beside the trace. */
  side(): Side | undefined;
  /** What the clients saw, line by line, without the lines of an operator. */
  truth(): string[];
};

/** Every trace of single locks in `shared/traces`, also the packed ones and those of other libraries. */
export function goldens(): Golden[] {
  return [...goldensIn(''), ...goldensIn(OTHER)];
}

/**
 * The traces for a property that every trace must have. If a program was played with several versions of Redisson, only
 * the trace of the newest version is returned. In the deep tier, where the tests run with several clocks, every version
 * is returned.
 */
export function goldensOfNewest(): Golden[] {
  const all = goldens();
  if (process.env.UNIT_CLOCK !== undefined) return all;
  const newest = new Map<string, Golden>();
  const versions = all.filter(({ folder }) => VERSION.test(folder));
  for (const golden of versions.sort((a, b) => a.folder.localeCompare(b.folder, 'en', { numeric: true })))
    newest.set(golden.name, golden);
  return all.filter((golden) => !VERSION.test(golden.folder) || newest.get(golden.name) === golden);
}

/** The folder of a version of Redisson. */
const VERSION = /^redisson-/;

/** Traces of locks that clients acquire together: multi locks, group locks, and RedLocks, which have three servers. */
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

/** The folder of the traces of other libraries, with one folder for each library and version. */
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
    side() {
      const beside = new URL(`${folder}/${name}.side.json`, TRACES);
      return existsSync(beside) ? (JSON.parse(readFileSync(beside, 'utf8')) as Side) : undefined; // a file of this repository
    },
    truth() {
      const lines = readFileSync(new URL(`${folder}/${name}.truth`, TRACES), 'utf8').split('\n');
      return lines.filter((line) => line.split(' ')[1] !== 'operator');
    },
  };
}
