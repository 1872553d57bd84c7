import { timingSafeEqual } from 'node:crypto'
import { limits } from '@vitrine/contract'
import { acceptedOf, currentOf, mac, type Secret } from '../secrets/rotating-secret.ts'

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

export function dpopNonces(secret: Secret): DpopNonces {
  const stepOf = (now: Date) => Math.floor(now.getTime() / 1000 / nonceStepSeconds)
  const nonceOf = (step: number, by = secret) => mac(by, `dpop-nonce ${step}`).subarray(0, 16).toString('base64url')
  let cache = {
    step: Number.NaN,
    current: '',
    by: currentOf(secret),
    accepted: acceptedOf(secret),
    nonces: [] as Buffer[],
  }

  function around(now: Date) {
    const step = stepOf(now)
    const [by, accepted] = [currentOf(secret), acceptedOf(secret)]
    const isSame = cache.by === by && cache.accepted.length === accepted.length && cache.accepted[0] === accepted[0]
    if (cache.step !== step || !isSame) {
      const nonces: Buffer[] = []
      for (let each = step - nonceStepsAccepted; each <= step + nonceStepsAccepted; each += 1)
        for (const one of accepted) nonces.push(Buffer.from(nonceOf(each, one)))
      cache = { step, nonces, current: nonceOf(step), by, accepted }
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
