import { isProtection, policyNames } from '../../server/src/platform/rate-limit/policy.ts'

/** A value of `RATE_LIMITS` that no test reaches. Limits against guessing cannot be turned off, so they are very high. */
export const NO_LIMITS = JSON.stringify(
  Object.fromEntries(
    policyNames.map((name) => [name, isProtection(name) ? { limit: 1_000_000, burst: 1_000_000 } : 'off']),
  ),
)
