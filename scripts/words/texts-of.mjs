const COMMENT = /(?:^|\s)(?:\/\/|\/\*\*?|\*)\s(.*)$/;
const TEST_NAME =
  /\b(?:test|it|describe|step)(?:\.\w+)*\(\s*(?:'((?:[^'\\]|\\.)*)'|`([^`]*)`)|^\s*\]\)\('((?:[^'\\]|\\.)*)'/;

/** The comments and test names of a file as `{ line, text }`, lines counted from 1. Of Markdown: all but code. */
export function textsOf(path, content) {
  const lines = content.split('\n');
  return path.endsWith('.md') ? proseOf(lines) : lines.flatMap((line, index) => textOf(line, index + 1));
}

function proseOf(lines) {
  let isCode = false;
  return lines.flatMap((text, index) => {
    if (text.startsWith('```')) isCode = !isCode;
    return isCode ? [] : [{ line: index + 1, text }];
  });
}

function textOf(line, number) {
  const name = TEST_NAME.exec(line);
  if (name) return [{ line: number, text: name[1] ?? name[2] ?? name[3] }];
  const comment = COMMENT.exec(line);
  return comment ? [{ line: number, text: comment[1] }] : [];
}
