import { DELIVERY_STATUSES, eventKindNames, LEGAL_DOCUMENT_TYPES, SCOPES } from '@vitrine/contract'
import { operatorOperations } from '@vitrine/contract/operator'
import { defineConfig, type Plugin } from 'vite'

/** The parts of the contract that the browser needs. */
const MODULES: Readonly<Record<string, string>> = {
  'virtual:operator-routes': exported({
    routes: Object.fromEntries(
      Object.entries(operatorOperations).map(([id, { method, path }]) => [id, [method, path]]),
    ),
  }),
  'virtual:contract-words': exported({
    deliveryStatuses: DELIVERY_STATUSES,
    eventKinds: eventKindNames,
    legalTypes: LEGAL_DOCUMENT_TYPES,
    scopes: SCOPES,
  }),
}

function exported(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`)
    .join('\n')
}

/**
 * Provides method and path of each operation, and the enumerations of the contract. The rows themselves, with their schemas,
 * would be several times the size of the console.
 */
function contractModules(): Plugin {
  return {
    name: 'contract-modules',
    resolveId: (id) => (id in MODULES ? `\0${id}` : undefined),
    load: (id) => MODULES[id.slice(1)],
  }
}

// biome-ignore lint/style/noDefaultExport: Vite reads it so.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [contractModules()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: { outDir: 'dist', emptyOutDir: true, target: 'es2023', assetsInlineLimit: 0, reportCompressedSize: false },
})
