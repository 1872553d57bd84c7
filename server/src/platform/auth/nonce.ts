import { timingSafeEqual } from 'node:crypto'
import { limits } from '@vitrine/contract'
import { mac } from '../secrets/server-secrets.ts'

const { nonceStepSeconds, nonceStepsAccepted } = limits.dpop

/**
 * Stateless DPoP nonces: derived from the time step and a secret that all nodes share.
 *
 * @see RFC 9449 §8
 */
export interface DpopNonces {
  current(now: Date): string
  isFresh(nonce: string, now: Date): boolean
}

export function dpopNonces(secret: Buffer): DpopNonces {
  const stepOf = (now: Date) => Math.floor(now.getTime() / 1000 / nonceStepSeconds)
  const nonceOf = (step: number) => mac(secret, `dpop-nonce ${step}`).subarray(0, 16).toString('base64url')
  let cache = { step: Number.NaN, nonces: [] as Buffer[], current: '' }

  function around(now: Date) {
    const step = stepOf(now)
    if (cache.step !== step) {
      const nonces: Buffer[] = []
      for (let each = step - nonceStepsAccepted; each <= step + nonceStepsAccepted; each += 1)
        nonces.push(Buffer.from(nonceOf(each)))
      cache = { step, nonces, current: nonceOf(step) }
    }
    return cache
  }

  return {
    current: (now) => around(now).current,
    isFresh(nonce, now) {
      const offered = Buffer.from(nonce)
      return around(now).nonces.some((each) => each.length === offered.length && timingSafeEqual(each, offered))
    },
  }
}
