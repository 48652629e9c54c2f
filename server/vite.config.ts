import { defineConfig } from 'vite';

/** Each file that is started or imported by its name, by its place in the build. */
const ENTRIES = {
  main: 'server/main.ts',
  'watch/thread/observer-worker': 'server/watch/thread/observer-worker.ts',
  'watch/observer/restore-settings': 'server/watch/observer/restore-settings.ts',
  'recordings/read-worker': 'server/recordings/read-worker.ts',
  'dumps/dump-worker': 'server/dumps/dump-worker.ts',
  'store/store-thread': 'server/store/store-thread.ts',
  'demo/client/main': 'server/demo/client/main.ts',
  'library/lockscope': 'library/lockscope.ts',
  'library/client': 'library/client.ts',
  'library/interpret': 'library/interpret.ts',
};

/**
 * The server in a few files: Node then starts in two thirds of the time that it needs with one file for each module.
 * Dependencies are not part of them.
 */
export default defineConfig({
  root: `${import.meta.dirname}/..`,
  publicDir: false,
  build: {
    ssr: true,
    target: 'node20',
    outDir: 'dist/server',
    emptyOutDir: true,
    sourcemap: true,
    rolldownOptions: {
      input: ENTRIES,
      output: {
        chunkFileNames: 'parts/[name]-[hash].js',
        comments: { jsdoc: false },
        // smaller, but names stay as they are, so that a stack trace can be read
        minify: {
          compress: { keepNames: { function: true, class: true } },
          mangle: false,
          codegen: { removeWhitespace: true },
        },
      },
    },
  },
});
