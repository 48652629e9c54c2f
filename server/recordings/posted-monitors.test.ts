import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { looksLikeDump } from '../../shared/dumps/looks-like-dump.ts';
import { OpenError, readRecordingFile } from './read-file.ts';

/** Texts of MONITOR and other files in the forms in which people post and attach them. */
const BARE = readFileSync(new URL('../../shared/traces/texts/monitor.compose.txt', import.meta.url), 'utf8')
  .replaceAll('redis-1  | ', '')
  .trimEnd();
const LINES = BARE.split('\n');
const JSTACK = readFileSync(new URL('../../shared/traces/texts/jstack.txt', import.meta.url), 'utf8');
const RECORDED = '{"lockscope":"recording","format":1}\n{"at":1000001,"db":0,"from":"c:1","do":["DEL","a"]}';
let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'lockscope-test-'));
});
afterAll(() => rmSync(dir, { recursive: true }));

/** The lines that a reader finds, each as a text, and the number of bad ones; or why the file is refused. */
async function readIn(text: string | Buffer) {
  const path = join(dir, 'a.txt');
  writeFileSync(path, text);
  const lines: string[] = [];
  try {
    const { badCount } = await readRecordingFile(path, (signal) => {
      if (signal.kind === 'line') lines.push(`${signal.at} ${signal.db} ${signal.client} ${signal.words.join(' ')}`);
    });
    return { lines, badCount };
  } catch (error) {
    if (!(error instanceof OpenError)) throw error;
    return { code: error.problem.code, values: error.problem.values };
  }
}

const each = (change: (line: string, n: number) => string, text = BARE) => text.split('\n').map(change).join('\n');
/** Line by line, one of each of two servers. */
const both = (one: (line: string) => string, other: (line: string) => string) =>
  LINES.flatMap((line) => [one(line), other(line)]).join('\n');
const printable = (text: string) =>
  text
    .replaceAll('=', '=3D')
    .split('\n')
    .map((line) => line.replace(/.{75}(?=.)/g, '$&=\n'))
    .join('\n');
