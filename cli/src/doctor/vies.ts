import { type Config, viesProblem } from '@vitrine/server'
import { doubtful, type Finding, well } from './finding.ts'

/** Checks that the registry of VAT numbers answers, where one is configured. Without it no purchase fails. */
export async function checkVies({ vies }: Pick<Config, 'vies'>): Promise<readonly Finding[]> {
  if (vies === null) return []
  const problem = await viesProblem(vies)
  if (problem !== null) {
    const detail = `VIES_URL: ${problem}. VAT numbers count by form and check digits until it answers`
    return [doubtful('vat numbers', detail, 'Look at VIES_URL, and at the way there.')]
  }
  if (vies.requester !== null) return [well('vat numbers', 'VIES answers, with consultation numbers')]
  const detail = 'VIES answers, but VIES_REQUESTER is not set: it gives no consultation numbers'
  return [doubtful('vat numbers', detail, 'Set VIES_REQUESTER to your own VAT number.')]
}
