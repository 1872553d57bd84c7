import { openapiDocument } from '@vitrine/contract/openapi'
import { readConfig } from '@vitrine/server/config'

/** `vitrine openapi`: the OpenAPI document of the public door. */
export function openapiCommand(): void {
  const { publicUrl } = readConfig(process.env)
  process.stdout.write(`${JSON.stringify(openapiDocument({ serverUrl: publicUrl }), null, 2)}\n`)
}
