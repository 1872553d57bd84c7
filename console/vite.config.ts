import * as contract from '@vitrine/contract'
import * as operatorContract from '@vitrine/contract/operator'
import { defineConfig, type Plugin } from 'vite'

/** The parts of the contract that the browser needs, instead of the whole. */
const MODULES: Readonly<Record<string, string>> = {
  'virtual:operator-routes': exported({
    routes: Object.fromEntries(
      Object.entries(operatorContract.operatorOperations).map(([id, row]) => [id, routeOf(row)]),
    ),
  }),
  'virtual:contract-enums': exported({
    deliveryStatuses: contract.DELIVERY_STATUSES,
    eventKinds: contract.eventKindNames,
    legalTypes: contract.LEGAL_DOCUMENT_TYPES,
    scopes: contract.SCOPES,
  }),
  '@vitrine/contract': exported(plainExportsOf(contract)),
  '@vitrine/contract/operator': exported(plainExportsOf(operatorContract)),
}

function routeOf(row: operatorContract.OperatorOperation) {
  const area = row.auth.kind === 'none' || row.auth.area === 'own' ? '' : row.auth.area
  const perStore = operatorContract.storeAllows(row) ? 1 : 0
  return [row.method, row.path, area, operatorContract.accessNeeded(row), perStore, unansweredAs(row)]
}

/** What is done about a request without an answer: a read or a sign-in has no effect that matters. */
function unansweredAs(row: operatorContract.OperatorOperation): 'repeat' | 'check' | '' {
  if (row.auth.kind === 'none' || operatorContract.accessNeeded(row) === 'read') return ''
  return row.idempotencyKey ? 'repeat' : 'check'
}

/** The string lists, the numbers and the decimals of currencies, as exported. The schemas would add 250 KB. */
function plainExportsOf(module: object): Readonly<Record<string, unknown>> {
  const isPlain = (value: unknown) =>
    typeof value === 'number' ||
    value === contract.CURRENCY_DIGITS ||
    (Array.isArray(value) && value.every((each) => typeof each === 'string'))
  return Object.fromEntries(Object.entries(module).filter(([, value]) => isPlain(value)))
}

function exported(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`)
    .join('\n')
}

/**
 * Provides method, path and access of each operation, and the enumerations and limits of the contract. The rows themselves, with their
 * schemas, would be several times the size of the console.
 */
function contractModules(): Plugin {
  return {
    name: 'contract-modules',
    enforce: 'pre',
    resolveId: (id) => (id in MODULES ? `\0${id}` : undefined),
    load: (id) => MODULES[id.slice(1)],
  }
}

// biome-ignore lint/style/noDefaultExport: Vite reads the default export.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [contractModules()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: { outDir: 'dist', emptyOutDir: true, target: 'es2023', assetsInlineLimit: 0, reportCompressedSize: false },
})
