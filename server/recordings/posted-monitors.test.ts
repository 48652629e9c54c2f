import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { looksLikeDump } from '../../shared/dumps/looks-like-dump.ts';
import { BARE, base64, each, LINES, printable, readIn, second } from './testing/posted-texts.ts';

/* Texts of MONITOR in the forms in which people post and attach them. */

const JSTACK = readFileSync(new URL('../../shared/traces/texts/jstack.txt', import.meta.url), 'utf8');
const rtf = (text: string) => text.replace(/[\\{}]/g, '\\$&');
const words = (change: string) => each((l) => l.replace(/"([^"]*)"/g, change));
const ofNet = (text: string) => JSON.stringify(text).slice(1, -1).replaceAll('\\"', '\\u0022');
/** A recording of a terminal, as asciinema writes it: a line has what was written at one instant. */
const cast = (texts: readonly string[]) =>
  [
    { version: 2, width: 200, height: 50, title: 'redis-cli monitor' },
    [0.05, 'i', 'redis-cli monitor\r'],
    ...texts.map((text, n) => [n / 10, 'o', text.replaceAll('\n', '\r\n')]),
  ]
    .map((line) => JSON.stringify(line))
    .join('\n');
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
  ['a recording of a terminal', cast(BARE.split(/(?<=\n)/))],
  ['a recording of a terminal, whose texts end anywhere', cast(BARE.match(/[\s\S]{1,61}/g) ?? [])],
  ['events by the command line of aws', each((l) => `EVENTS\t3794\t1795000000400\tredis/0\t${l}\t1795000000037`)],
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
  ['ids per line', each((l, n) => `a${(n * 7919).toString(16)} ${l}`)],
  ['weekday lower', each((l, n) => `${n < 9 ? 'mon' : 'tue'} ${l}`)],
  ['levels in brackets', each((l, n) => `[${n % 2 ? 'info' : 'debug'}] ${l}`)],
  ['python logging', each((l) => `INFO:root:${l}`)],
  ['node console prefix', each((l) => `monitor: ${l}`)],
  ['go slog', each((l) => `time=2026-11-18T10:26:40Z level=INFO msg="${JSON.stringify(l).slice(1, -1)}"`)],
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
  [
    'rows of a page with code',
    `<table>\n${each((l, n) => `<tr><td id="L${n}" data-line-number="${n}"></td>\n<td class="code">${l.replaceAll('"', '&quot;')}</td></tr>`)}\n</table>`,
  ],
  ['a pager', each((l, n) => (n % 9 ? l : `${l}\n--More--`))],
  ['two captures that overlap', [...LINES.slice(0, 20), ...LINES.slice(12)].join('\n')],
  ['two captures that overlap, the later one first', [...LINES.slice(12), ...LINES.slice(0, 20)].join('\n')],
  ['a capture within another one', [...LINES, ...LINES.slice(9, 14)].join('\n')],
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
])('all lines in the form "%s" are read', async (_, text) => {
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

test('across a damaged line of a recording of a terminal, nothing is joined', async () => {
  const [first = '', next = '', ...rest] = cast(BARE.match(/[\s\S]{1,61}/g) ?? [])
    .split('\n')
    .slice(2);
  const { lines: all = [] } = await readIn(BARE);
  const { lines = [], badCount } = await readIn([cast([]), first, next.slice(0, -9), ...rest].join('\n'));
  expect(badCount).toBeGreaterThan(0);
  expect(lines.length).toBeGreaterThan(25);
  expect(all).toEqual(expect.arrayContaining(lines));
});
