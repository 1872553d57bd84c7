import { createHash } from 'node:crypto'
import { dpopVerifier } from '../../server/src/platform/auth/dpop.ts'
import { dpopNonces } from '../../server/src/platform/auth/nonce.ts'
import { newProver } from './token-exchanges.ts'

const CHECKS = 2000
const URL_OF_A_WRITE = 'https://shop.example/api/v1/open/storefront/carts'

/** The processor time that the check of a write's proof costs. Milliseconds. */
export async function proofCheckMs(): Promise<number> {
  const nonces = dpopNonces(Buffer.alloc(32, 7))
  const verify = dpopVerifier(nonces)
  const prover = newProver()
  const now = new Date()
  const token = 'sfat_bench'
  const ath = createHash('sha256').update(token).digest('base64url')
  const proofs = Array.from({ length: CHECKS }, () => prover(URL_OF_A_WRITE, nonces.current(now), { ath }))
  const facts = { method: 'POST', url: URL_OF_A_WRITE, token, now, nonceRequired: true } as const
  const before = process.cpuUsage()
  for (const proof of proofs) await verify({ ...facts, proofs: [proof] })
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / CHECKS
}