const rtf = (text: string) => text.replace(/[\\{}]/g, '\\$&');
const base64 = (text: string) => Buffer.from(text).toString('base64').replace(/.{76}/g, '$&\n');
const words = (change: string) => each((l) => l.replace(/"([^"]*)"/g, change));
const ofNet = (text: string) => JSON.stringify(text).slice(1, -1).replaceAll('\\"', '\\u0022');
const second = (n: number, rest: string) => `179500000${n}.000001 ${rest}`;
/** A text as redis-cli quotes it. */
const quoted = (line: string) => `"${line.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

test.each([
  ['redis-cli prompt', `127.0.0.1:6379> MONITOR\nOK\n${BARE}\n^C\n(5.03s)\n127.0.0.1:6379>\n`],
  ['valkey-cli not connected', `$ valkey-cli -h redis monitor\nOK\n${BARE}\n^C`],
  ['--csv', `${each(quoted)}\n`],
  ['--json', `"OK"\n${each((l) => JSON.stringify(l))}\n`],
  ['--no-raw', each((l, n) => (n ? l : `OK\n${l}`))],
  ['ts', each((l) => `Nov 18 10:26:40 ${l}`)],
  ['ts %.s', each((l) => `${l.slice(0, 17)} ${l}`)],
  ['ts -s', each((l) => `00:00:01 ${l}`)],
  ['ts -i %.s', each((l) => `0.000037 ${l}`)],
  [
    'script',
    `Script started on 2026-11-18 10:26:40+00:00 [TERM="xterm" TTY="/dev/pts/0" COLUMNS="80" LINES="24"]\r\n${BARE.replaceAll('\n', '\r\n')}\r\n\nScript done on 2026-11-18 10:27:40+00:00 [COMMAND_EXIT_CODE="0"]\n`,
  ],
  [
    'telnet',
    `Trying 127.0.0.1...\nConnected to localhost.\nEscape character is '^]'.\nmonitor\n+OK\r\n${each((l) => `+${l}\r`)}\r\n^]\ntelnet> quit\n`,
  ],
  ['stern one', each((l) => `redis-0 redis ${l}`)],
  ['kubetail one', each((l) => `[redis-0] ${l}`)],
  ['level INFO/DEBUG', each((l, n) => `${n % 2 ? 'info' : 'debug'}: ${l}`)],
  ['tabs', each((l) => l.replaceAll(' ', '\t'))],
  ['double blanks', each((l) => l.replaceAll('" "', '"  "'))],
  ['html', each((l) => l.replaceAll('"', '&quot;'))],
  ['html twice', each((l) => l.replaceAll('"', '&amp;quot;'))],
  ['fence', `\`\`\`\n${BARE}\n\`\`\``],
  ['blockquote fence', each((l) => `> ${l}`, `\`\`\`\n${BARE}\n\`\`\``)],
  ['one json string', JSON.stringify({ text: BARE })],
  ['smart quotes', each((l) => l.replace(/"([^"]*)"/g, '“$1”'))],
  [
    'mail with head, qp',
    `From: a@example.org\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\nHi,\n\n${printable(BARE)}\n\nregards`,
  ],
  ['gzip', gzipSync(BARE)],
  ['utf-16 bom', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(BARE, 'utf16le')])],
  ['utf-16be', Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(BARE, 'utf16le').swap16()])],
  ['utf-32', Buffer.from([...BARE].flatMap((c) => [c.charCodeAt(0), 0, 0, 0]))],
  ['utf-8 bom', `\ufeff${BARE}`],
  ['ansi grep', each((l) => l.replace('stock:7', '\x1b[01;31m\x1b[Kstock:7\x1b[m\x1b[K'))],
  ['colours without their first character', each((l) => `[36m${l}[0m`)],
  ['caret escapes', each((l) => `^[[36m${l}^[[0m`)],
  ['cat -n', each((l, n) => `${String(n + 1).padStart(6)}\t${l}`)],
  ['cat -A', each((l) => `${l}$`)],
  ['less -N', each((l, n) => `${String(n + 1).padStart(7)} ${l}`)],
  ['grep -n', each((l, n) => `${n + 1}:${l}`)],
  ['grep -Hn', each((l, n) => `mon.txt:${n + 1}:${l}`)],
  ['grep -A context', each((l, n) => `${n + 1}${n % 3 ? '-' : ':'}${l}`)],
  ['diff +', each((l) => `+${l}`)],
  ['diff unified', `--- a.txt\n+++ b.txt\n@@ -0,0 +1,30 @@\n${each((l) => `+${l}`)}\n`],
  [
    'docker json, other time',
    each((l) => JSON.stringify({ time: '2026-11-18T10:26:44Z', stream: 'stdout', log: `${l}\n` })),
  ],
  ['python list', `[${LINES.map((l) => `'${l.replaceAll('\\', '\\\\')}'`).join(', ')}]`],
  ['b-strings', each((l) => `b'${l}'`)],
  ['yaml list', each((l) => `  - '${l}'`)],
  ['quoted with comma', each((l) => `'${l}',`)],
  ['excel', each((l) => `"${l.replaceAll('"', '""')}"`)],
  ['excel tsv', each((l, n) => `${n}\t"${l.replaceAll('"', '""')}"`)],
  ['whatsapp', each((l) => `[18/11/2026, 10:26:44] Kim: ${l}`)],
  ['teams', `Kim Lee\n10:26\n${BARE}\n10:27\nLee\nthanks`],
  ['thread dump in the same file', `${BARE}\n${JSTACK}`],
  ['syslog one, restarted', each((l, n) => `Nov 18 10:26:40 host-1 redis[${n < 10 ? 812 : 900}]: ${l}`)],
  ['ids per line', each((l, n) => `a${(n * 7919).toString(16)} ${l}`)],
  ['uuid per line', each((l, n) => `abcdef${String(n).padStart(2, '0')}-0000-4000-8000-000000000001 ${l}`)],
  ['lower month over midnight', each((l, n) => `${n < 9 ? 'nov 30' : 'dec 01'} 10:26:40 ${l}`)],
  ['weekday lower', each((l, n) => `${n < 9 ? 'mon' : 'tue'} ${l}`)],
  ['levels in brackets', each((l, n) => `[${n % 2 ? 'info' : 'debug'}] ${l}`)],
  ['python logging', each((l) => `INFO:root:${l}`)],
  ['node console prefix', each((l) => `monitor: ${l}`)],
  ['go slog', each((l) => `time=2026-11-18T10:26:40Z level=INFO msg="${JSON.stringify(l).slice(1, -1)}"`)],
  ['zap json two loggers', each((l, n) => JSON.stringify({ logger: n % 2 ? 'a' : 'b', msg: l }))],
  ['print(repr)', each((l) => `'${l}'`)],
  ['js array lines', `[\n${each((l) => `  '${l}',`)}\n]`],
  ['java string concat', each((l) => `  + "${JSON.stringify(l).slice(1, -1)}\\n"`)],
  ['c comment', each((l) => ` * ${l}`)],
  ['sql comment', each((l) => `-- ${l}`)],
  ['asciidoc callout', each((l) => `${l} <1>`)],
  ['trailing comment', each((l, n) => (n === 0 ? `${l}   # A takes it` : l))],
  ['trailing arrow', each((l, n) => (n === 0 ? `${l}   <-- here` : l))],
  ['trailing backslash', each((l) => `${l} \\`)],
  ['trailing semicolon nl', each((l) => `${l};`)],
  ['trailing pipe border', each((l) => `| ${l.padEnd(150)} |`)],
  ['box border', each((l) => `│ ${l.padEnd(150)} │`)],
  ['trailing spaces', each((l) => `${l}   `)],
  ['CRLF double', each((l) => `${l}\r\r`)],
  ['blank between', each((l) => `${l}\n`)],
  ['zero width', each((l) => `\u200b${l}`)],
  ['nbsp', each((l) => l.replaceAll(' ', '\u00a0'))],
  ['en quad', each((l) => l.replaceAll(' ', '\u2009'))],
  ['backticks', each((l) => `\`${l}\``)],
  ['bold markdown', each((l) => `**${l}**`)],
  ['numbered list', each((l, n) => `${n + 1}. ${l}`)],
  ['slack link', each((l) => l.replace(/(10\.0\.0\.\d+):(\d+)/, '<http://$1:$2|$1:$2>'))],
  ['teams link md', each((l) => l.replace(/\[0 (10\.0\.0\.\d+):(\d+)\]/, '[0 [$1:$2](http://$1:$2)]'))],
  ['rtf', `{\\rtf1\\ansi\\deff0 {\\fonttbl {\\f0 Courier;}}\n${each((l) => `${rtf(l)}\\par`)}\n}`],
  ['rtf on one line', `{\\rtf1\\ansi\\deff0 ${LINES.map((l) => `${rtf(l)}\\par `).join('')}}`],
  ['cat -v, other ends of lines', each((l) => `${l}^M`)],
  ['cat -A, other ends of lines', each((l) => `${l}^M$`)],
  ['journalctl -o export', each((l, n) => `__CURSOR=s=a;i=${n}\n_PID=812\nMESSAGE=${l}\n_COMM=redis\n`)],
  ['journalctl -o verbose', each((l) => `Wed 2026-11-18 10:26:44.12 UTC [s=a;i=1]\n    _PID=812\n    MESSAGE=${l}`)],
  ['cloud logging as yaml', each((l) => `---\ninsertId: a1\ntextPayload: ${JSON.stringify(l)}\nlabels:\n  a: b`)],
  ['marks of markdown escaped', each((l) => l.replace(/([[\]_{}])/g, '\\$1'))],
  ['one line of html', LINES.map((l) => `<p>${l.replaceAll('"', '&quot;').replaceAll(' ', '&nbsp;')}</p>`).join('')],
  [
    'typographic quotes in Windows-1252',
    Buffer.from(
      each((l) => l.replace(/"([^"]*)"/g, '\x93$1\x94')),
      'latin1',
    ),
  ],
  ['the bytes of python', each((l) => `INFO:root:b'${l.replaceAll('\\', '\\\\')}\\r\\n'`)],
  ['each line twice', each((l) => `${l}\n${l}`)],
  ['base64 of a mail', `Content-Transfer-Encoding: base64\n\n${base64(BARE)}\n`],
  [
    'a mail with a web page',
    `Content-Type: multipart/alternative; boundary="b1"\n\n--b1\nContent-Type: text/plain\n\n${BARE}\n--b1\nContent-Type: text/html\n\n<pre>${BARE}</pre>\n--b1--\n`,
  ],
  ['a diff of two texts', `@@ -1,31 +1,30 @@\n-${second(0, '[0 lua] "get" "x"')}\n${each((l) => ` ${l}`)}`],
  ['a plain diff', `1c1,30\n< ${second(0, '[0 lua] "get" "x"')}\n---\n${each((l) => `> ${l}`)}`],
  ['html raw quotes', `<pre>\n${BARE.replaceAll('&', '&amp;')}\n</pre>`],
  ['html span colours, raw quotes', each((l) => `<span style="color:red">${l}</span>`)],
  ['html br', `<p>${LINES.join('<br>')}</p>`],
  ['xml attr', each((l) => `<line t="1" text="${l.replaceAll('"', '&quot;')}"/>`)],
  ['json in json', JSON.stringify({ a: JSON.stringify({ message: BARE }) })],
  ['papertrail', each((l) => `Nov 18 10:26:40 app-1 program redis:  ${l}`)],
  ['heroku redis', each((l) => `2026-11-18T10:26:40+00:00 app[redis-1]: ${l}`)],
  ['fluentd', each((l) => `2026-11-18 10:26:40.000000000 +0000 redis: {"log":${JSON.stringify(l)}}`)],

  ['syslog, the process started again', each((l, n) => `Nov 18 10:26:40 host-1 redis[${n < 10 ? 812 : 900}]: ${l}`)],
  ['uuid per line', each((l, n) => `abcdef${String(n).padStart(2, '0')}-0000-4000-8000-000000000001 ${l}`)],
  ['months', each((l, n) => `${n < 9 ? 'nov 30' : 'dec 01'} 10:26:40 ${l}`)],
  ['two loggers in json', each((l, n) => JSON.stringify({ logger: n % 2 ? 'a' : 'b', msg: l }))],
  [
    'table with times',
    `time,line\n${LINES.map((l, n) => `2026-11-18 10:26:${10 + n},"${l.replaceAll('"', '""')}"`).join('\n')}`,
  ],
  [
    'cloud logging',
    JSON.stringify(
      LINES.map((l) => ({ insertId: 'x', textPayload: l, resource: { labels: { pod_name: 'r' } } })),
      null,
      2,
    ),
  ],
  ['a link by a chat', each((l) => l.replace(/(10\.0\.0\.\d+):(\d+)/, '<http://$1:$2|$1:$2>'))],
  ['french quotes', words('\u00ab\u00a0$1\u00a0\u00bb')],
  ['french quotes with narrow blanks', words('\u00ab\u202f$1\u202f\u00bb')],
  ['german quotes', words('\u201e$1\u201c')],
  ['quotes of german books', words('\u00bb$1\u00ab')],
  ['swedish quotes', words('\u201d$1\u201d')],
  ['quotes of a web page by name', words('&ldquo;$1&rdquo;')],
  [
    'a web page in colours',
    words('<span class=s2>&quot;$1&quot;</span>').replace(/^[\d.]+/gm, '<span class=m>$&</span>'),
  ],
  ['a web page in colours, raw quotes', words('<span class="s2">"$1"</span>')],
  ['xml by PowerShell', `<Objs>\n${each((l) => `  <S>${l}_x000D_</S>`)}\n</Objs>`],
  ['json by .NET', each((l) => `{"Level":"Information","RenderedMessage":"${ofNet(l)}"}`)],
  ['fields behind', each((l) => `info: ${l} {"timestamp":"2026-11-18T10:26:40.123Z","of":{"a":[1]}}`)],
  ['fields behind by monolog', each((l) => `[2026-11-18T10:26:40.123+00:00] app.DEBUG: ${l} [] []`)],
  ['fields behind by laravel', each((l) => `[2026-11-18 10:26:40] local.INFO: ${l} {"a":"b"} []`)],
  ['colours as text', each((l) => `\\x1b[36m${l}\\x1b[0m`)],
  ['colours as octal text', each((l) => `\\033[36m${l}\\033[0m`)],
  ['colours by less', each((l) => `ESC[36m${l}ESC[0m`)],
  ['colours in json', each((l) => JSON.stringify({ log: `\x1b[36m${l}\x1b[0m\n` }))],
  [
    'rubydebug',
    each(
      (l) =>
        `{\n    "message" => ${JSON.stringify(l)},\n    "@timestamp" => 2026-11-18T10:26:40Z,\n    "tags" => [\n        [0] "x"\n    ]\n}`,
    ),
  ],
  ['a time above each line', each((l) => `2026-11-18T10:26:44.120Z\n${l}\n`)],
  ['a notebook', JSON.stringify({ cells: [{ outputs: [{ text: LINES.map((l) => `${l}\n`) }] }] }, null, 1)],
  ['a chat in json', JSON.stringify([{ type: 'message', text: `\`\`\`${BARE}\`\`\`` }])],
  [
    'two files packed one behind the other',
    Buffer.concat([`${LINES.slice(0, 9).join('\n')}\n`, LINES.slice(9).join('\n')].map((part) => gzipSync(part))),
  ],
  ['a link by another chat', each((l) => l.replace(/\[0 (10\.0\.0\.\d+):(\d+)\]/, '[0 [$1:$2](http://$1:$2)]'))],
])('all lines are read in the form "%s"', async (_, text) => {
  expect(LINES).toHaveLength(30);
  expect(looksLikeDump(text.toString())).toBe(false);
  expect(await readIn(text)).toEqual({ ...(await readIn(BARE)), badCount: 0 });
});

