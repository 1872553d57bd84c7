/** An installation of the demo. There is one of each kind: for the marketplace, and for one store. */
export interface DemoInstallation {
  readonly name: string
  /** The slug of its store, or null for the whole marketplace. */
  readonly store: string | null
  readonly environment: 'test' | 'live'
}

/** In the test environment: live keys need the readiness proofs first. */
export const demoInstallations: readonly [marketplace: DemoInstallation, store: DemoInstallation] = [
  { name: 'Example shop', store: null, environment: 'test' },
  { name: 'Example shop of Havelton', store: 'havelton', environment: 'test' },
]

/** The URLs that a checkout of the example shop returns to. */
export interface DemoReturns {
  readonly returnUrl: string
  readonly cancelUrl: string
}

/** The return URLs of both installations: of the example shop, and of a shop at `127.0.0.1` and `localhost`. */
export function demoReturns(
  shopUrl: string,
  shopPort: number,
): DemoReturns & { readonly returnUrls: readonly string[] } {
  const origins = new Set([shopUrl, `http://127.0.0.1:${shopPort}`, `http://localhost:${shopPort}`])
  const pathsOf = (origin: string) =>
    ['checkout/return', 'checkout/cancel', 'login/return'].map((path) => `${origin}/${path}`)
  return {
    returnUrl: `${shopUrl}/checkout/return`,
    cancelUrl: `${shopUrl}/checkout/cancel`,
    returnUrls: [...origins].flatMap(pathsOf),
  }
}

/** The origins of the documentation on this machine. Its pages send requests with the keys of the demo. */
export function demoOrigins(operatorPort: number): readonly string[] {
  return ['127.0.0.1', 'localhost'].map((host) => `http://${host}:${operatorPort}`)
}
