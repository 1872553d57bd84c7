import type { Challenge as ChallengeShown } from '@vitrine/contract'
import { createChallenge, randomInt, type Solution, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { refuse } from '../../kernel/refusal.ts'
import { mac } from '../../platform/secrets/server-secrets.ts'

/** Work to do, as ALTCHA has it (version 2), signed. */
export type Work = NonNullable<ChallengeShown['proofOfWork']>

/**
 * A key of 5,000 rounds takes a laptop about 2 ms, so the right one of 128 to 512 is found in half a second on one core.
 * We derive one when a challenge is made; to check a solution costs one HMAC.
 */
const WORK = { algorithm: 'PBKDF2/SHA-256', cost: 5000 } as const
const KEYS_TRIED_MIN = 128
const KEYS_TRIED_MAX = 512

function secretsFrom(secret: Buffer) {
  return {
    hmacSignatureSecret: mac(secret, 'work').toString('hex'),
    hmacKeySignatureSecret: mac(secret, 'key of work').toString('hex'),
  }
}

/** Makes work. It carries no time: when a challenge ends is ours to judge, by our clock. */
export async function makeWork(secret: Buffer): Promise<Work> {
  const counter = randomInt(KEYS_TRIED_MAX, KEYS_TRIED_MIN)
  return (await createChallenge({ ...WORK, counter, deriveKey, ...secretsFrom(secret) })) as Work
}

/** Whether the work was done. What was kept of it counts, never what the solver says that it was. */
export async function isWorkDone(secret: Buffer, work: Work, solution: Solution): Promise<boolean> {
  return (await verifySolution({ challenge: work, solution, deriveKey, ...secretsFrom(secret) })).verified
}

const HEX_KEY = /^(?:[0-9a-f]{2}){1,1024}$/
const COUNTER_MAX = 0xffff_ffff

/** Reads what a solver sends: JSON in base64, with the counter and the key that were found. Refusal: `validation_failed`. */
export function readSolution(payload: string): Solution {
  const { counter, derivedKey } = solutionIn(payload) ?? {}
  const isCounter = Number.isInteger(counter) && Number(counter) >= 0 && Number(counter) <= COUNTER_MAX
  if (!isCounter || typeof derivedKey !== 'string' || !HEX_KEY.test(derivedKey)) {
    const message = 'The base64 of { "challenge": …, "solution": { "counter": 421, "derivedKey": "9f7a…" } }.'
    refuse('validation_failed', {
      details: [{ in: 'body', pointer: '/solution', code: 'wrong_format', message }],
    })
  }
  return { counter: Number(counter), derivedKey }
}

function solutionIn(payload: string): { readonly counter?: unknown; readonly derivedKey?: unknown } | null {
  try {
    return JSON.parse(Buffer.from(payload, 'base64').toString())?.solution ?? null
  } catch {
    // Whatever it is, it is no JSON: that is the answer.
    return null
  }
}
