import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const server = `http://127.0.0.1:${process.env.LOCKSCOPE_PORT ?? '4680'}`;

/** The script and the style sheet that every visit loads. */
const FIRST = /\/first-[^/]+\.(js|css)$/;

/** Adds the licence of the typeface, which has to be distributed with it. */
const typefaceLicence: Plugin = {
  name: 'typeface-licence',
  generateBundle() {
    const licence = fileURLToPath(import.meta.resolve('@fontsource-variable/inter/LICENSE'));
    this.emitFile({ type: 'asset', fileName: 'assets/inter-license.txt', source: readFileSync(licence) });
  },
};

/** Leaves out polling and WebTransport from socket.io's client: the server takes connections by WebSocket only. */
const onlyWebSocket: Plugin = {
  name: 'only-websocket',
  enforce: 'pre',
  resolveId: (id, importer) =>
    /\/(polling-xhr(\.node)?|webtransport)\.js$/.test(id) && importer?.includes('engine.io-client')
      ? NO_TRANSPORT
      : null,
  load: (id) => (id === NO_TRANSPORT ? 'export const XHR = undefined; export const WT = undefined;' : null),
};
const NO_TRANSPORT = '\0no-transport';

/**
 * Fails if a schema is in the page. The page needs only the types of schemas: zod would add 28 kB to the first visit.
 */
const noSchemas: Plugin = {
  name: 'no-schemas',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      const zod =
        file.type === 'chunk' && Object.entries(file.modules).find(([id, { code }]) => id.includes('/zod/') && code);
      if (zod) this.error(`${file.fileName} contains ${zod[0]}: import schemas with "import type"`);
    }
  },
};

/**
 * Modules that must not be in the first file: they recognise a pasted file, list the scripts that only the server
 * reads, or find the visible rows of a long table. They would add 16 kB to every visit.
 */
const NOT_FIRST =
  /\/shared\/(unwrap|dumps|events\/libraries\/token-libraries)\b|\/@tanstack\/(react-virtual|virtual-core)\//;

/** Fails if a file that every visit loads contains a module of `NOT_FIRST`. */
const onlyFirst: Plugin = {
  name: 'only-first',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk' || !FIRST.test(file.fileName)) continue;
      const found = Object.entries(file.modules).find(([id, { code }]) => code && NOT_FIRST.test(id));
      if (found) this.error(`${file.fileName} contains ${found[0]}: import it with "import()", or only its types`);
    }
  },
};

/** Scripts that load later have a compressed copy only from this size on: the package has to stay small. */
const LARGE_BYTES = 100_000;

/** Blocks of 1 MB, so that brotli compresses a file as a whole. */
const BROTLI = { params: { [constants.BROTLI_PARAM_LGBLOCK]: 20 } };

/**
 * Writes compressed copies beside the files of every visit (brotli and gzip) and beside large scripts (brotli). The
 * server sends the copies as they are.
 */
const compressedCopies: Plugin = {
  name: 'compressed-copies',
  writeBundle({ dir = '' }, bundle) {
    for (const file of Object.values(bundle)) {
      const content = Buffer.from(file.type === 'chunk' ? file.code : file.source);
      const isFirst = FIRST.test(file.fileName);
      if (!isFirst && !(file.type === 'chunk' && content.length >= LARGE_BYTES)) continue;
      writeFileSync(join(dir, `${file.fileName}.br`), brotliCompressSync(content, BROTLI));
      if (isFirst) writeFileSync(join(dir, `${file.fileName}.gz`), gzipSync(content, { level: 9 }));
    }
  },
};

/** The page is plain files next to the server: no inline script or style, so that a strict CSP holds. */
export default defineConfig({
  root: import.meta.dirname,
  // Relative: the page may be mounted under any path. The server writes that path into index.html.
  base: './',
  plugins: [react(), onlyWebSocket, typefaceLicence, noSchemas, onlyFirst, compressedCopies],
  build: {
    license: { fileName: 'licenses.md' },
    outDir: '../dist/web',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 800,
    // the schemas are left out: the page needs only their types
    rolldownOptions: {
      treeshake: { manualPureFunctions: ['z'] },
      // everything that every visit loads, in one file: many small ones compress worse
      output: { codeSplitting: { groups: [{ name: 'first', test: /web\/app\/main\.tsx$/ }] } },
    },
  },
  server: {
    proxy: {
      '/api': server,
      '/socket.io': { target: server, ws: true },
    },
  },
});
