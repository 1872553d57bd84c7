import { LRUCache } from 'lru-cache'
import { refuse } from '../../kernel/refusal.ts'
import type { Reader } from '../postgres/reader.ts'
import { statement } from '../postgres/statement.ts'
import type { PolicyName, RateLimitPolicies, RateLimitPolicy } from './policy.ts'

/**
 * Takes up to `$5` cells of a bucket: as many as fit, none if not even one does. The theoretical arrival time moves only
 * by what was granted, so a refused caller does not wait longer for having asked.
 *
 * @see the generic cell rate algorithm, ITU-T I.371
 */
const takeCells = statement<{ granted: number; tat_us: bigint }>(
  'rate_limit.take',
  `insert into rate_limits as held (bucket, tat_us, granted)
   values ($1, $2::bigint + $3::bigint * least($5::integer, $4::integer), least($5::integer, $4::integer))
   on conflict (bucket) do update set
     granted = greatest(0, least($5::integer, ($2::bigint + $3::bigint * $4::integer - greatest(held.tat_us, $2::bigint)) / $3::bigint)),
     tat_us = greatest(held.tat_us, $2::bigint) + $3::bigint
       * greatest(0, least($5::integer, ($2::bigint + $3::bigint * $4::integer - greatest(held.tat_us, $2::bigint)) / $3::bigint))
   returning granted, tat_us`,
)

/** Where a caller stands after a take. */
export interface RateLimitStatus {
  readonly policy: RateLimitPolicy
  readonly allowed: boolean
  /** Cells that could be taken at once now. */
  readonly remaining: number
  /** Milliseconds until the next cell is free, 0 where one is free now. */
  readonly waitMs: number
}

interface Lease {
  cells: number
  /** Cells that PostgreSQL still had when the lease was taken. */
  beyond: number
  endsAt: number
  refusedUntil: number
  taking: Promise<void> | null
}

/** A node takes a tenth of the burst at a time, so that 30 public reads cost one query, not 30. */
const LEASES_PER_BURST = 10
/**
 * Cells that were taken and not used are given up after this time. There are never more of them than this time brings, so
 * that a caller who stays within the rate is not refused for what was given up.
 */
const LEASE_MS = 10_000
const LEASES_MAX = 50_000

/** Limits that all nodes share through PostgreSQL. */
export interface RateLimiter {
  readonly policies: RateLimitPolicies | null
  /** Takes one cell, or says how long to wait. `null` where limits are off. */
  take(policyName: PolicyName, who: string, nowMs: number): Promise<RateLimitStatus | null>
  /** Takes one cell of those that this node holds already, `null` where limits are off; `undefined`: it must be asked for. */
  takeLeased(policyName: PolicyName, who: string, nowMs: number): RateLimitStatus | null | undefined
  /** Whether a bucket is known to be empty, without taking a cell. */
  peek(policyName: PolicyName, who: string, nowMs: number): RateLimitStatus | null
}

/** @param policies `null` turns all limits off */
export function rateLimiter(reader: Reader, policies: RateLimitPolicies | null): RateLimiter {
  const leases = new LRUCache<string, Lease>({ max: LEASES_MAX })

  async function renew(lease: Lease, bucket: string, policy: RateLimitPolicy, nowMs: number): Promise<void> {
    const nowUs = BigInt(Math.round(nowMs * 1000))
    const cellUs = Math.max(1, Math.round((policy.windowSeconds * 1e6) / policy.limit))
    const refilled = Math.floor((LEASE_MS * 1000) / cellUs)
    const wanted = Math.max(1, Math.min(Math.floor(policy.burst / LEASES_PER_BURST), refilled))
    const taken = await reader.row(takeCells, [bucket, nowUs, cellUs, policy.burst, wanted])
    if (!taken) throw new Error('rate_limit.take answered no row')
    const freeUs = Number(nowUs - taken.tat_us) + cellUs * policy.burst
    lease.cells = taken.granted
    lease.beyond = Math.max(0, Math.floor(freeUs / cellUs))
    lease.endsAt = nowMs + LEASE_MS
    lease.refusedUntil = taken.granted > 0 ? 0 : nowMs + Math.ceil((cellUs - freeUs) / 1000)
  }

  function refusedStatus(policy: RateLimitPolicy, lease: Lease, nowMs: number): RateLimitStatus {
    return { policy, allowed: false, remaining: 0, waitMs: lease.refusedUntil - nowMs }
  }

  function takeFrom(lease: Lease, policy: RateLimitPolicy, nowMs: number): RateLimitStatus | undefined {
    if (lease.cells === 0 || nowMs >= lease.endsAt) return undefined
    lease.cells -= 1
    return { policy, allowed: true, remaining: lease.cells + lease.beyond, waitMs: 0 }
  }

  return {
    policies,

    takeLeased(policyName, who, nowMs) {
      if (!policies) return null
      const lease = leases.get(`${policyName} ${who}`)
      return lease && takeFrom(lease, policies[policyName], nowMs)
    },

    async take(policyName, who, nowMs) {
      if (!policies) return null
      const policy = policies[policyName]
      const bucket = `${policyName} ${who}`
      let lease = leases.get(bucket)
      if (!lease) {
        lease = { cells: 0, beyond: 0, endsAt: 0, refusedUntil: 0, taking: null }
        leases.set(bucket, lease)
      }
      for (;;) {
        const status = takeFrom(lease, policy, nowMs)
        if (status) return status
        if (nowMs < lease.refusedUntil) return refusedStatus(policy, lease, nowMs)
        // Whoever finds the lease spent renews it for all who wait, and then each tries again.
        const held = lease
        held.taking ??= renew(held, bucket, policy, nowMs).finally(() => {
          held.taking = null
        })
        await held.taking
        if (held.cells === 0 && nowMs < held.refusedUntil) return refusedStatus(policy, held, nowMs)
      }
    },

    peek(policyName, who, nowMs) {
      if (!policies) return null
      const lease = leases.get(`${policyName} ${who}`)
      if (!lease || lease.cells > 0 || nowMs >= lease.refusedUntil) return null
      return refusedStatus(policies[policyName], lease, nowMs)
    },
  }
}

/** Says no where a caller stands beyond its limit. The answer tells the exact wait; there is no Retry-After by contract. */
export function refuseOverLimit(
  status: RateLimitStatus | null,
  code: 'rate_limited' | 'quota_exceeded' = 'rate_limited',
): void {
  if (!status || status.allowed) return
  const { policy } = status
  refuse(code, {
    afterMs: Math.max(1, status.waitMs),
    rateLimit: { policy: policy.name, limit: policy.limit, windowSeconds: policy.windowSeconds, remaining: 0 },
  })
}

/** @see draft-ietf-httpapi-ratelimit-headers */
export function rateLimitHeaders(status: RateLimitStatus): Record<string, string> {
  const { policy, remaining, waitMs } = status
  const secondsToNext = Math.ceil(waitMs / 1000)
  return {
    'ratelimit-policy': `"${policy.name}";q=${policy.limit};w=${policy.windowSeconds}`,
    ratelimit: `"${policy.name}";r=${remaining};t=${secondsToNext}`,
  }
}
