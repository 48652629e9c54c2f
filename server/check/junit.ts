/** One test case of a JUnit report. `skipped`: why it could not be checked; without effect if it has failures. */
export type JunitCase = {
  readonly name: string;
  /** One line each. The first line is the message of the report. */
  readonly failures?: readonly string[];
  readonly skipped?: string;
  readonly output?: readonly string[];
};

/** Writes a JUnit report with one suite, as CI servers read it. */
export function junitXml(suite: {
  readonly name: string;
  /** When the suite began: `2026-11-21T10:41:03.000Z`. */
  readonly timestamp: string;
  readonly seconds: number;
  readonly cases: readonly JunitCase[];
  readonly output: readonly string[];
}): string {
  const { name, timestamp, seconds, cases, output } = suite;
  const failures = cases.filter((each) => (each.failures?.length ?? 0) > 0).length;
  const skipped = cases.filter((each) => !each.failures?.length && each.skipped !== undefined).length;
  const counts = { name, tests: cases.length, failures, errors: 0, skipped, time: seconds.toFixed(3) };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ ...counts })}>`,
    `  <testsuite${attributes({ ...counts, timestamp: timestamp.replace(/\.\d+Z$/, '') })}>`,
    ...cases.flatMap((each) => linesOfCase(name, each)),
    ...element('    ', 'system-out', {}, output),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function linesOfCase(suite: string, { name, failures = [], skipped, output = [] }: JunitCase): string[] {
  const message = failures.length > 1 ? `${failures[0]} (and ${failures.length - 1} more)` : (failures[0] ?? '');
  return [
    `    <testcase${attributes({ classname: suite, name, time: '0.000' })}>`,
    ...(failures.length > 0 ? element('      ', 'failure', { message, type: name }, failures) : []),
    ...(failures.length === 0 && skipped !== undefined ? [`      <skipped${attributes({ message: skipped })}/>`] : []),
    ...element('      ', 'system-out', {}, output),
    '    </testcase>',
  ];
}

/** An element with lines of text; an empty list if there is no line. */
function element(
  indent: string,
  name: string,
  of: Readonly<Record<string, string>>,
  lines: readonly string[],
): string[] {
  return lines.length === 0 ? [] : [`${indent}<${name}${attributes(of)}>${lines.map(escaped).join('\n')}</${name}>`];
}

function attributes(of: Readonly<Record<string, string | number>>): string {
  return Object.entries(of)
    .map(([name, value]) => ` ${name}="${escaped(String(value)).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')}"`)
    .join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Characters that XML 1.0 cannot contain, not even escaped. */
const NOT_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** Text for XML. A character that XML cannot contain is written as in a string: `\x1b`. */
function escaped(text: string): string {
  return text
    .replace(NOT_XML, (char) => {
      const code = (char.codePointAt(0) ?? 0).toString(16);
      return code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`;
    })
    .replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char)
    .replaceAll('\r', '&#13;');
}
