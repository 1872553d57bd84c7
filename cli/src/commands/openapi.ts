import { readConfig } from '@vitrine/server/config'

/** `vitrine openapi`: the OpenAPI document of the public door, or of the operator's. */
export async function openapiCommand({ operator }: { readonly operator?: boolean }): Promise<void> {
  const { publicUrl, operatorUrl } = readConfig(process.env)
  const document = operator
    ? (await import('@vitrine/contract/operator/openapi')).operatorOpenapiDocument({ serverUrl: operatorUrl })
    : (await import('@vitrine/contract/openapi')).openapiDocument({ serverUrl: publicUrl })
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
}
