import { type LuaValue, RUNTIME } from './lua-runtime.ts';
import { BINARY, BLOCK_ENDS, LIBRARY, tokensOf, UNARY } from './lua-syntax.ts';

/** Runs one command of a script. Null replies are `false`, as in Lua. */
type LuaCall = (...words: LuaValue[]) => LuaValue;
/** A script of Redis, translated. */
export type LuaScript = (keys: readonly string[], args: readonly string[], call: LuaCall) => LuaValue;

/**
 * Translates a script of Redis to JavaScript, so that a simulated server runs the clients' own scripts. It knows the
 * part of Lua that scripts of locks use, and throws if a script contains anything else.
 *
 *   if redis.call('exists', KEYS[1]) == 0 then  →  if (lua.isTrue((call("exists", $KEYS[0]) === 0))) {
 */
export function translateLua(source: string): LuaScript {
  const body = new Translator(source).block();
  const make = new Function('lua', '$KEYS', '$ARGV', 'call', body) as (
    lua: typeof RUNTIME,
    ...of: Parameters<LuaScript>
  ) => LuaValue; // the text was made above
  return (keys, args, call) => make(RUNTIME, keys, args, call);
}

class Translator {
  readonly #tokens: readonly string[];
  #at = 0;
  #loops = 0;

  constructor(source: string) {
    this.#tokens = tokensOf(source);
  }

