import { type Config, viesProblem } from '@vitrine/server'
import { doubtful, type Finding, well } from './finding.ts'

/** Checks that the registry of VAT numbers answers, if one is configured. No purchase fails without it. */
export async function checkVies({ vies }: Pick<Config, 'vies'>): Promise<readonly Finding[]> {
  if (vies === null) return []
  const problem = await viesProblem(vies)
  if (problem !== null) {
    const detail = `VIES_URL: ${problem}. Until it answers, VAT numbers are accepted by format and check digits`
    return [doubtful('vat numbers', detail, 'Check VIES_URL and the network.')]
  }
  if (vies.requester !== null) return [well('vat numbers', 'VIES answers, with consultation numbers')]
  const detail = 'VIES answers, but VIES_REQUESTER is not set: it gives no consultation numbers'
  return [doubtful('vat numbers', detail, 'Set VIES_REQUESTER to your own VAT number.')]
}
