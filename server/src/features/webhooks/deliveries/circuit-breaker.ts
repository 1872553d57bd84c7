import { limits } from '@vitrine/contract'

/** How an endpoint fares, over all its deliveries. */
export interface Health {
  /** Since the last success. */
  readonly consecutiveFailures: number
  readonly failingSince: Date | null
  readonly lastAttemptAt: Date | null
}

const DAY_MS = 86_400_000

/** Whether an endpoint has failed so often that it is only probed. */
function isProbed({ consecutiveFailures }: Health): boolean {
  return consecutiveFailures >= limits.webhooks.failuresBeforeProbing
}

/**
 * How many calls to an endpoint may be in flight at this moment: five, or one each minute while it fails and fails.
 *
 * @see CONTRACT, Webhooks
 */
export function inFlightMax(health: Health, now: Date): number {
  if (!isProbed(health)) return limits.webhooks.inFlightPerEndpointMax
  const since =
    health.lastAttemptAt === null ? Number.POSITIVE_INFINITY : now.getTime() - health.lastAttemptAt.getTime()
  return since >= limits.webhooks.probeIntervalSeconds * 1000 ? 1 : 0
}

/** The health after an attempt that succeeded or failed. */
export function afterAttempt(health: Health, succeeded: boolean, now: Date): Health {
  if (succeeded) return { ...health, consecutiveFailures: 0, failingSince: null }
  return {
    ...health,
    consecutiveFailures: health.consecutiveFailures + 1,
    failingSince: health.failingSince ?? now,
  }
}

/** Whether there were failures alone for five days, so that the endpoint is told nothing any more. */
export function isGivenUp({ failingSince }: Health, now: Date): boolean {
  if (failingSince === null) return false
  return now.getTime() - failingSince.getTime() >= limits.webhooks.disabledAfterDays * DAY_MS
}
