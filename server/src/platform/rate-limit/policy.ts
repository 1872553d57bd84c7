/** A limit: so many an hour or a minute, with a burst that may come at once. */
export interface RateLimitPolicy {
  readonly name: PolicyName
  readonly limit: number
  readonly windowSeconds: number
  readonly burst: number
  /** What is counted, in words. */
  readonly per: string
}

/** The defaults, which let a real shop's server live behind one address. @see CONTRACT, Rate limits */
const defaults = {
  'public-read': { limit: 1200, windowSeconds: 60, burst: 300, per: 'address (IPv6: /64)' },
  'key-read': { limit: 6000, windowSeconds: 60, burst: 600, per: 'installation' },
  'key-write': { limit: 3000, windowSeconds: 60, burst: 300, per: 'installation' },
  'cart-write': { limit: 120, windowSeconds: 60, burst: 30, per: 'cart' },
  store: { limit: 60_000, windowSeconds: 60, burst: 6000, per: 'store' },
  'oauth-token': { limit: 60, windowSeconds: 60, burst: 60, per: 'client and address' },
  'auth-fail': { limit: 20, windowSeconds: 300, burst: 20, per: 'address (IPv6: /64)' },
  register: { limit: 10, windowSeconds: 3600, burst: 10, per: 'address (IPv6: /64)' },
  'reset-account': { limit: 3, windowSeconds: 3600, burst: 3, per: 'account' },
  'reset-address': { limit: 20, windowSeconds: 3600, burst: 20, per: 'address (IPv6: /64)' },
  'sign-in-account': { limit: 10, windowSeconds: 900, burst: 10, per: 'account' },
  'sign-in-address': { limit: 60, windowSeconds: 900, burst: 60, per: 'address (IPv6: /64)' },
  'challenge-create': { limit: 30, windowSeconds: 60, burst: 30, per: 'address (IPv6: /64)' },
  'challenge-verify': { limit: 10, windowSeconds: 60, burst: 10, per: 'address (IPv6: /64)' },
  'webhook-replay': { limit: 60, windowSeconds: 60, burst: 60, per: 'installation' },
} as const

export type PolicyName = keyof typeof defaults
export type RateLimitPolicies = { readonly [Name in PolicyName]: RateLimitPolicy }

export const policyNames = Object.keys(defaults) as readonly PolicyName[]

const figures = ['limit', 'windowSeconds', 'burst'] as const

/**
 * The policies in force.
 *
 * @param overrides the `RATE_LIMITS` setting: `{ "public-read": { "limit": 600, "windowSeconds": 60, "burst": 50 } }`
 * @throws Error with a sentence for the operator where a name or a number is wrong
 */
export function rateLimitPolicies(overrides: Readonly<Record<string, unknown>> = {}): RateLimitPolicies {
  for (const name of Object.keys(overrides)) {
    if (!Object.hasOwn(defaults, name)) {
      throw new Error(`RATE_LIMITS names an unknown policy "${name}"; known are ${policyNames.join(', ')}`)
    }
  }
  const policies = policyNames.map((name) => {
    const policy = { name, ...defaults[name], ...overrideOf(name, overrides[name]) }
    for (const figure of figures) {
      const value: unknown = policy[figure]
      if (!Number.isInteger(value) || (value as number) < 1) {
        throw new Error(`RATE_LIMITS: "${name}.${figure}" must be a whole number of at least 1`)
      }
    }
    return [name, policy] as const
  })
  return Object.fromEntries(policies) as unknown as RateLimitPolicies
}

/** What an operator says of one policy: figures alone, so that a mistyped one is told and not passed over. */
function overrideOf(name: PolicyName, override: unknown): Readonly<Record<string, unknown>> {
  if (override === undefined) return {}
  if (typeof override !== 'object' || override === null || Array.isArray(override)) {
    throw new Error(`RATE_LIMITS: "${name}" must be an object such as {"limit":600}`)
  }
  const unknown = Object.keys(override).find((figure) => !(figures as readonly string[]).includes(figure))
  if (unknown === undefined) return override as Readonly<Record<string, unknown>>
  throw new Error(`RATE_LIMITS: "${name}.${unknown}" is unknown; known are ${figures.join(', ')}`)
}
