import { limits, type operations, type PublicKey } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { policyNames, type RateLimitPolicies } from '../../../platform/rate-limit/policy.ts'
import { SECRETS_SUBJECT } from '../../../platform/secrets/server-secrets.ts'
import { publicCapabilities } from '../../installations/index.ts'
import { READINESS } from '../subjects.ts'

export interface RuntimeFacts {
  readonly rateLimits: RateLimitPolicies
  readonly quoteKeys: () => readonly PublicKey[]
  /** How long a checkout waits for a bank transfer. */
  readonly transferSeconds: number
}

/** GET /api/v1/runtime-config */
export function getRuntimeConfig({
  rateLimits,
  quoteKeys,
  transferSeconds,
}: RuntimeFacts): Handler<typeof operations.getRuntimeConfig> {
  return async (_input, { reader, dependsOn }) => {
    dependsOn(READINESS)
    dependsOn(SECRETS_SUBJECT)
    const capabilities = await publicCapabilities(reader)
    return {
      apiVersion: 'v1',
      ...structuredClone(limits),
      rateLimits: policyNames.flatMap((name) => (rateLimits[name] ? [{ ...rateLimits[name] }] : [])),
      checkout: { ...limits.checkout, transferSeconds },
      quote: { ...limits.quote, publicKeys: [...quoteKeys()] },
      capabilities,
    } as unknown as Awaited<ReturnType<Handler<typeof operations.getRuntimeConfig>>>
  }
}
