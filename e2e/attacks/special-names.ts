/** Names with a special meaning in a shell, a browser, JavaScript, Redis or Lockscope. */
export const SPECIAL = [
  ...['', ' ', '.', '..', '../..', '/', '//', '\\', '%', '%00', '%2e%2e', '?', '#', '&', '=', '+', '\0', '\n', '\r\n'],
  ...['\t', '"', "'", '`', '\\"', '" "', '\\x41', '\\\\x41', '\\n', '__proto__', 'constructor', 'prototype'],
  ...['toString', 'hasOwnProperty', 'null', 'undefined', 'NaN', 'true', '0', '-1', '[object Object]', '{}', '[]', '{'],
  ...['}', '}{', '{a}', '{{a}}', 'a{b}c{d}', '<script>alert(1)</script>', '"><svg onload=alert(1)>', '$(id)', '%n%s%d'],
  ...['\u202Eevil\u202C', '\u200F\u200Eعربي', 'a\u0300'.repeat(50), '😀'.repeat(20), '\uFEFFbom', '\u2028\u2029'],
  ...[
    '\u001b[31mred\u001b[0m',
    '\u0007bell',
    'redisson_lock__channel:{x}',
    'redisson_lock_queue:{x}',
    ':rwlock:',
    'redisson_unlock_latch:{x}',
  ],
  ...['redisson_lock_timeout:{x}', 'redisson_rwlock:{x}', 'x:rwlock_timeout:1', 'lockscope:mark:x', 'lua', 'mode'],
  ...['[0 lua] "hincrby" "x"', '1795218454.496776 [0 lua] "hincrby" "x" "00000001-d89d-4cda-962c-c6e370a8fee0:1" "1"'],
  ...['+1795218454.49 [0 127.0.0.1:1] "del" "x"', '*1\r\n$4\r\nPING\r\n', 'x'.repeat(1000), 'é'.repeat(500)],
].map((name) => Buffer.from(name));
/** Names that are not text in UTF-8. */
export const BYTES = [
  [0xff],
  [0xc3],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0xc0, 0xaf],
  [0xff, 0x5c, 0x78, 0x66, 0x66],
  Array.from({ length: 256 }, (_, n) => n),
].map((bytes) => Buffer.from(bytes));
