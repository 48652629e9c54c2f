import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import {
  allDocuments,
  allFiles,
  anchorsOf,
  commandsOf,
  fencesOf,
  linksOf,
  proseOf,
  ROOT,
  readersDocuments,
  textOf,
} from './documents.ts';

const DOCUMENTS = readersDocuments();
const FENCES = DOCUMENTS.flatMap((file) => fencesOf(file));
const FILES = allFiles();
const fencesIn = (...languages: string[]) => FENCES.filter(({ language }) => languages.includes(language));

/** Blocks of commands that `e2e/live/commands/docs-commands.deep.test.ts` does not run. Nothing else is left out. */
const NOT_RUN = [
  'CONTRIBUTING.md: it goes on until Ctrl+C',
  'CONTRIBUTING.md: they are the stages of `npm test` and `npm run test:deep`',
  'CONTRIBUTING.md: they need other servers and clients',
  'CONTRIBUTING.md: they need the server of npm run dev',
  'docs/embedding.md: the stage `package` does the same',
  'docs/fleet.md: they go on until they are stopped',
  'docs/in-your-tests.md: it needs Maven; `e2e/redisson/spring-boot.test.ts` runs the example',
  'docs/on-call.md: it needs another machine',
  'docs/opentelemetry.md: it installs packages; the stage `package` does the same',
  'docs/operating.md: it needs Docker; the stage `container` does the same',
  'docs/store.md: it needs a PostgreSQL',
  'docs/store.md: it watches until it is stopped',
];

/** `redis`: rules for a user, which `e2e/support/recommended-user.ts` sets. No program of ours reads the last three. */
const LANGUAGES = ['sh', 'js', 'json', 'java', 'yaml', 'redis', 'groovy', 'nginx', 'text'];