  block(): string {
    const statements: string[] = [];
    while (!BLOCK_ENDS.has(this.#next)) statements.push(this.#statement());
    if (this.#accept('return')) {
      const isEmpty = BLOCK_ENDS.has(this.#next);
      statements.push(isEmpty ? 'return;' : `return ${this.#expression()};`);
    }
    return statements.join('\n');
  }

  get #next(): string | undefined {
    return this.#tokens[this.#at];
  }

  #take(): string {
    const token = this.#tokens[this.#at++];
    if (token === undefined) throw new Error('a script ends too early');
    return token;
  }

  #accept(token: string): boolean {
    if (this.#next !== token) return false;
    this.#at++;
    return true;
  }

  #expect(token: string): void {
    if (!this.#accept(token)) throw new Error(`a script has ${this.#next} instead of ${token}`);
  }

  #statement(): string {
    if (this.#accept('local')) return this.#accept('function') ? this.#function() : `let ${this.#assignment()};`;
    if (this.#accept('if')) return this.#if();
    if (this.#accept('while')) return `while (${this.#condition('do')}) {\n${this.#body()}`;
    if (this.#accept('for')) return this.#for();
    if (this.#accept('break')) return 'break;';
    const target = this.#operand();
    if (!this.#accept('=')) return `${target};`;
    const value = this.#expression();
    const place = /^lua\.get\((.*)\)$/s.exec(target);
    return place ? `lua.set(${place[1]}, ${value});` : `${target} = ${value};`;
  }

  #assignment(): string {
    const names = this.#names();
    const values = this.#accept('=') ? this.#list() : [];
    return names.map((name, n) => `${name} = ${values[n] ?? 'undefined'}`).join(', ');
  }

  #function(): string {
    const name = this.#name();
    this.#expect('(');
    const parameters = this.#next === ')' ? [] : this.#names();
    this.#expect(')');
    return `function ${name}(${parameters.join(', ')}) {\n${this.#body()}`;
  }

  #if(): string {
    let js = `if (${this.#condition('then')}) {\n${this.block()}\n}`;
    while (this.#accept('elseif')) js += ` else if (${this.#condition('then')}) {\n${this.block()}\n}`;
    if (this.#accept('else')) js += ` else {\n${this.block()}\n}`;
    this.#expect('end');
    return js;
  }

  #for(): string {
    const names = this.#names();
    const own = `loop${++this.#loops}`;
    if (this.#accept('in')) {
      this.#expect('ipairs');
      this.#expect('(');
      const [list] = this.#closed(')');
      this.#expect('do');
      const [index, value = '$_'] = names;
      return `for (const [${own}, ${value}] of ${list}.entries()) {\nconst ${index} = ${own} + 1;\n${this.#body()}`;
    }
    this.#expect('=');
    const [first, last, step = '1'] = this.#list();
    this.#expect('do');
    const isOn = `(${step}) > 0 ? ${names[0]} <= ${own} : ${names[0]} >= ${own}`;
    return `for (let ${names[0]} = ${first}, ${own} = ${last}; ${isOn}; ${names[0]} += ${step}) {\n${this.#body()}`;
  }

  #condition(until: string): string {
    const js = `lua.isTrue(${this.#expression()})`;
    this.#expect(until);
    return js;
  }

  #body(): string {
    const js = `${this.block()}\n}`;
    this.#expect('end');
    return js;
  }

  #expression(least = 0): string {
    let left = this.#unary();
    for (;;) {
      const operator = BINARY[this.#next ?? ''];
      if (!operator || operator[0] <= least) return left;
      this.#at++;
      left = operator[1](left, this.#expression(operator[0]));
    }
  }

  #unary(): string {
    if (this.#accept('-')) return `(-lua.number(${this.#expression(UNARY)}))`;
    if (this.#accept('#')) return `lua.length(${this.#expression(UNARY)})`;
    if (this.#accept('not')) return `(!lua.isTrue(${this.#expression(UNARY)}))`;
    return this.#operand();
  }

  #operand(): string {
    const token = this.#take();
    if (token === '(') return this.#operandAfter(`(${this.#closed(')')[0]})`);
    if (token === '{') return this.#table();
    if (token === 'nil') return 'undefined';
    if (token === 'true' || token === 'false' || /^\d/.test(token)) return token;
    if (/^['"]/.test(token)) return JSON.stringify(token.slice(1, -1));
    const path = this.#next === '.' ? `${token}.${this.#tokens[this.#at + 1]}` : token;
    const known = LIBRARY[path];
    if (known === undefined) return this.#operandAfter(`$${token}`);
    if (path !== token) this.#at += 2;
    if (known !== '...') return this.#operandAfter(known);
    this.#expect('(');
    return `...${this.#closed(')')[0]}`;
  }

  /** Calls and indexes after a value. */
  #operandAfter(value: string): string {
    let js = value;
    for (;;) {
      if (this.#accept('(')) js = `${js}(${this.#closed(')').join(', ')})`;
      else if (this.#accept('[')) js = indexed(js, this.#closed(']')[0] ?? '');
      else if (this.#accept('.')) js = `lua.get(${js}, ${JSON.stringify(this.#take())})`;
      else return js;
    }
  }

  #table(): string {
    const items: string[] = [];
    let isNamed = false;
    while (!this.#accept('}')) {
      isNamed = this.#tokens[this.#at + 1] === '=';
      if (isNamed) {
        const name = this.#take();
        this.#expect('=');
        items.push(`${name}: ${this.#expression()}`);
      } else items.push(this.#expression());
      this.#accept(',');
    }
    return isNamed ? `({ ${items.join(', ')} })` : `[${items.join(', ')}]`;
  }

  #closed(end: string): string[] {
    const list = this.#next === end ? [] : this.#list();
    this.#expect(end);
    return list;
  }

  #list(): string[] {
    const list = [this.#expression()];
    while (this.#accept(',')) list.push(this.#expression());
    return list;
  }

  #names(): string[] {
    const names = [this.#name()];
    while (this.#accept(',')) names.push(this.#name());
    return names;
  }

  #name(): string {
    return `$${this.#take()}`;
  }
}

/** Arrays of Lua begin with 1. */
function indexed(table: string, index: string): string {
  const isOfScript = table === '$KEYS' || table === '$ARGV';
  return isOfScript
    ? `${table}[${/^\d+$/.test(index) ? Number(index) - 1 : `${index} - 1`}]`
    : `lua.get(${table}, ${index})`;
}
