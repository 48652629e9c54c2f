import { literalsIn } from './literals.ts';

/*
 * Long lines that a program divided:
 *
 *   {"log":"1795218454.496776 [0 …] \"EVAL\" \"local", …}              Docker, after 16 KB: no \n at the end
 *   2026-11-18T10:26:40.12Z stdout P 1795218454.496776 [0 …] "EVAL"    CRI, the same: P instead of F
 *   1795218454.496776 [0 127.0.0.1:49168] "EVALSHA"                    a mail program, between two words
 */

const DOCKER_LINE = /^\s{0,9}\{"log":"/;
const CRI_LINE = /(?:^|\s)\S{10,40} (?:stdout|stderr) ([FP])[A-Z:]{0,9} /;

/** Whether a line continues in the next one. `text`: its content. */
export function isDivided(line: string, text: string): boolean {
  if (DOCKER_LINE.test(line)) return !text.endsWith('\n');
  return CRI_LINE.exec(line.slice(0, 300))?.[1] === 'P';
}

/**
 * The next part of a divided line; undefined: the line is not from Docker or CRI. `isDivided`: another part follows.
 */
export function dividedRest(line: string): { readonly text: string; readonly isDivided: boolean } | undefined {
  if (DOCKER_LINE.test(line)) {
    const [log] = literalsIn(line);
    return log && { text: log.value.replace(/\n$/, ''), isDivided: !log.value.endsWith('\n') };
  }
  const mark = CRI_LINE.exec(line.slice(0, 300));
  return mark ? { text: line.slice(mark.index + mark[0].length), isDivided: mark[1] === 'P' } : undefined;
}

const SHORTEST_WIDTH = 55;
const LONGEST_REST = 1000;
const WORDS = /^"(?:[^"\\]|\\.)*"(?: "(?:[^"\\]|\\.)*")*(?: "(?:[^"\\]|\\.)*)?$/;
const IN_SCRIPT = /^\S+ \[[^\]]{1,300}\] "(?:EVAL|eval)" "[^"\\]*(?:\\.[^"\\]*)*$/;

/**
 * Whether `rest` continues a line of MONITOR that a mail program broke, and can be joined to it in only one way.
 * Between two words there is one blank. If the line is broken within a word, it can be joined only in the text of a
 * script, where blanks do not matter. `lastLength`: the length of the last part before `rest`.
 */
export function isRestOfFold(line: string, lastLength: number, rest: string): boolean {
  if (rest.length > LONGEST_REST || line.length > LONGEST_REST * 20) return false;
  if (IN_SCRIPT.test(line)) return true;
  const [word = ''] = /^"(?:[^"\\]|\\.)*"?/.exec(rest) ?? [];
  // a line is broken only where the next word has no room
  return WORDS.test(rest.trim()) && endsWithWord(line.trimEnd()) && lastLength + word.length >= SHORTEST_WIDTH;
}

/** Whether every quote of a line is closed. */
function endsWithWord(line: string): boolean {
  const words = line.slice(line.indexOf('] "') + 2);
  return /^"(?:[^"\\]|\\.)*"(?: "(?:[^"\\]|\\.)*")*$/.test(words);
}