/** Every flag of the command, as `server/cli/flags.ts` lists them for `parseArgs`. */
const FLAGS = [...textOf('server/cli/flags.ts').matchAll(/^ {2}'?([a-z-]+)'?: \{ type: /gm)].map(
  ([, flag = '']) => flag,
);

/** Flags of other programs. */
const NOT_OUR_FLAGS = ['enable-feature', 'list', 'write', 'write-seconds'];

describe('blocks of code', () => {
  test('name a known language, and nothing else except why their commands are not run', () => {
    const wrong = FENCES.filter(({ language, rest }) => !LANGUAGES.includes(language) || rest !== '');
    expect(wrong.map(({ file, line, language, rest }) => `${file}:${line} ${language} ${rest}`)).toEqual([]);
    const unclosed = DOCUMENTS.filter((file) => (textOf(file).match(/^ *```/gm) ?? []).length % 2 !== 0);
    expect(unclosed).toEqual([]);
  });

  test('the list of commands that are not run is complete', () => {
    const found = FENCES.flatMap(({ file, whyNotRun }) => (whyNotRun === undefined ? [] : [`${file}: ${whyNotRun}`]));
    expect(found.sort()).toEqual(NOT_RUN);
    expect(FENCES.filter(({ language, whyNotRun }) => whyNotRun !== undefined && language !== 'sh')).toEqual([]);
  });

  test.each(fencesIn('yaml', 'json'))('$file:$line is valid', ({ text, language }) => {
    if (language === 'json') return void JSON.parse(text);
    expect(parseAllDocuments(text).flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([]);
  });

  test('programs are parts of the examples, which the stage `package` runs', () => {
    const examples = readdirSync(join(ROOT, 'examples'), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:mjs|java)$/.test(file))
      .map((file) => withoutIndent(textOf(`examples/${file}`)));
    const programs = fencesIn('js', 'java');
    expect(programs.length).toBeGreaterThan(0);
    const isPart = (text: string) => examples.some((example) => example.includes(withoutIndent(text)));
    expect(programs.filter(({ text }) => !isPart(text)).map(({ file, line }) => `${file}:${line}`)).toEqual([]);
  });
});

describe('what documents name exists', () => {
  test('every link leads to a file, and to a heading in it', () => {
    const documents = allDocuments();
    const broken = documents.flatMap((file) =>
      linksOf(file).flatMap(({ path, anchor }) => {
        if (!existsSync(join(ROOT, path))) return [`${file}: ${path}`];
        const isMissing = anchor !== undefined && path.endsWith('.md') && !anchorsOf(path).includes(anchor);
        return isMissing ? [`${file}: ${path}#${anchor}`] : [];
      }),
    );
    expect(broken).toEqual([]);
    expect(documents.flatMap(linksOf).length).toBeGreaterThan(60);
  });

  test('docs/README.md links every document beside it, and README.md links docs/README.md', () => {
    const linked = linksOf('docs/README.md').map(({ path }) => path);
    const beside = DOCUMENTS.filter((file) => file.startsWith('docs/') && file !== 'docs/README.md');
    expect(beside.filter((file) => !linked.includes(file))).toEqual([]);
    expect(linksOf('README.md').map(({ path }) => path)).toContain('docs/README.md');
  });

  test('every flag exists, and docs/command-line.md lists each', () => {
    expect(FLAGS).toContain('allow-release');
    const known = [...FLAGS, ...NOT_OUR_FLAGS];
    const unknown = DOCUMENTS.filter((file) => file !== 'CHANGELOG.md').flatMap((file) => {
      const inline = [...proseOf(file).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
      const ours = inline.filter((code) => /^(?:lockscope|npm start|npm run demo|--)/.test(code));
      return ours.flatMap(flagsIn).filter((flag) => !known.includes(flag));
    });
    expect(unknown).toEqual([]);
    const named = flagsIn(textOf('docs/command-line.md'));
    expect(FLAGS.filter((flag) => !named.includes(flag))).toEqual([]);
  });

  test('every npm script and environment variable exists, and package files have the current version', () => {
    const { scripts, version } = JSON.parse(textOf('package.json')) as { scripts: object; version: string }; // a file of this repository
    const texts = DOCUMENTS.map(textOf).join('\n');
    const run = [...texts.matchAll(/npm run ([a-z0-9:]+)/g)].map(([, name = '']) => name);
    expect(run.length).toBeGreaterThan(10);
    expect(run.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
    const packages = [...texts.matchAll(/lockscope-([\d.]+)\.tgz/g)].map(([, of]) => of);
    expect(new Set(packages)).toEqual(new Set([version]));
    const variables = [...texts.matchAll(/\bLOCKSCOPE_[A-Z_]+/g)].map(([name]) => name);
    const readers = FILES.filter((file) => file === 'server/cli/usage.ts' || file.startsWith('examples/'));
    const known = readers.map(textOf).join('\n');
    expect(variables.filter((name) => !known.includes(name))).toEqual([]);
  });

  test('every file that a document names in backticks exists, also where its first folders are left out', () => {
    const missing = DOCUMENTS.filter((file) => file !== 'CHANGELOG.md').flatMap((file) => {
      const named = [...proseOf(file).matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|tsx|mjs|md|yml|yaml))`/g)];
      const paths = named.map(([, path = '']) => path).filter((path) => !PLACEHOLDER.test(path));
      return paths.flatMap((path) => (FILES.some((each) => isEndOf(path, each)) ? [] : [`${file}: ${path}`]));
    });
    expect(missing).toEqual([]);
  });

  test.each(['README.md', 'docs/on-call.md', 'docs/teaching.md'])(
    'texts in italics in %s are texts of the page',
    (file) => {
      const isTextFile = /^web\/words\/en\/.*\.ts$|^shared\/insights\/english\/.*\.ts$/;
      const words = FILES.filter((each) => isTextFile.test(each))
        .map(textOf)
        .join('\n');
      const quoted = [
        ...proseOf(file)
          .replace(/`[^`\n]*`/g, '')
          .matchAll(/(?<![*\w])\*([^*\n]+)\*(?![*\w])/g),
      ];
      const texts = quoted.map(([, text = '']) => text);
      expect(texts.length).toBeGreaterThan(2);
      expect(texts.filter((text) => !words.includes(text))).toEqual([]);
    },
  );

  test('every test file that docs/security.md names as a proof exists', () => {
    const rows = textOf('docs/security.md').matchAll(/^\|[^|]*\|[^|]*\|([^|]*)\|$/gm);
    const named = [...rows].flatMap(([, proof = '']) => [...proof.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
    expect(named.length).toBeGreaterThan(30);
    const tests = FILES.filter((file) => /^bench\/|\.(?:test|spec)\.ts$/.test(file)).map((file) =>
      file.replace(/\.ts$/, ''),
    );
    const isTest = (name: string) =>
      ['', '.test', '.spec', '.deep.test', '.deep.spec', '.live.deep.test'].some((end) =>
        tests.some((file) => isEndOf(name + end, file)),
      );
    expect(named.filter((name) => !isTest(name))).toEqual([]);
  });
});

/** A placeholder in a path, for example `THEME`. */
const PLACEHOLDER = /\b(?:AREA|THEME|NAME)\b/;

function withoutIndent(text: string): string {
  return text.replace(/^ +/gm, '');
}

function flagsIn(text: string): string[] {
  return [...text.matchAll(/(?:^|[\s`|(])--([a-z][a-z-]*)/gm)].map(([, flag = '']) => flag);
}

function isEndOf(path: string, file: string): boolean {
  return file === path || file.endsWith(`/${path}`);
}

test('commands are read without comments, and lines that continue are joined', () => {
  expect(commandsOf({ text: '# first\na b   # comment\n\nc \\\n  d "#e"\n' })).toEqual(['a b', 'c    d "#e"']);
});
