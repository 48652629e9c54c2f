import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor';
import { ROOT, runStep } from './set-up/run-command.mjs';

/*
 * The types of the package: one file for each entry point, made from the declarations of all files behind it. Each also
 * has a report in `docs/library`, so that a change of the public surface is a difference in a commit. With `--check`, a
 * report that is out of date is an error. The answers of the API, 90 kB, are in the types of the client only: those of
 * the interpreter import them from there.
 */

/** The entry points in this order, because the interpreter needs the types of the client. */
const ENTRIES = ['lockscope', 'client', 'interpret'];
/** How the declarations of the interpreter import the client: from a package, whose types are not copied. */
const CLIENT = `'lockscope/client'`;
const isCheck = process.argv.includes('--check');
const declarations = join(ROOT, 'dist/declarations');
const reports = join(ROOT, 'docs/library');

rmSync(declarations, { recursive: true, force: true });
const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
// `npm run types` checks the same files
if (!(await runStep('writing declarations', [process.execPath, tsc, '-p', 'tsconfig.types.json', '--noCheck']))) {
  process.exit(1);
}
mkdirSync(reports, { recursive: true });
nameClient();
for (const entry of ENTRIES) {
  if (!writeTypesOf(entry)) process.exitCode = 1;
  if (entry === 'client') installClient();
}
edit(join(ROOT, 'dist/types/interpret.d.ts'), (text) => text.replaceAll(CLIENT, `'./client.js'`));
rmSync(declarations, { recursive: true, force: true });

/**
 * Lets the declarations of the interpreter import the types of the client from its package. What is exported with a
 * star is named one by one.
 */
function nameClient() {
  const answers = readFileSync(join(declarations, 'library/client/answers.d.ts'), 'utf8');
  const names = [...answers.matchAll(/^export type (\w+)/gm)].map(([, name]) => name);
  edit(join(declarations, 'library/interpret.d.ts'), (text) =>
    text
      .replace(`export type * from './client/answers.ts'`, `export type { ${names.join(', ')} } from ${CLIENT}`)
      .replaceAll(`'./client.ts'`, CLIENT),
  );
}

/** Makes the types of the client a package that the declarations import. */
function installClient() {
  const folder = join(declarations, 'node_modules/lockscope');
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(ROOT, 'dist/types/client.d.ts'), join(folder, 'client.d.ts'));
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ type: 'module', exports: { './client': './client.d.ts' } }),
  );
  // without this file, the compiler would use the package of this checkout instead
  writeFileSync(join(declarations, 'package.json'), JSON.stringify({ type: 'module' }));
}

function edit(path, change) {
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}

/**
 * Writes the types and the report of one entry point. Returns false if that fails, or if the report was out of date in a
 * check.
 */
function writeTypesOf(entry) {
  const config = ExtractorConfig.prepare({
    configObject: configOf(entry),
    configObjectFullPath: undefined,
    packageJsonFullPath: join(ROOT, 'package.json'),
  });
  const { succeeded, apiReportChanged } = Extractor.invoke(config, {
    localBuild: !isCheck,
    showVerboseMessages: false,
  });
  if (apiReportChanged && isCheck)
    process.stderr.write(`docs/library/${entry}.api.md is out of date: npm run build:types\n`);
  return succeeded;
}

function configOf(entry) {
  return {
    projectFolder: ROOT,
    mainEntryPointFilePath: join(declarations, `library/${entry}.d.ts`),
    compiler: {
      overrideTsconfig: {
        compilerOptions: {
          target: 'ES2023',
          lib: ['ES2023', 'DOM'],
          module: 'NodeNext',
          moduleResolution: 'NodeNext',
          types: ['node'],
          strict: true,
          skipLibCheck: true,
          allowImportingTsExtensions: true,
          noEmit: true,
        },
        files: [join(declarations, `library/${entry}.d.ts`)],
      },
    },
    apiReport: {
      enabled: true,
      reportFolder: reports,
      reportTempFolder: join(ROOT, 'dist/api-reports'),
      reportFileName: `${entry}.api.md`,
      includeForgottenExports: entry === 'client', // the others have the same answers
    },
    docModel: { enabled: false },
    tsdocMetadata: { enabled: false },
    dtsRollup: { enabled: true, untrimmedFilePath: join(ROOT, `dist/types/${entry}.d.ts`) },
    messages: {
      extractorMessageReporting: {
        default: { logLevel: 'error' },
        'ae-missing-release-tag': { logLevel: 'none' },
        'ae-forgotten-export': { logLevel: 'none' },
        'ae-undocumented': { logLevel: 'none' },
        'ae-unresolved-link': { logLevel: 'none' },
      },
      tsdocMessageReporting: { default: { logLevel: 'none' } },
    },
  };
}
