const COMMENT = /(?:^|\s)(?:\/\/|\/\*\*?|\*)\s(.*)$/;
const TEST_NAME =
  /\b(?:test|it|describe|step)(?:\.\w+)*\(\s*(?:'((?:[^'\\]|\\.)*)'|`([^`]*)`)|^\s*\](?: as const)?\)\('((?:[^'\\]|\\.)*)'/;
/** A line that ends before the name of a test, which is the next line. */
const BEFORE_NAME = /^\s*\](?: as const)?\)\($|\b(?:test|it|describe|step)(?:\.\w+)*\($/;
const NAME_ALONE = /^\s*(?:'((?:[^'\\]|\\.)*)'|`([^`]*)`),$/;

/** The comments and test names of a file as `{ line, text }`, lines counted from 1. Of Markdown: all but code. */
export function textsOf(path, content) {
  const lines = content.split('\n');
  return path.endsWith('.md')
    ? proseOf(lines)
    : lines.flatMap((line, index) => textOf(line, index + 1, lines[index - 1]));
}

function proseOf(lines) {
  let isCode = false;
  return lines.flatMap((text, index) => {
    if (text.startsWith('```')) isCode = !isCode;
    return isCode ? [] : [{ line: index + 1, text }];
  });
}

function textOf(line, number, before = '') {
  const name = TEST_NAME.exec(line) ?? (BEFORE_NAME.test(before) ? NAME_ALONE.exec(line) : null);
  if (name) return [{ line: number, text: name[1] ?? name[2] ?? name[3] }];
  const comment = COMMENT.exec(line);
  return comment ? [{ line: number, text: comment[1] }] : [];
}

const NOT_CODE = /\/\*[\s\S]*?\*\/|(?<=^|[\s;,({[])\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g;
const NAME = /[A-Za-z_$][\w$]*/g;

/** The words in the identifiers of a file as `{ line, text, words }`: `toldMs` has the words `told` and `ms`. */
export function namesOf(content) {
  const code = withoutTemplates(content.replace(NOT_CODE, blank));
  return code
    .split('\n')
    .flatMap((line, index) =>
      [...line.matchAll(NAME)].map(([text]) => ({ line: index + 1, text, words: wordsOf(text) })),
    );
}

function wordsOf(name) {
  return name
    .split(/(?<=[a-z0-9])(?=[A-Z])|_/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
}

const blank = (text) => text.replace(/[^\n]/g, ' ');

/** The code without the text of template literals; what is in `${}` stays. */
function withoutTemplates(code) {
  /** For each open template or `${`: how many braces are open inside; -1: it is the text of a template. */
  const open = [];
  let out = '';
  for (let at = 0; at < code.length; at++) {
    const letter = code[at];
    const isText = open.at(-1) === -1;
    if (letter === '`') {
      if (isText) open.pop();
      else open.push(-1);
    } else if (isText && letter === '\\') out += blank(code[at++] ?? '');
    else if (isText && letter === '$' && code[at + 1] === '{') open.push(0);
    else if (!isText && open.length > 0 && letter === '{') open.push(open.pop() + 1);
    else if (!isText && open.length > 0 && letter === '}') {
      const braces = open.pop() - 1;
      if (braces > 0) open.push(braces);
    }
    out += open.at(-1) === -1 || letter === '`' ? blank(code[at] ?? '') : letter;
  }
  return out;
}