test.each([
  [
    'unix',
    `${second(1, '[0 unix:/var/run/redis/redis.sock] "PING"')}\n${second(2, '[3 unix:/tmp/a b.sock] "GET" "k"')}\n`,
    ['1795000001000001 0 unix:/var/run/redis/redis.sock PING', '1795000002000001 3 unix:/tmp/a b.sock GET k'],
  ],
  [
    'ipv6',
    `${second(1, '[0 [::1]:6379] "PING"')}\n${second(2, '[0 [2001:db8::7%eth0]:40001] "GET" "k"')}\n${second(3, '[0 ?:0] "GET" "k"')}\n`,
    [
      '1795000001000001 0 [::1]:6379 PING',
      '1795000002000001 0 [2001:db8::7%eth0]:40001 GET k',
      '1795000003000001 0 ?:0 GET k',
    ],
  ],
  [
    'escapes',
    `${second(1, '[0 lua] "hset" "a" "\\xff\\x00\\n\\"q\\"" "\\\\x41"')}\n`.replace('[0 lua]', '[0 10.0.0.1:5]'),
    [`1795000001000001 0 10.0.0.1:5 hset a \\xff\0\n"q" \\\\x41`],
  ],
  [
    'escapes in csv',
    `${quoted(second(1, '[0 10.0.0.1:5] "hset" "a" "\\xff\\x00\\n\\"q\\"" "\\\\x41"'))}\n`,
    [`1795000001000001 0 10.0.0.1:5 hset a \\xff\0\n"q" \\\\x41`],
  ],
  [
    'bytes as they are, as valkey 8.1.0 writes them',
    Buffer.from(
      `${second(1, '[0 10.0.0.1:5] "get" "a\xff\xe4"')}\n${second(2, '[0 10.0.0.1:5] "get" "\xc3\xa4"')}\n`,
      'latin1',
    ),
    ['1795000001000001 0 10.0.0.1:5 get a\\xff\\xe4', '1795000002000001 0 10.0.0.1:5 get ä'],
  ],
  [
    'bytes as they are in json',
    Buffer.from(`{"log":"${second(1, '[0 10.0.0.1:5] \\"get\\" \\"a\xff\\"')}\\n"}\n`, 'latin1'),
    ['1795000001000001 0 10.0.0.1:5 get a\\xff'],
  ],
  [
    'escapes in python',
    `b'${second(1, '[0 10.0.0.1:5] "get" "\\\\xff"')}'`,
    ['1795000001000001 0 10.0.0.1:5 get \\xff'],
  ],
  [
    'escapes and marks of a web page in a text with escaped quotes',
    JSON.stringify(second(1, '[0 10.0.0.1:5] "set" "a" "\\"<b>&lt;"')).slice(1, -1),
    ['1795000001000001 0 10.0.0.1:5 set a "<b>&lt;'],
  ],
])('the words of a line are read: %s', async (_, text, lines) => {
  expect(await readIn(text)).toEqual({ lines, badCount: 0 });
});

