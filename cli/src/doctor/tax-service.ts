import { type Config, taxService } from '@vitrine/server'
import { doubtful, type Finding, well, wrong } from './finding.ts'

const ADDRESS = {
  line1: 'Pariser Platz 1',
  line2: null,
  city: 'Berlin',
  region: null,
  postalCode: '10117',
  country: 'DE',
}
/** A request that no cart makes. The service sees from the id of the store that nothing is sold. */
const SAMPLE = {
  environment: 'test',
  storeId: 'doctor',
  currency: 'EUR',
  pricesIncludeTax: false,
  shipTo: ADDRESS,
  buyer: { vatId: null, billTo: null },
  lines: [
    { id: 'line', kind: 'item', skuId: null, quantity: 1, taxCategory: 'standard', amount: 100n, isShipped: true },
  ],
} as const

/** Checks that the tax service answers a sample, if one is configured. No purchase fails without it. */
export async function checkTaxService({
  taxService: settings,
}: Pick<Config, 'taxService'>): Promise<readonly Finding[]> {
  if (settings === null) return []
  const answer = await taxService(settings).calculate(SAMPLE, null)
  if (answer.outcome === 'answered') return [well('tax service', `${settings.url} answers`)]
  const detail = `TAX_SERVICE_URL: ${answer.reason}`
  if (/^40[13] /.test(answer.reason)) return [wrong('tax service', detail, 'Check TAX_SERVICE_SECRET.')]
  const remedy = 'Check TAX_SERVICE_URL and the service. Until it answers, the rates of the stores apply.'
  return [doubtful('tax service', detail, remedy)]
}
