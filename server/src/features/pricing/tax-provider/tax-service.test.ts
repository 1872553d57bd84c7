import { taxProviderKit } from '../../../../../test/support/commerce/tax-provider-kit.ts'
import { startTaxServiceStandIn, TAX_SERVICE_SECRET } from '../../../../../test/support/network/tax-service-stand-in.ts'
import { taxService } from './tax-service.ts'

let standIn: ReturnType<typeof startTaxServiceStandIn> | null = null

taxProviderKit('service', async (timeoutMs) => {
  standIn ??= startTaxServiceStandIn()
  const { url, fails } = await standIn
  fails(null)
  return { provider: taxService({ url, secret: TAX_SERVICE_SECRET, timeoutMs }), fails }
})