/** The numbers of lines that are read, and of those that are counted as bad. */
test.each([
  ['out of order', [LINES[0], ...LINES.slice(4), ...LINES.slice(1, 4)].join('\n'), 27, 3],
  ['wrapped 80', each((l) => l.replace(/.{80}(?=.)/g, '$&\n')), 14, 34],
  ['trailing …', each((l) => (l.length > 90 ? `${l.slice(0, 90)}…` : l)), 20, 10],
  ['trailing ...', each((l) => (l.length > 90 ? `${l.slice(0, 90)}...` : l)), 20, 10],
  ['grep -C separators', [...LINES.slice(0, 4), '--', ...LINES.slice(4)].join('\n'), 30, 1],
  ['quoted-printable without the head of the mail', printable(BARE), 14, 38],
  ...[47, 49, 51, 87, 90, 112, 139, 143, 151].map((width): [string, string, unknown, unknown] => [
    `cut at ${width}`,
    each((l) => l.slice(0, width).trimEnd()),
    expect.any(Number),
    expect.any(Number),
  ]),
  ['cut at end', BARE.slice(0, -20), 29, 1],
  ['seconds missing in middle', each((l, n) => (n === 5 ? l.replace(/^\d+/, '') : l)), 29, 1],
  ['one line with seconds wrong digits', each((l, n) => (n === 5 ? l.replace(/\.(\d{6})/, '.$10') : l)), 29, 1],
  ['twice the text', `${BARE}\n${BARE}`, 30, 30],
  ['cut within the first time', BARE.slice(3), 29, 1],
  ['cut within a text of json', each((l) => JSON.stringify({ message: l })).slice(60), 29, 0],
  ['a line of json that ends early', `${each((l) => JSON.stringify({ message: l })).slice(0, -6)}`, 29, 1],
  [
    'words behind a text in front on the next line',
    each((l, n) => `r-1  | ${n === 1 ? l.replace('" "', '"\n"') : l}`),
    29,
    2,
  ],
  ['escapes on the next line', each((l, n) => JSON.stringify(l).replace('\\" ', n === 4 ? '\\"\n' : '\\" ')), 29, 2],
  ['cut behind an escaped quote', `${BARE}\n${second(9, '[0 c:1] "set" "a" "{\\"b\\"')}`, 30, 1],
  ['a gap in a diff', `@@ -0,0 +1,4 @@\n${each((l, n) => `${n === 4 ? '@@ -9,0 +5,26 @@\n' : ''}+${l}`)}`, 30, 1],
  [
    'single quotes around escapes that may be of two kinds',
    `'${LINES[0]}'\n'${second(1, '[0 c:1] "get" "\\\\xff"')}'`,
    1,
    1,
  ],
  ['only one quote style mixed', each((l) => l.replaceAll('" "', '", "')), 1, 29],
])('only lines that are certain are read, and the others counted: %s', async (_, text, good, bad) => {
  const [found, whole] = [await readIn(text), await readIn(BARE)];
  expect(found).toMatchObject({ lines: { length: good }, badCount: bad });
  expect(whole.lines).toEqual(expect.arrayContaining(found.lines ?? ['none']));
});

