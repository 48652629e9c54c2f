import { expect, test } from 'vitest';
import { translateLua } from './lua.ts';
import type { LuaValue } from './lua-runtime.ts';

/** Runs a script whose commands get these replies. Returns the result of the script, and its commands. */
function run(source: string, { keys = [] as string[], args = [] as string[], replies = [] as LuaValue[] } = {}) {
  const calls: LuaValue[][] = [];
  const rest = [...replies];
  const result = translateLua(source)(keys, args, (...words) => {
    calls.push(words);
    return rest.shift();
  });
  return { result, calls };
}

test.each<[string, LuaValue]>([
  ['return 1 + 2 * 3 - 4 / 2', 5],
  ['return -(2 + 3)', -5],
  ['return "10" + 1', 11],
  ["return 'a' .. 1 .. 'b'", 'a1b'],
  ['return 0 and 2', 2],
  ['return nil and 2 or 3', 3],
  ['return false or nil', undefined],
  ['return not 0', false],
  ['return 1 == 1 and 2 ~= 3', true],
  ["return 1 == '1'", false],
  ['return #{1, 2, 3}', 3],
  ['local t = {} t[#t + 1] = 7 t[#t + 1] = 8 return t', [7, 8]],
  ["local t = { hash = 'hlen' } return t['hash'] .. t.hash", 'hlenhlen'],
  ['local sum = 0 for n = 3, 1, -1 do sum = sum * 10 + n end return sum', 321],
  ["local all = '' for n, name in ipairs({'x', 'y'}) do all = all .. n .. name end return all", '1x2y'],
  ['local n = 0 while true do n = n + 1 if n == 5 then break end end return n', 5],
  ['local function twice(x) return x * 2 end return twice(4)', 8],
  ['if nil then return 1 elseif 0 then return 2 else return 3 end', 2],
  ["return tonumber('x')", undefined],
  ["return math.max('12', 3) + math.floor(1.9)", 13],
  ['local x -- no value\nreturn x', undefined],
  ['return', undefined],
])('the script %s returns %j', (source, result) => {
  expect(run(source).result).toEqual(result);
});

test('a command is called with keys, arguments and the items of an unpacked list', () => {
  const source = "redis.call('zrem', KEYS[2], unpack(redis.call('zrange', KEYS[1], 0, ARGV[#ARGV])))";
  const { calls } = run(source, { keys: ['a', 'b'], args: ['x', '5'], replies: [['m', 'n']] });
  expect(calls).toEqual([
    ['zrange', 'a', 0, '5'],
    ['zrem', 'b', 'm', 'n'],
  ]);
});

test.each(['return a:b()', 'return [[long]]', 'goto done', "return 'a\\n'"])(
  'the script %s cannot be translated',
  (source) => {
    expect(() => run(source)).toThrow();
  },
);
