import { readFileSync } from 'node:fs'
import type { PrivateJwk } from '@vitrine/sdk'

/** The configuration of the shop, from the environment variables. */
export interface Config {
  /** The public API of the service. */
  readonly serviceUrl: string
  readonly key: string
  readonly privateKey: PrivateJwk
  readonly host: string
  readonly port: number
  /** The public URL of this shop, for browsers and webhooks. */
  readonly url: string
  /** The folder of the shop's own database. */
  readonly dataDirectory: string
  /** Slugs of stores to show that are not in the lists, such as password-protected stores. */
  readonly stores: readonly string[]
}

/** Reads the environment. @throws Error that names the variable */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const needed = (name: string) => {
    const value = env[name]
    if (!value) throw new Error(`${name} is not set. See shop/README.md.`)
    return value
  }
  const port = Number(env.SHOP_PORT ?? 8083)
  const host = env.HOST ?? '127.0.0.1'
  return {
    serviceUrl: needed('VITRINE_URL'),
    key: needed('VITRINE_KEY'),
    privateKey: JSON.parse(readFileSync(needed('VITRINE_PRIVATE_KEY_FILE'), 'utf8')) as PrivateJwk,
    host,
    port,
    url: (env.SHOP_URL ?? `http://${host}:${port}`).replace(/\/+$/, ''),
    dataDirectory: env.DATA_DIR ?? '.data',
    stores: (env.SHOP_STORES ?? '').split(',').filter(Boolean),
  }
}
