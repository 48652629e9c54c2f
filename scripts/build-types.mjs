import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor';
import { ROOT, runStep } from './set-up/run-command.mjs';

/*
 * The types of the package: one file for each entry point, made from the declarations of all files behind it, and a report
 * of each in `docs/library`, so that a change of the public surface is a difference in a commit. With `--check`, a report
 * that is out of date is an error.
 */

const ENTRIES = ['lockscope', 'client', 'interpret'];
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
for (const entry of ENTRIES) if (!isDone(entry)) process.exitCode = 1;
rmSync(declarations, { recursive: true, force: true });

/** Writes the types and the report of one entry point. False if it cannot, or if the report was out of date in a check. */
function isDone(entry) {
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
