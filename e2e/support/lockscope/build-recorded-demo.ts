import { fileURLToPath } from 'node:url';

/** Where Playwright's workers find what `build-recorded-demo.ts` built. */
export const RECORDED_DEMO = fileURLToPath(new URL('../../../dist/testing/serve-recorded-demo.js', import.meta.url));

/**
 * Builds the recorded demo for the workers of a Playwright run. Without it, each worker would transform the 700 modules
 * of the server, which takes 17 s. The build takes 2 s.
 */
export default async function setup(): Promise<void> {
  const { build } = await import('vite'); // only here: workers read this file for the path
  await build({
    configFile: false,
    root: fileURLToPath(new URL('../../..', import.meta.url)),
    publicDir: false,
    logLevel: 'error',
    build: {
      ssr: 'server/testing/serve-recorded-demo.ts',
      target: 'node20',
      outDir: 'dist/testing',
      emptyOutDir: true,
      sourcemap: true,
    },
  });
}
