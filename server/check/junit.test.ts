import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { junitXml } from './junit.ts';

const SUITE = { name: 'lockscope', timestamp: '2026-11-21T10:41:03.000Z', seconds: 1.5, output: [] };

test('passed, failed and skipped cases are counted', () => {
  const cases = [{ name: 'a' }, { name: 'b', failures: ['x', 'y'] }, { name: 'c', skipped: 'not seen' }];
  const xml = junitXml({ ...SUITE, cases });
  expect(xml).toContain('<testsuite name="lockscope" tests="3" failures="1" errors="0" skipped="1" time="1.500"');
  expect(xml).toContain('<testcase classname="lockscope" name="a" time="0.000">\n    </testcase>');
  expect(xml).toContain('<failure message="x (and 1 more)" type="b">x\ny</failure>');
  expect(xml).toContain('<skipped message="not seen"/>');
  expect(xml).toContain('timestamp="2026-11-21T10:41:03"');
});

test('a failure is shown even if the case could be checked only in part', () => {
  const xml = junitXml({ ...SUITE, cases: [{ name: 'a', failures: ['x'], skipped: 'not seen' }] });
  expect(xml).toContain('failures="1" errors="0" skipped="0"');
  expect(xml).not.toContain('<skipped');
});

test('markup, quotes, line breaks and characters that XML cannot contain are escaped', () => {
  const hostile = `</failure>&<!--"'\n\t\r\u001b[31m\u0000\ud800\ufffe]]> 锁`;
  const xml = junitXml({ ...SUITE, cases: [{ name: hostile, failures: [hostile] }], output: [hostile] });
  expect(xml).toContain('&lt;/failure&gt;&amp;&lt;!--&quot;&apos;');
  expect(xml).toContain('\\x1b[31m\\x00\\ud800\\ufffe]]&gt; 锁');
  expect(xml).toContain('&#10;&#9;&#13;');
  expect(xml.replace(/[\n\t]/g, '')).not.toMatch(/[^\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u);
});

const hasPython = () => {
  try {
    execFileSync('python3', ['-c', 'import xml.dom.minidom'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

test.runIf(hasPython())('an XML parser reads back the text that was written', () => {
  const name = `a<b>&"c" 'd'\u0007 e\nf`;
  const xml = junitXml({ ...SUITE, cases: [{ name, failures: [name] }] });
  const read =
    'import sys,xml.dom.minidom as m;print(m.parseString(sys.stdin.buffer.read()).getElementsByTagName("testcase")[0].getAttribute("name"))';
  const out = execFileSync('python3', ['-c', read], { input: xml, encoding: 'utf8' });
  expect(out).toBe(`a<b>&"c" 'd'\\x07 e\nf\n`);
});
