import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire, registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openapiDocument } from '@vitrine/contract/openapi'

/**
 * Generates a client with each generator: `node generate-clients.ts FOLDER`. A process of its own, because two of the generators
 * need the API of TypeScript 5, which the version that checks types does not have.
 */

const repository = join(import.meta.dirname, '../..')
const { resolve: resolveTypescript } = createRequire(join(repository, 'test/package.json'))
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'typescript' && /\/(@hey-api|openapi-typescript)\//.test(context.parentURL ?? '')
      ? { url: pathToFileURL(resolveTypescript(specifier)).href, shortCircuit: true }
      : next(specifier, context),
})

const [folder = ''] = process.argv.slice(2)
const document = JSON.parse(JSON.stringify(openapiDocument({ serverUrl: 'https://storefront.example' })))
const generated = join(folder, 'generated')
await mkdir(generated, { recursive: true })

const { default: openapiTypescript, astToString } = await import('openapi-typescript')
await writeFile(join(generated, 'paths.ts'), astToString(await openapiTypescript(structuredClone(document))))

const { createClient } = await import('@hey-api/openapi-ts')
await createClient({
  input: structuredClone(document),
  output: { path: join(generated, 'hey-api'), module: { extension: '.js' } },
  plugins: ['@hey-api/typescript', '@hey-api/client-fetch', '@hey-api/sdk'],
  logs: { level: 'silent', file: false },
})

const { generateApi } = await import('swagger-typescript-api')
await generateApi({ spec: document, output: generated, fileName: 'swagger-typescript-api.ts', silent: true })
