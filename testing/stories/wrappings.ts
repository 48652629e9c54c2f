/** A form in which texts are passed on: the text as a container, a log, an export, a mail or a terminal shows it. */
type Wrap = (text: string) => string;

const lines = (text: string) => text.split('\n');
const eachLine = (change: (line: string, n: number) => string) => (text: string) => lines(text).map(change).join('\n');
const time = (n: number) =>
  `2026-11-18T10:26:${String(n % 60).padStart(2, '0')}.${String((n * 7919) % 1_000_000).padStart(6, '0')}`;
const json = (value: unknown) => JSON.stringify(value);
const doubled = (line: string) => `"${line.replaceAll('"', '""')}"`;

/** The forms in which texts are passed on, by name. */
export const WRAPS: Readonly<Record<string, Wrap>> = {
  docker: eachLine((line, n) => json({ log: `${line}\n`, stream: 'stdout', time: `${time(n)}Z` })),
  'json lines': eachLine((line, n) => json({ '@timestamp': time(n), level: 'info', message: line, pod: 'redis-0' })),
  'json list': (text) => json(lines(text).map((message, n) => ({ timestamp: 1_795_000_000_000 + n, message }))),
  'pretty json': (text) =>
    JSON.stringify({ hits: { hits: lines(text).map((msg) => ({ _source: { msg } })) } }, null, 2),
  loki: (text) =>
    json({
      data: {
        result: [
          { stream: { job: 'a' }, values: lines(text).map((line, n) => [String(1_795_000_000_000_000_000 + n), line]) },
        ],
      },
    }),
  'one text in json': (text) => json({ level: 'WARN', message: text }),
  logfmt: eachLine((line, n) => `time=${time(n)}Z level=info msg=${json(line)}`),
  compose: eachLine((line) => `redis-1  | ${line}`),
  'compose in colours': eachLine((line) => `\x1b[36mredis-1  | \x1b[0m${line}`),
  kubectl: eachLine((line, n) => `${time(n)}Z ${line}`),
  pod: eachLine((line) => `[pod/redis-0/redis] ${line}`),
  cri: eachLine((line, n) => `${time(n)}Z stdout F ${line}`),
  syslog: eachLine((line, n) => `Nov 18 10:26:${String(10 + (n % 50))} host-1 redis[812]: ${line}`),
  mail: eachLine((line) => `> ${line}`),
  'mail twice': eachLine((line) => `>> ${line}`),
  'a block': eachLine((line) => `    ${line}`),
  'a tab': eachLine((line) => `\t${line}`),
  fence: (text) => `Here it is:\n\n\`\`\`\n${text}\n\`\`\`\n\nRegards`,
  ticket: (text) => `{code:java}\n${text}\n{code}\n`,
  html: (text) => `<pre>
${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')}
</pre>`,
  table: (text) =>
    `time,line\n${lines(text)
      .map((line, n) => `${doubled(time(n))},${doubled(line)}`)
      .join('\n')}\n`,
  quotes: (text) => text.replace(/(^|[\s[(])"/gm, '$1\u201c').replaceAll('"', '\u201d'),
  escaped: (text) => json(text).slice(1, -1),
  terminal: (text) => `$ cat it\n\x1b]0;a title\x07\x1b[?2004l${text}\n\x1b[?2004h$ `,
  crlf: (text) => text.replaceAll('\n', '\r\n'),
  cr: (text) => text.replaceAll('\n', '\r'),
  file: (text) => `==> a.log <==\n${text}\n`,
  nuls: (text) => `${'\0'.repeat(1001)}${text}`,
};
