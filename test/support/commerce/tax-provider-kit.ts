import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { replyFault } from '../../../server/src/features/pricing/tax-provider/checked-reply.ts'
import type { TaxAnswer, TaxProvider, TaxRequest } from '../../../server/src/features/pricing/tax-provider/provider.ts'
import type { TaxFault } from '../network/tax-service-stand-in.ts'

/** The provider as the kit uses it, and a way to inject faults. */
export interface TaxProviderUnderTest {
  readonly provider: TaxProvider
  /** Injects a fault from now on; `null` ends it. */
  fails(how: TaxFault | null): void
}

const ADDRESS = { line1: '1 Main Street', line2: null, city: 'Los Angeles', region: 'CA', postalCode: '90012' }
const REQUEST: TaxRequest = {
  environment: 'test',
  storeId: 'store_1',
  currency: 'USD',
  pricesIncludeTax: false,
  shipTo: { ...ADDRESS, country: 'US' },
  buyer: { vatId: null, billTo: null },
  lines: [
    { id: 'a', kind: 'item', skuId: 'sku_1', quantity: 3, taxCategory: 'standard', amount: 5997n, isShipped: true },
    { id: 'b', kind: 'item', skuId: 'sku_2', quantity: 1, taxCategory: 'standard', amount: 0n, isShipped: false },
    {
      id: 'shipping',
      kind: 'shipping',
      skuId: null,
      quantity: 1,
      taxCategory: 'standard',
      amount: 990n,
      isShipped: true,
    },
  ],
}

/** Invalid replies, each with the reported fault. */
const NONSENSE: readonly (readonly [string, TaxFault, RegExp])[] = [
  ['in another currency', (reply) => ({ ...reply, currency: 'EUR' }), /the currency is EUR/],
  ['without a line', (reply) => ({ ...reply, lines: reply.lines.slice(1) }), /line a is missing/],
  ['with a line twice', ({ lines, ...reply }) => ({ ...reply, lines: [...lines, lines[0]] }), /in the reply twice/],
  ['with a negative tax', changing((tax) => ({ ...tax, amount: -1 })), /negative/],
  ['with a tax above the line', changing((tax) => ({ ...tax, amount: 6000, rate: '1.0005' })), /above the line/],
  ['with a tax that its rate does not explain', changing((tax) => ({ ...tax, amount: tax.amount + 2 })), /but 0\./],
  ['with an invalid rate', changing((tax) => ({ ...tax, rate: '7,25 %' })), /is not a rate/],
  ['with a fraction of a cent', changing((tax) => ({ ...tax, amount: 1.5 })), /schema/],
  ['with a number as text', changing((tax) => ({ ...tax, amount: '435' })), /schema/],
  ['without a country', changing((tax) => ({ ...tax, country: 'Earth' })), /not a country code/],
  [
    'without taxes',
    ({ lines, ...reply }) => ({ ...reply, lines: lines.map(({ id }) => ({ id, taxes: [] })) }),
    /neither/,
  ],
]

function changing(change: (tax: { amount: number; rate: string; country: string }) => object): TaxFault {
  return (reply) => ({
    ...reply,
    lines: reply.lines.map((line) => ({
      ...line,
      taxes: line.taxes.map((tax, index) => (index === 0 ? change(tax) : tax)),
    })),
  })
}

/** The timeout of a provider that answers, also on a busy machine, and of one that is silent. */
const TIMEOUT_MS = 5000
const SILENT_TIMEOUT_MS = 300

/**
 * The tests that every tax provider has to pass: it answers completely or gives a reason, in time, and never throws.
 * @param begin makes the provider with a timeout, without a fault
 */
export function taxProviderKit(name: string, begin: (timeoutMs: number) => Promise<TaxProviderUnderTest>): void {
  const start = () => begin(TIMEOUT_MS)
  const problemOf = (answer: TaxAnswer, request: TaxRequest) =>
    answer.outcome === 'answered' ? replyFault(request, answer.reply) : answer.reason

  describe(`the tax provider ${name}`, () => {
    test('answers every line, with prices that include tax and without', async () => {
      const { provider } = await start()
      for (const pricesIncludeTax of [false, true]) {
        const request = { ...REQUEST, pricesIncludeTax }
        assert.equal(problemOf(await provider.calculate(request, null), request), null)
      }
    })

    test('answers the same request in the same way', async () => {
      const { provider } = await start()
      assert.deepEqual(await provider.calculate(REQUEST, null), await provider.calculate(REQUEST, null))
    })

    test('gives up on a silent service in time', async () => {
      const { provider, fails } = await begin(SILENT_TIMEOUT_MS)
      fails('silence')
      const since = performance.now()
      const answer = await provider.calculate(REQUEST, null)
      assert.equal(answer.outcome, 'unanswered')
      assert.ok(performance.now() - since < SILENT_TIMEOUT_MS + 5_000)
    })

    for (const fault of ['error', 'garbage'] as const) {
      test(`is unanswered after ${fault}, and answers again afterwards`, async () => {
        const { provider, fails } = await start()
        fails(fault)
        assert.equal((await provider.calculate(REQUEST, null)).outcome, 'unanswered')
        fails(null)
        assert.equal((await provider.calculate(REQUEST, null)).outcome, 'answered')
      })
    }

    for (const [what, fault, said] of NONSENSE) {
      test(`is not trusted ${what}`, async () => {
        const { provider, fails } = await start()
        fails(fault)
        assert.match(problemOf(await provider.calculate(REQUEST, null), REQUEST) ?? 'believed', said)
      })
    }
  })
}
