import { limits } from '@vitrine/contract'

/** The health of an endpoint, over all its deliveries. */
export interface Health {
  /** Since the last success. */
  readonly consecutiveFailures: number
  readonly failingSince: Date | null
  readonly lastAttemptAt: Date | null
}

const DAY_MS = 86_400_000

/** Whether an endpoint is only probed, after enough consecutive failures. */
function isProbed({ consecutiveFailures }: Health): boolean {
  return consecutiveFailures >= limits.webhooks.failuresBeforeProbing
}

/**
 * The maximum number of requests in flight to an endpoint: five, or one per minute while it is probed.
 *
 * @see docs/reference/rules.md#webhooks
 */
export function inFlightMax(health: Health, now: Date): number {
  if (!isProbed(health)) return limits.webhooks.inFlightPerEndpointMax
  const since =
    health.lastAttemptAt === null ? Number.POSITIVE_INFINITY : now.getTime() - health.lastAttemptAt.getTime()
  return since >= limits.webhooks.probeIntervalSeconds * 1000 ? 1 : 0
}

/** The health after an attempt. */
export function afterAttempt(health: Health, succeeded: boolean, now: Date): Health {
  if (succeeded) return { ...health, consecutiveFailures: 0, failingSince: null }
  return {
    ...health,
    consecutiveFailures: health.consecutiveFailures + 1,
    failingSince: health.failingSince ?? now,
  }
}

/** Whether an endpoint has failed for five days without a success, and is to be disabled. */
export function hasFailedTooLong({ failingSince }: Health, now: Date): boolean {
  if (failingSince === null) return false
  return now.getTime() - failingSince.getTime() >= limits.webhooks.disabledAfterDays * DAY_MS
}
