/** What a test of the gate must not contain, because it makes a test fail by chance. */
const FORBIDDEN = [
  {
    found: /\bpause\(|\bsetTimeout\(|\bwaitForTimeout\(/,
    why: 'A timer. Wait for what the test needs: `waitFor`, `expect.poll`, a visible state.',
  },
  {
    found: /\bperformance\.now\(|\bexpect(?:\.\w+)?\(.*\bDate\.now\(/,
    why: 'A measured time. Expect an order of events, or a state.',
  },
  {
    found: /\btimeout:|\btest\.(?:setTimeout|slow)\(|\bwithinMs\b/,
    why: 'A time limit. The limit of the stage is enough.',
  },
  { found: /\bMath\.random\(|\bseedOfRun\(/, why: 'A random value. Random tests are deep: `x.deep.test.ts`.' },
];

const SHORT_TIME = /\b(?:leaseMs|ttlMs|watchdogMs)\s*[:=]\s*([\d_]+)|'P?X', '(\d+)'|'PEXPIRE', [^,]+, '(\d+)'/g;
const SHORTEST_MS = 10_000;
const AT_ONCE_MS = 50;
const SHORT =
  'A lease below 10 s that may run out by chance. Take a long one; `PEXPIRE key 50` makes it expire at once.';

const FAULT = /(?<!\bprocess)\.(?:crash|freeze|kill|cut|cutAll)\(|'SIG(?:KILL|STOP)'/;
const WAIT = /\bawait (?:waitFor\w*|expect(?:\.poll)?|until\w+|.*\.(?:story|eventsUntil|until\w*|whenReady))\(/;
const FAULT_EARLY = 'A fault before the test has waited for what it needs.';
/** In these hooks, a fault is not part of a test. */
const CLEAN_UP = /\bafter(?:Each|All)\(/;
const TEST_BEGINS = /^\s*(?:test|it)(?:\.\w+)*[(`]/;

/** The lines of a test file that break a rule of the gate, as `{ line, text, why }`. Lines are counted from 1. */
export function brokenRules(content) {
  const broken = [];
  let hasWaited = false;
  content.split('\n').forEach((text, index) => {
    if (/^\s*(?:\/\/|\*|\/\*)/.test(text) || /^import\b/.test(text)) return;
    const report = (why) => broken.push({ line: index + 1, text: text.trim(), why });
    for (const { found, why } of FORBIDDEN) if (found.test(text)) report(why);
    if ([...text.matchAll(SHORT_TIME)].some((match) => isShort(match))) report(SHORT);
    if (TEST_BEGINS.test(text)) hasWaited = false;
    if (CLEAN_UP.test(text)) hasWaited = true;
    if (WAIT.test(text)) hasWaited = true;
    if (!FAULT.test(text)) return;
    if (!hasWaited) report(FAULT_EARLY);
    hasWaited = false;
  });
  return broken;
}

/**
 * Whether a lease may run out by chance. 50 ms is allowed, so that a key expires at once: with less, Redis deletes the
 * key (`del`) instead of expiring it if its clock ticks within the command.
 */
function isShort([, ...numbers]) {
  const ms = Number(numbers.find((number) => number !== undefined).replaceAll('_', ''));
  return ms > 0 && ms !== AT_ONCE_MS && ms < SHORTEST_MS;
}
