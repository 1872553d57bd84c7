/** A limit per time window, and a burst that may arrive at once. */
export interface RateLimitPolicy {
  readonly name: PolicyName
  readonly limit: number
  readonly windowSeconds: number
  readonly burst: number
  /** The unit that requests are counted by, for documentation. */
  readonly per: string
}

/** The policies in force. `null`: turned off. */
export type RateLimitPolicies = { readonly [Name in PolicyName]: RateLimitPolicy | null }

/** The defaults. They suffice for a shop's server behind one address. @see docs/reference/rules.md#rate-limits */
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
  'challenge-verify-store': { limit: 300, windowSeconds: 60, burst: 60, per: 'store' },
  grant: { limit: 5, windowSeconds: 3600, burst: 5, per: 'grant of a solved challenge' },
  integration: { limit: 1200, windowSeconds: 60, burst: 200, per: 'integration' },
  'webhook-replay': { limit: 60, windowSeconds: 60, burst: 60, per: 'installation' },
} as const

export type PolicyName = keyof typeof defaults

export const policyNames = Object.keys(defaults) as readonly PolicyName[]

/** Limits on guessing, and on mail to other people's addresses. They can be changed, but not turned off. */
const PROTECTIONS: readonly string[] = [
  'auth-fail',
  'register',
  'reset-account',
  'reset-address',
  'sign-in-account',
  'sign-in-address',
  'challenge-verify',
  'challenge-verify-store',
  'grant',
] satisfies PolicyName[]

export function isProtection(name: string): boolean {
  return PROTECTIONS.includes(name)
}

const numbers = ['limit', 'windowSeconds', 'burst'] as const
/** The largest number that getRuntimeConfig can return. */
const NUMBER_MAX = 2_147_483_647

/** Every policy that can be turned off. */
export const allOff: Readonly<Record<string, 'off'>> = Object.fromEntries(
  policyNames.filter((name) => !isProtection(name)).map((name) => [name, 'off']),
)

/**
 * The policies in force.
 *
 * @param overrides the `RATE_LIMITS` setting: `{ "public-read": { "limit": 600, "windowSeconds": 60, "burst": 50 }, "store": "off" }`
 * @throws Error with a sentence for the operator if a name or a number is wrong
 */
export function rateLimitPolicies(): { readonly [Name in PolicyName]: RateLimitPolicy }
export function rateLimitPolicies(overrides: Readonly<Record<string, unknown>>): RateLimitPolicies
export function rateLimitPolicies(overrides: Readonly<Record<string, unknown>> = {}): RateLimitPolicies {
  for (const name of Object.keys(overrides)) {
    if (!Object.hasOwn(defaults, name)) {
      throw new Error(`RATE_LIMITS contains an unknown policy "${name}". Known policies: ${policyNames.join(', ')}`)
    }
  }
  return Object.fromEntries(
    policyNames.map((name) => [name, policyOf(name, overrides[name])]),
  ) as unknown as RateLimitPolicies
}

function policyOf(name: PolicyName, override: unknown): RateLimitPolicy | null {
  if (override === 'off') {
    if (isProtection(name)) throw new Error(`RATE_LIMITS: "${name}" limits guessing and cannot be turned off`)
    return null
  }
  const policy = { name, ...defaults[name], ...overrideOf(name, override) }
  for (const property of numbers) {
    const value: unknown = policy[property]
    if (!Number.isInteger(value) || (value as number) < 1 || (value as number) > NUMBER_MAX) {
      const range = `at least 1 and at most ${NUMBER_MAX}`
      throw new Error(`RATE_LIMITS: "${name}.${property}" must be a whole number of ${range}`)
    }
  }
  return policy
}

/** The override of one policy. A mistyped property is an error. */
function overrideOf(name: PolicyName, override: unknown): Readonly<Record<string, unknown>> {
  if (override === undefined) return {}
  if (typeof override !== 'object' || override === null || Array.isArray(override)) {
    throw new Error(`RATE_LIMITS: "${name}" must be "off" or an object such as {"limit":600}`)
  }
  const unknown = Object.keys(override).find((property) => !(numbers as readonly string[]).includes(property))
  if (unknown === undefined) return override as Readonly<Record<string, unknown>>
  throw new Error(`RATE_LIMITS: "${name}.${unknown}" is unknown. Known properties: ${numbers.join(', ')}`)
}
