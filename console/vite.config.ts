import { operatorOperations } from '@vitrine/contract/operator'
import { defineConfig, type Plugin } from 'vite'

const MODULE = 'virtual:operator-routes'

/**
 * Method and path of each operation, for the browser. The rows themselves stay here: with their schemas they would be several
 * times the rest of the console.
 */
function operatorRoutes(): Plugin {
  const routes = Object.entries(operatorOperations).map(([id, { method, path }]) => [id, [method, path]])
  return {
    name: 'operator-routes',
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : undefined),
    load: (id) =>
      id === `\0${MODULE}` ? `export const routes = ${JSON.stringify(Object.fromEntries(routes))}` : undefined,
  }
}

// biome-ignore lint/style/noDefaultExport: Vite reads it so.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [operatorRoutes()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: { outDir: 'dist', emptyOutDir: true, target: 'es2023', assetsInlineLimit: 0, reportCompressedSize: false },
})
