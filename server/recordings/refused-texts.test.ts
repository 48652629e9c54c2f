import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { BARE, base64, each, RECORDED, readIn } from './testing/posted-texts.ts';

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
  [
    'lists of words in json',
    '{"time":1795000000.000037,"addr":"10.0.0.11:40001","cmd":["EVALSHA","149c","1","stock:7"]}\n',
    'other-form',
  ],
  ['kvrocks', '1795000000.000037 [__namespace 10.0.0.11:40001] "set" "k" "v"\n', 'other-form'],
  ['single smart', each((l) => l.replace(/"([^"]*)"/g, '‘$1’')), 'other-form'],
  ['base64', `Here is it:\n\n${base64(BARE)}\n`, 'encoded'],
  ['base64 on one line', Buffer.from(BARE).toString('base64'), 'encoded'],
  ['base64 in json', JSON.stringify({ data: gzipSync(BARE.repeat(9)).toString('base64') }), 'encoded'],
  ['hexadecimal', Buffer.from(BARE).toString('hex').replace(/.{64}/g, '$&\n'), undefined],
  ['a list of hashes', `${'a1b2c3d4'.repeat(8)}\n`.repeat(5), undefined],
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
  ['docx', Buffer.from('PK\x03\x04\x14\0\x06\0word/document.xml'), 'document'],
  ['ods', Buffer.from('PK\x03\x04\x14\0\0\x08mimetypeapplication/vnd.oasis.opendocument.spreadsheet'), 'document'],
  ['a jar', Buffer.from('PK\x03\x04\x14\0\0\x08META-INF/MANIFEST.MF'), 'archive'],
  ['gzip, damaged from its beginning', Buffer.concat([gzipSync(BARE).subarray(0, 12), Buffer.alloc(99)]), 'damaged'],
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
  ['redis-cli --bigkeys', '\n# Scanning the entire keyspace to find biggest keys as well as\n', 'redis-reply'],
  [
    'redis-cli --stat',
    '------- data ------ --------------------- load -------------------- - child -\nkeys       mem      clients\n',
    'redis-reply',
  ],
  [
    'messages in csv',
    '"psubscribe","__key*__:*",1\n"pmessage","__key*__:*","__keyevent@0__:expired","stock:7"\n',
    'redis-reply',
  ],
  [
    'messages by redis-py',
    "{'type': 'pmessage', 'pattern': b'__key*__:*', 'channel': b'__keyevent@0__:expired', 'data': b'stock:7'}\n",
    'redis-reply',
  ],
  [
    'raw messages with times in front',
    '10:26:44 pmessage\n10:26:44 __keyevent@0__:*\n10:26:44 __keyevent@0__:expired\n10:26:44 stock:7\n',
    'redis-reply',
  ],
  ['scan', 'stock:7\nstock:8\n', undefined],
  ['commandstats', '# Commandstats\ncmdstat_eval:calls=12,usec=300,usec_per_call=25.00\n', 'redis-info'],
  ['valkey rdb', Buffer.from('VALKEY080\xfa\x09valkey-ver', 'latin1'), 'redis-data'],
  ['aof', '*2\r\n$6\r\nSELECT\r\n$1\r\n0\r\n', 'commands'],
  ['the end of an aof', '$7\r\nstock:7\r\n*2\r\n$3\r\nDEL\r\n$7\r\nstock:7\r\n', 'commands'],
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
  [
    'client list by redis-py',
    "[{'id': '3', 'addr': '127.0.0.1:51422', 'laddr': '127.0.0.1:6379', 'name': '', 'flags': 'N', 'db': '0'}]\n",
    'client-list',
  ],
  [
    'slowlog by redis-py',
    "[{'id': 14, 'start_time': 1795000001, 'duration': 12034, 'command': b'EVALSHA 149c'}]\n",
    'slowlog',
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
])('the refusal of a text names what the text seems to be, if that is known: %s', async (_, text, seems) => {
  const { code, seems: found } = await refused(text);
  expect({ code, found }).toEqual({ code: 'not-a-recording', found: seems });
});

test.each([
  ['the first line', each((l) => l.replace(/^\d+\.(\d{3})\d+/, '10:26:40.$1')), 1],
  ['a line behind others', `Hi,\n\n> $ redis-cli client list\nid=3 addr=127.0.0.1:51422 fd=8\n`, 4],
  ['a prompt before it', 'a\r\n\r\n127.0.0.1:6379> PTTL stock:7\r\n(integer) 29876\r\n', 4],
  ['the first line of a recording', `\n\n${RECORDED}`, 3],
  ['other text', 'hello\n', undefined],
])('the refusal of a text names the line that shows what kind of text it is: %s', async (_, text, line) => {
  expect((await refused(text)).line).toBe(line);
});

async function refused(text: string | Buffer) {
  const { code, values } = await readIn(text);
  return { code, seems: undefined, line: undefined, ...values };
}
