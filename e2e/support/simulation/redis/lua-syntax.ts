const TOKEN = /(?:\s|--[^\n]*)*([A-Za-z_]\w*|\d+(?:\.\d+)?|'[^'\\]*'|"[^"\\]*"|\.\.|[=~<>]=|[-+*/%#<>=(){}[\];,.])/y;

type Operator = readonly [precedence: number, js: (left: string, right: string) => string];

/** Binary operators: how strongly they bind, and their JavaScript. */
export const BINARY: Readonly<Record<string, Operator>> = {
  or: [1, (left, right) => `lua.or(${left}, () => ${right})`],
  and: [2, (left, right) => `lua.and(${left}, () => ${right})`],
  ...operators(3, ['<', '>', '<=', '>='], (sign) => (left, right) => `(${left} ${sign} ${right})`),
  '==': [3, (left, right) => `(${left} === ${right})`],
  '~=': [3, (left, right) => `(${left} !== ${right})`],
  '..': [4, (left, right) => `(lua.text(${left}) + lua.text(${right}))`],
  ...operators(5, ['+', '-'], calculated),
  ...operators(6, ['*', '/', '%'], calculated),
};
/** How strongly `-`, `#` and `not` bind. */
export const UNARY = 7;

/** What ends a list of statements. */
export const BLOCK_ENDS: ReadonlySet<string | undefined> = new Set(['end', 'else', 'elseif', 'return', undefined]);

/** Functions of Lua's library, written in JavaScript. */
export const LIBRARY: Readonly<Record<string, string>> = {
  tonumber: 'lua.tonumber',
  unpack: '...',
  'redis.call': 'call',
  'math.max': 'lua.max',
  'math.min': 'lua.min',
  'math.floor': 'lua.floor',
};

/** The words and signs of a script, without comments. Throws at anything else. */
export function tokensOf(source: string): string[] {
  const scan = new RegExp(TOKEN);
  const text = source.trimEnd();
  const tokens: string[] = [];
  for (let found = scan.exec(text); found; found = scan.exec(text)) {
    tokens.push(found[1] ?? '');
    if (scan.lastIndex === text.length) return tokens;
  }
  throw new Error(`a script that cannot be translated: ${source}`);
}

function operators(precedence: number, signs: readonly string[], js: (sign: string) => Operator[1]) {
  return Object.fromEntries(signs.map((sign): [string, Operator] => [sign, [precedence, js(sign)]]));
}

function calculated(sign: string): Operator[1] {
  return (left, right) => `(lua.number(${left}) ${sign} lua.number(${right}))`;
}
