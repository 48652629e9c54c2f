/**
 * A name that a tool for several servers puts in front: `redis-0 redis `, `[redis-0] `, `node-1: `, `10.0.0.5:6379> `,
 * `(6379) `.
 */
const NAME = String.raw`(?!(?:thread|pool|trace|debug|info|notice|warn|warning|error|stdout|stderr)\b)[a-z][\w.-]{0,100}|\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?|\d{4,5}`;
const NAMED = [
  new RegExp(`^(?:\\d{4}-\\S{1,40} )?[[(](${NAME})[\\])]\\s`),
  new RegExp(`^(?:\\d{4}-\\S{1,40} )?(${NAME})[:>]?\\s+(?:[a-z][\\w.-]{0,60} )?(?:\\| )?(?:\\d{4}-\\S{1,40} )?$`),
];

/**
 * What names one of several sources: a container, a pod, a process of a host, labels, a file, a machine, a stream of a
 * log.
 */
const SOURCES = [
  /^\s{0,9}(?:\d\d:\d\d:\d\d )?((?:\d{1,4}\|)?[\w./@-]{1,100}) {1,40}\| /,
  /(?:^|\s)(\[[a-z]{1,12}\/[\w./-]{1,200}\])\s/,
  /(?:^|\s)([\w.-]{1,100} [\w./-]{1,60})\[\d{1,10}\]: /,
  /(\{[a-z]\w{0,60}="[^{}]{1,300}\})/,
  /^([\w./-]{1,200}\.[a-z]\w{0,8}):(?:\d{1,9}:)?/,
  /(?:^|\s)([\w.-]{1,60}\[[a-z]\w{0,30}\.\d{1,4}\]): /,
  /(?:^|\s)([\w.-]{1,60}\[[\da-f]{8,16}\]) [a-z]{3} \[/,
  /^\d{4}-\d\d-\d\dT\S{6,30} ([\w.$-]{1,100}\/[\w./$[\]-]{1,300}) $/,
  /(?:^|\s)<\d{1,3}>1 \S{1,40} (\S{1,255} \S{1,48}) \S{1,128} /,
];

/** The name of the source in the prefix of a line; null: it has none. */
export function sourceIn(prefix: string): string | null {
  return firstOf(SOURCES, prefix);
}

/**
 * The name in the prefix of a line that may belong to a source. It does if another name follows, and then this name
 * again.
 */
export function nameIn(prefix: string): string | null {
  return firstOf(NAMED, prefix);
}

function firstOf(forms: readonly RegExp[], prefix: string): string | null {
  for (const form of forms) {
    const name = form.exec(prefix)?.[1];
    if (name !== undefined) return name;
  }
  return null;
}

/** The source together with the number of its process: a host may have several JVMs of one name. */
export function processIn(prefix: string): string | null {
  const source = sourceIn(prefix) ?? nameIn(prefix);
  return source === null ? null : source + (PROCESS.exec(prefix)?.[0] ?? '');
}

const PROCESS = /\[\d{1,10}\]: $|(?<=>1 (?:\S{1,255} ){3})\d{1,10} /;

const NAMES = /"(?:pod(?:_?name)?|container_?name|log_?stream(?:_?name)?|instance)"\s{0,5}:\s{0,5}"([^"\\]{1,200})"/gi;
/** How many names are taken from one line of JSON: those of a pod and of its container. */
const MOST_NAMES = 5;

/** The name of the source in a line of JSON; null: it has none. */
export function sourceInJson(line: string): string | null {
  if (!line.includes('"')) return null;
  const names = new Set<string>();
  for (const [, name = ''] of line.matchAll(NAMES)) if (names.add(name).size >= MOST_NAMES) break;
  return names.size === 0 ? null : [...names].join(' ');
}

const NAMES_OF_HOSTS = /"(?:host|hostname|_HOSTNAME|node|server|source|addr|address)"\s{0,5}:\s{0,5}"([^"\\]{1,200})"/;
const CELL = new RegExp(`^"?(${NAME})"?$`);

/** As `sourceInJson`, for the fields around a line, in JSON or in a table. */
export function nameInFields(line: string): string | null {
  const host = NAMES_OF_HOSTS.exec(line)?.[1];
  if (host !== undefined) return host;
  const cells = line.slice(0, 400).split(/[,;\t]/, 9);
  return cells.map((cell) => CELL.exec(cell)?.[1]).find((name) => name !== undefined) ?? null;
}

const PROCESS_OF_JSON = /"(?:_PID|pid|process_id)"\s{0,5}:\s{0,5}"?(\d{1,10})/;
const COLUMN =
  /^"?@?(?:host(?:name)?|pod(?:_?name)?|container(?:_?name)?|instance|node|server|log_?stream(?:_?name)?)"?$/i;
const CELLS = /("(?:[^"]|""){0,500}"|[^",;\t]{0,500})(?:[,;\t]|$)/y;
const MOST_COLUMNS = 30;

/**
 * Reduces a log of several processes to the lines of the process that wrote the last wanted line, and lines that name
 * no process. `left`: how many lines were left out. The log has lines of JSON, or is a table whose first line names its
 * columns.
 */
export function linesOfOneSource(
  text: string,
  isWanted: (line: string) => boolean,
): { readonly text: string; readonly left: number } {
  const lines = text.split('\n');
  const columns = cellsOf(lines[0] ?? '').flatMap((name, n) => (COLUMN.test(name) ? [n] : []));
  const sources = columns.length > 0 ? sourcesOfRows(lines, columns) : lines.map(sourceOfJson);
  const wanted = sources[lines.findLastIndex((line, n) => sources[n] !== null && isWanted(line))] ?? null;
  const kept = wanted === null ? lines : lines.filter((_, n) => (sources[n] ?? wanted) === wanted);
  return { text: kept.length === lines.length ? text : kept.join('\n'), left: lines.length - kept.length };
}

function sourceOfJson(line: string): string | null {
  if (!line.includes('":') && !line.includes('" :')) return null;
  const names = [sourceInJson(line), NAMES_OF_HOSTS.exec(line)?.[1], PROCESS_OF_JSON.exec(line)?.[1]];
  const known = names.filter((name) => name != null);
  return known.length === 0 ? null : known.join(' ');
}

/** The source of each line of a table. A row may have several lines, because a cell in quotes may. */
function sourcesOfRows(lines: readonly string[], columns: readonly number[]): (string | null)[] {
  let source: string | null = null;
  let isOpen = false;
  return lines.map((line) => {
    if (!isOpen) source = sourceOfRow(line, columns);
    if ((line.split('"').length - 1) % 2 === 1) isOpen = !isOpen;
    return source;
  });
}

function sourceOfRow(row: string, columns: readonly number[]): string | null {
  const cells = cellsOf(row);
  return columns.every((n) => (cells[n] ?? '') !== '') ? columns.map((n) => cells[n]).join(' ') : null;
}

/** The first cells of a row in a table. */
function cellsOf(row: string): string[] {
  const cells: string[] = [];
  CELLS.lastIndex = 0;
  while (cells.length < MOST_COLUMNS && CELLS.lastIndex < row.length) {
    const found = CELLS.exec(row);
    if (!found) break;
    cells.push(found[1] ?? '');
  }
  return cells;
}
