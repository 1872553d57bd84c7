import { defineConfig } from 'vite'

/** The server is bundled into one file, so that it starts fast and can be copied. The browser loads one small script. */
// biome-ignore lint/style/noDefaultExport: Vite reads the default export.
export default defineConfig(({ isSsrBuild }) => ({
  root: import.meta.dirname,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  ssr: { noExternal: true },
  build: {
    outDir: isSsrBuild ? 'dist/server' : 'dist/browser',
    emptyOutDir: true,
    target: 'es2023',
    reportCompressedSize: false,
    rolldownOptions: isSsrBuild ? {} : { input: 'src/browser/instant.ts', output: { entryFileNames: 'instant.js' } },
  },
}))