test.each([
  [
    'stern two pods',
    both(
      (l) => `redis-a-0 redis ${l}`,
      (l) => `redis-b-0 redis ${l.replaceAll('stock:7', 'x')}`,
    ),
    'redis-a-0',
    'redis-b-0',
  ],
  [
    'kubetail two',
    both(
      (l) => `[redis-0] ${l}`,
      (l) => `[redis-1] ${l}`,
    ),
    'redis-0',
    'redis-1',
  ],
  [
    'pdsh two',
    both(
      (l) => `node-1: ${l}`,
      (l) => `node-2: ${l}`,
    ),
    'node-1',
    'node-2',
  ],
  [
    'addresses two',
    both(
      (l) => `10.0.0.5:6379: ${l}`,
      (l) => `10.0.0.6:6379: ${l}`,
    ),
    '10.0.0.5:6379',
    '10.0.0.6:6379',
  ],
  [
    'parallel --tag two',
    both(
      (l) => `redis-0\t${l}`,
      (l) => `redis-1\t${l}`,
    ),
    'redis-0',
    'redis-1',
  ],
  [
    'tail -f two',
    `==> a.log <==\n${LINES.slice(0, 4).join('\n')}\n\n==> b.log <==\n${LINES.slice(0, 4).join('\n')}\n\n==> a.log <==\n${LINES.slice(4).join('\n')}\n`,
    'a.log',
    'b.log',
  ],
  [
    'loki two streams',
    LINES.flatMap((line, n) => [JSON.stringify({ labels: { pod: n % 2 ? 'redis-0' : 'redis-1' }, line })]).join('\n'),
    'redis-1',
    'redis-0',
  ],

  [
    'syslog of two hosts, the newer form',
    both(
      (l) => `<134>1 2026-11-18T10:26:44Z host-1 redis 812 - - ${l}`,
      (l) => `<134>1 2026-11-18T10:26:44Z host-2 redis 812 - - ${l}`,
    ),
    'host-1 redis',
    'host-2 redis',
  ],
  [
    'two tasks of a service',
    both(
      (l) => `shop_redis.1.aa@host-1    | ${l}`,
      (l) => `shop_redis.2.bb@host-2    | ${l}`,
    ),
    'shop_redis.1.aa@host-1',
    'shop_redis.2.bb@host-2',
  ],
  [
    'two pods with one container name',
    both(
      (l) => JSON.stringify({ container_name: 'redis', pod_name: 'a', log: l }),
      (l) => JSON.stringify({ container_name: 'redis', pod_name: 'b', log: l }),
    ),
    'redis a',
    'redis b',
  ],
  [
    'syslog of two hosts',
    both(
      (l) => `Nov 18 10:26:40 host-1 redis[812]: ${l}`,
      (l) => `Nov 18 10:26:40 host-2 redis[812]: ${l}`,
    ),
    'host-1 redis',
    'host-2 redis',
  ],
  [
    'a time and a name',
    both(
      (l) => `2026-11-18T10:26:40Z redis-0 ${l}`,
      (l) => `2026-11-18T10:26:40Z redis-1 ${l}`,
    ),
    'redis-0',
    'redis-1',
  ],
  [
    'ports in parentheses',
    both(
      (l) => `(6379) ${l}`,
      (l) => `(6380) ${l}`,
    ),
    '6379',
    '6380',
  ],
  [
    'ports',
    both(
      (l) => `6379: ${l}`,
      (l) => `6380: ${l}`,
    ),
    '6379',
    '6380',
  ],
  [
    'hosts in json',
    both(
      (l) => JSON.stringify({ host: 'a', message: l }),
      (l) => JSON.stringify({ host: 'b', message: l }),
    ),
    'a',
    'b',
  ],
  [
    'a column of a table',
    `pod,line\n${both(
      (l) => `a,"${l.replaceAll('"', '""')}"`,
      (l) => `b,"${l.replaceAll('"', '""')}"`,
    )}`,
    'a',
    'b',
  ],
])('a text of several servers is refused: %s', async (_, text, one, other) => {
  expect(await readIn(text)).toEqual({ code: 'monitor-of-several', values: { one, other } });
});

test.each([
  ['local times', each((l) => l.replace(/^\d+\.(\d+)/, '2026-11-18 10:26:40.$1')), 'other-times'],
  ['local times de', each((l) => l.replace(/^\d+\.(\d+)/, '18.11.2026 10:26:40,$1')), 'other-times'],
  ['RedisInsight', each((l) => l.replace(/^\d+\.(\d{3})\d+/, '10:26:40.$1')), 'other-times'],
  ['awk strftime', each((l) => l.replace(/^\d+\.(\d+)/, '[Wed Nov 18 10:26:40 2026]')), 'other-times'],
  [
    'ioredis print',
    `1795000000.000037 [\n  'evalsha',\n  '149c5a8bf18676fd99e9e6e24923bd64d9b62f94',\n  '1',\n  'stock:7'\n] 10.0.0.11:40001 0\n`,
    'other-form',
  ],
  ['node-redis 3', '1795000000.000037: evalsha,149c,1,stock:7\n', 'other-form'],
  [
    'redis-py dict',
    "{'time': 1795000000.000037, 'db': 0, 'client_address': '10.0.0.11', 'client_port': '40001', 'client_type': 'tcp', 'command': 'EVALSHA 149c 1 stock:7'}\n",
    'other-form',
  ],
  ['kvrocks', '1795000000.000037 [__namespace 10.0.0.11:40001] "set" "k" "v"\n', 'other-form'],
  ['single smart', each((l) => l.replace(/"([^"]*)"/g, '‘$1’')), 'other-form'],
  ['base64', `Here is it:\n\n${base64(BARE)}\n`, 'encoded'],
  ['gzip twice', gzipSync(gzipSync(BARE)), 'archive'],
  ['zip', Buffer.from(`PK\x03\x04${'\0'.repeat(30)}monitor.txt`), 'archive'],
  ['excel rounded times', each((l) => l.replace(/^(\d+)\.(\d+)/, '1.795E+09')), 'other-times'],
  ['empty', '', 'empty'],
  ['png', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'picture'],
  ['webp', Buffer.from('RIFF\x10\0\0\0WEBPVP8 \0\0', 'latin1'), 'picture'],
  ['heic', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'), 'picture'],
  ['bmp', Buffer.from(`BM${'\x01\0\0\0\0'.repeat(40)}`, 'latin1'), 'picture'],
  ['svg', '<svg xmlns="http://www.w3.org/2000/svg"></svg>', undefined],
  ['pdf', '%PDF-1.7\n%\xe2\xe3', 'picture'],
  ['docx', Buffer.from('PK\x03\x04\x14\0\x06\0word/document.xml'), 'archive'],
  ['rdb', Buffer.from('REDIS0011\xfa\x09redis-ver', 'latin1'), 'redis-data'],
  ['a mail of Outlook', Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from(BARE)]), 'binary'],
  ['lz4', Buffer.from('04224d186440a7', 'hex'), 'archive'],
  ['without times', each((l) => l.replace(/^\S+ /, '')), 'other-times'],
  [
    'a profiler with the time on another line',
    each((l) => l.replace(/^\d+\.(\d{3})\d+ /, '10:26:40.$1\n')),
    'other-times',
  ],
  ['only words', each((l) => l.replace(/^.*?\] /, '')), 'other-form'],
  ['columns of a spreadsheet', each((l) => l.replaceAll('"', '').replaceAll(' ', '\t')), 'other-form'],
  ['hgetall', '1) "aaaaaaaa-0000-4000-8000-000000000001:31"\n2) "1"\n', 'redis-reply'],
  ['hgetall of RESP 3', '1# "aaaaaaaa-0000-4000-8000-000000000001:31" => "1"\n', 'redis-reply'],
  ['pttl', '127.0.0.1:6379> PTTL stock:7\n(integer) 29876\n', 'redis-reply'],
  [
    'messages',
    'Reading messages... (press Ctrl-C to quit)\n1) "psubscribe"\n2) "__key*"\n3) (integer) 1\n',
    'redis-reply',
  ],
  ['raw messages', 'pmessage\n__key*\n__keyspace@0__:stock:7\ndel\n', 'redis-reply'],
  ['cluster nodes', `${'0'.repeat(40)} 10.0.0.5:6379@16379 myself,master - 0 0 1 connected 0-5460\n`, 'redis-reply'],
  ['scan', 'stock:7\nstock:8\n', undefined],
  ['commandstats', '# Commandstats\ncmdstat_eval:calls=12,usec=300,usec_per_call=25.00\n', 'redis-info'],
  ['valkey rdb', Buffer.from('VALKEY080\xfa\x09valkey-ver', 'latin1'), 'redis-data'],
  ['aof', '*2\r\n$6\r\nSELECT\r\n$1\r\n0\r\n', 'commands'],
  ['aof with preamble', Buffer.from('REDIS0011\xfa\x09redis-ver', 'latin1'), 'redis-data'],
  [
    'aof manifest',
    'file appendonly.aof.1.base.rdb seq 1 type b\nfile appendonly.aof.1.incr.aof seq 1 type i\n',
    'commands',
  ],
  ['heap dump', Buffer.from('JAVA PROFILE 1.0.2\0\0\0\0\x08'), 'heap-dump'],
  ['info', '# Server\r\nredis_version:7.0.15\r\nredis_git_sha1:00000000\r\n', 'redis-info'],
  ['info valkey', '# Server\r\nredis_version:7.2.4\r\nserver_name:valkey\r\nvalkey_version:8.1.0\r\n', 'redis-info'],
  [
    'slowlog',
    '1) 1) (integer) 14\n   2) (integer) 1795000001\n   3) (integer) 12034\n   4) 1) "EVALSHA"\n      2) "149c"\n   5) "10.0.0.7:51422"\n   6) ""\n',
    'slowlog',
  ],
  [
    'the slow log of ElastiCache',
    '{"CacheClusterId":"a","Id":296,"Timestamp":1795000001,"Duration (us)":12034,"Command":"EVALSHA 149c","ClientAddress":"10.0.0.7:51422"}\n',
    'slowlog',
  ],
  ['acl log', '1)  1) "count"\n    2) (integer) 1\n    3) "reason"\n    4) "command"\n', 'redis-reply'],
  ['the log of a web server', '"GET" "/index.html" "200"\n', undefined],
  ['slowlog raw', '14\n1795000001\n12034\nEVALSHA\n149c\n10.0.0.7:51422\n', undefined],
  [
    'client list',
    'id=3 addr=127.0.0.1:51422 laddr=127.0.0.1:6379 fd=8 name= age=12 idle=0 flags=N db=0 sub=0\n',
    'client-list',
  ],
  ['redis log', '1:M 18 Nov 2026 10:26:40.123 * Ready to accept connections tcp\n', 'redis-log'],
  [
    'redis log old',
    '[812] 18 Nov 10:26:40.123 * The server is now ready to accept connections on port 6379\n',
    'redis-log',
  ],
  [
    'redis log starting',
    '812:C 18 Nov 2026 10:26:40.123 # oO0OoO0OoO0Oo Redis is starting oO0OoO0OoO0Oo\n',
    'redis-log',
  ],
  ['redis log iso (redis 8)', '1:M 2026-11-18T10:26:40.123+00:00 * Ready to accept connections tcp\n', 'redis-log'],
  [
    'valkey logfmt',
    'pid=1 role=primary timestamp="18 Nov 2026 10:26:40.123" level=notice message="Ready to accept connections tcp"\n',
    'redis-log',
  ],
  ['pcap', Buffer.from('d4c3b2a1020004000000000000000000', 'hex'), 'binary'],
  [
    'psubscribe keyspace',
    '1) "pmessage"\n2) "__keyspace@0__:*"\n3) "__keyspace@0__:stock:7"\n4) "del"\n',
    'redis-reply',
  ],
  ['html page', '<!DOCTYPE html><html><body>Sign in</body></html>', undefined],
  ['redis-cli error', '(error) NOAUTH Authentication required.\n', 'redis-error'],
  ['could not connect', 'Could not connect to Redis at 127.0.0.1:6379: Connection refused\n', 'redis-error'],
  ['monitor not allowed', "(error) NOPERM User app has no permissions to run the 'monitor' command\n", 'redis-error'],
  ['ms epoch', each((l) => l.replace(/^(\d+)\.(\d{3})\d+/, '$1$2')), 'other-times'],
  ['no quotes', each((l) => l.replaceAll('"', '')), 'other-form'],
  ['app log with ERR word', 'ERR something\n', undefined],
  ['java stack', 'java.lang.IllegalStateException: x\n\tat a.B.c(B.java:1)\n', undefined],
  ['a recording behind a blank line', `\n${RECORDED}`, 'recording-text'],
  ['a recording in a fence', `\`\`\`\n${RECORDED}\n\`\`\``, 'recording-text'],
  ['a recording with numbers of lines', each((l, n) => `${n + 1}\t${l}`, RECORDED), 'recording-text'],
  ['a recording as a list', `[${RECORDED.split('\n').join(',\n')}]`, 'recording-text'],
  ['a recording with other quotes', RECORDED.replaceAll('"', '\u201c'), 'recording-text'],
  ['a recording without its first line', RECORDED.split('\n').slice(1).join('\n'), 'recording-text'],
])('%s is refused as what it is', async (_, text, seems) => {
  expect(await readIn(text)).toEqual({ code: 'not-a-recording', values: seems === undefined ? {} : { seems } });
});
