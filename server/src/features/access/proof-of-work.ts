import type { Challenge } from '@vitrine/contract'
import { createChallenge, randomInt, type Solution, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { refuseField } from '../../kernel/refusal.ts'
import { acceptedOf, mac, type Secret } from '../../platform/secrets/rotating-secret.ts'

/** A signed ALTCHA challenge (version 2). */
export type Work = NonNullable<Challenge['proofOfWork']>

/**
 * Deriving a key with 5,000 rounds takes about 2 ms on a laptop, so a solver that tries 128 to 512 keys takes about half a second
 * on one core. Creating a challenge derives one key; verifying a solution takes one HMAC.
 */
const WORK = { algorithm: 'PBKDF2/SHA-256', cost: 5000 } as const
const KEYS_TRIED_MIN = 128
const KEYS_TRIED_MAX = 512

function secretsFrom(secret: Secret) {
  return {
    hmacSignatureSecret: mac(secret, 'work').toString('hex'),
    hmacKeySignatureSecret: mac(secret, 'key of work').toString('hex'),
  }
}

/** Creates a challenge without an expiry: the service checks expiry by its own clock. */
export async function createWork(secret: Secret): Promise<Work> {
  const counter = randomInt(KEYS_TRIED_MAX, KEYS_TRIED_MIN)
  return (await createChallenge({ ...WORK, counter, deriveKey, ...secretsFrom(secret) })) as Work
}

/** Verifies a solution against the stored challenge, never against the one that the client sends. */
export async function verifyWork(secret: Secret, work: Work, solution: Solution): Promise<boolean> {
  for (const each of acceptedOf(secret)) {
    if ((await verifySolution({ challenge: work, solution, deriveKey, ...secretsFrom(each) })).verified) return true
  }
  return false
}

const HEX_KEY = /^(?:[0-9a-f]{2}){1,1024}$/
const COUNTER_MAX = 0xffff_ffff

/** Parses a solution: base64 of JSON with the counter and the derived key. Refusal: `validation_failed`. */
export function readSolution(payload: string): Solution {
  const { counter, derivedKey } = parseSolution(payload) ?? {}
  const isCounter = Number.isInteger(counter) && Number(counter) >= 0 && Number(counter) <= COUNTER_MAX
  if (!isCounter || typeof derivedKey !== 'string' || !HEX_KEY.test(derivedKey)) {
    const message = 'Send base64 of { "challenge": …, "solution": { "counter": 421, "derivedKey": "9f7a…" } }.'
    refuseField('solution', 'wrong_format', message)
  }
  return { counter: Number(counter), derivedKey }
}

function parseSolution(payload: string): { readonly counter?: unknown; readonly derivedKey?: unknown } | null {
  try {
    return JSON.parse(Buffer.from(payload, 'base64').toString())?.solution ?? null
  } catch {
    return null
  }
}
