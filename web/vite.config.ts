import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const server = `http://127.0.0.1:${process.env.LOCKSCOPE_PORT ?? '4680'}`;

/** The page is plain files next to the server: no inline script or style, so that a strict CSP holds. */
export default defineConfig({
  root: import.meta.dirname,
  // Relative: the page may be mounted under any path. The server writes that path into index.html.
  base: './',
  plugins: [react()],
  build: {
    license: { fileName: 'licenses.md' },
    outDir: '../dist/web',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 800,
  },
  server: {
    proxy: {
      '/api': server,
      '/socket.io': { target: server, ws: true },
    },
  },
});
