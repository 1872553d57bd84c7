import type { Stripe } from 'stripe'
import { lazily } from '../../../../kernel/async/lazily.ts'
import type { Environment } from '../../../../kernel/environment.ts'

/** The version of Stripe's API that this code is written for. An upgrade changes the code, not the account. */
export const STRIPE_API_VERSION = '2026-10-28.endive'

type StripeCapture = 'separate' | 'automatic' | 'later'

export interface StripeSettings {
  /** Secret or restricted keys. `null`: not offered in the environment. */
  readonly keys: Readonly<Record<Environment, string | null>>
  /** Signing secrets of the webhook endpoints. `null`: payments are looked up on a schedule instead. */
  readonly webhookSecrets: Readonly<Record<Environment, string | null>>
  /**
   * `separate`: authorize, then capture at once. `automatic`: one step, which most methods other than cards need. `later`: authorize,
   * and the shop captures.
   */
  readonly capture: Readonly<Record<Environment, StripeCapture>>
  /** `null`: all that Stripe takes. */
  readonly currencies: readonly string[] | null
  /** Ids of stores. `null`: all. */
  readonly storeIds: readonly string[] | null
  /** `null`: Stripe itself. */
  readonly apiUrl: string | null
  readonly timeoutMs: number
}

/** Creates clients on first use, so that the package is not loaded if Stripe is not configured. */
export class StripeClients {
  readonly #settings: StripeSettings
  readonly #clients = new Map<Environment, () => Promise<Stripe>>()

  constructor(settings: StripeSettings) {
    this.#settings = settings
  }

  /** `null` without a key. */
  of(environment: Environment): Promise<Stripe> | null {
    const key = this.#settings.keys[environment]
    if (key === null) return null
    const client = this.#clients.get(environment) ?? lazily(() => this.#create(key))
    this.#clients.set(environment, client)
    return client()
  }

  async #create(key: string): Promise<Stripe> {
    const { apiUrl, timeoutMs } = this.#settings
    const { Stripe: Client } = await import('stripe')
    return new Client(key, {
      apiVersion: STRIPE_API_VERSION,
      // The reconciler repeats calls, and stores each one before it is sent.
      maxNetworkRetries: 0,
      telemetry: false,
      timeout: timeoutMs,
      // It limits the whole request. The package's other client only notices silence: a dripping answer never ends.
      httpClient: Client.createFetchHttpClient(send),
      ...(apiUrl !== null && addressOf(apiUrl)),
    })
  }
}

/** Sends a request of the package, which repeats one whose connection was closed, once and under the same key. */
async function send(...[url, request]: Parameters<typeof fetch>): Promise<Response> {
  try {
    return await fetch(url, { ...request, redirect: 'error' })
  } catch (error) {
    const { cause } = error as { readonly cause?: NodeJS.ErrnoException }
    if (cause?.code === 'UND_ERR_SOCKET')
      throw Object.assign(new Error(cause.message, { cause }), { code: 'ECONNRESET' })
    throw cause ?? error
  }
}

function addressOf(url: string) {
  const { protocol, hostname, port } = new URL(url)
  return { protocol: protocol === 'http:' ? 'http' : 'https', host: hostname, ...(port && { port }) } as const
}
