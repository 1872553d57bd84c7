import { LAUNCH_MISSING_MAX, type OperatorLaunch, type operatorOperations } from '@vitrine/contract/operator'
import { readCatalogOfLaunch } from '../../../features/catalog/index.ts'
import { hasUsableKey, loadRecordedProofs, READINESS_PROOFS } from '../../../features/installations/index.ts'
import { hasTestOrder, storesWithoutPolicy } from '../../../features/orders/index.ts'
import { takesTransfers } from '../../../features/payments/index.ts'
import { storesWithoutRules } from '../../../features/pricing/index.ts'
import { type LegalType, missingDocuments, storesWithoutSeller } from '../../../features/storefront/index.ts'
import { hasDelivered } from '../../../platform/mail/index.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import type { OperatorHandler } from '../../door/handler.ts'
import type { TransferOperationDeps } from '../sales/transfers.ts'

type Rows = typeof operatorOperations
type Step = OperatorLaunch['steps'][number]
type LaunchDeps = Pick<TransferOperationDeps, 'payments' | 'transfer'>

/** The documents that every shop needs. */
const DOCUMENTS: readonly LegalType[] = ['imprint', 'terms_of_use', 'privacy_policy', 'return_policy']

/** GET /operator/v1/launch */
export function getLaunch(deps: LaunchDeps): OperatorHandler<Rows['getLaunch']> {
  return async (_input, { reader, now }) => {
    const [sellers, documents, { currencies, hasPicturedProduct }, rules, policies, delivered, key, order, proofs] =
      await Promise.all([
        storesWithoutSeller(reader),
        missingDocuments(reader, DOCUMENTS, now),
        readCatalogOfLaunch(reader),
        storesWithoutRules(reader),
        storesWithoutPolicy(reader),
        hasDelivered(reader),
        hasUsableKey(reader, now),
        hasTestOrder(reader),
        loadRecordedProofs(reader),
      ])
    const hasStore = currencies.length > 0
    const slugs = (of: typeof rules) => of.map(({ slug }) => slug)
    const steps: Step[] = [
      step('seller', hasStore, sellers),
      step('legal', true, documents),
      step('store', hasStore),
      step('product', hasPicturedProduct),
      step('shipping', hasStore, slugs(rules.filter(({ lacksShipping }) => lacksShipping))),
      step('tax', hasStore, slugs(rules.filter(({ lacksTax }) => lacksTax))),
      step('payment', hasStore, await paymentProblems(deps, reader, currencies)),
      // Sent mails are deleted after a while, the proof is not.
      step('mail', delivered || proofs.has('mail_delivered')),
      step('policies', hasStore, policies),
      step('connection', key),
      step('test_order', order),
      step('live', true, missingProofs(proofs)),
    ]
    return { isDone: steps.every(({ isDone }) => isDone), steps }
  }
}

/** A step is done if what it requires exists and nothing is missing. */
function step(code: Step['code'], exists: boolean, missing: readonly string[] = []): Step {
  return { code, isDone: exists && missing.length === 0, missing: missing.slice(0, LAUNCH_MISSING_MAX) }
}

/** The missing readiness proofs, which live keys also require. */
function missingProofs(recorded: ReadonlySet<string>): readonly string[] {
  return READINESS_PROOFS.filter(({ code }) => !recorded.has(code)).map(({ code }) => code)
}

const PROBLEM_LENGTH_MAX = 300

/** The currencies without a live payment method, or the problems of the providers. */
async function paymentProblems(
  { payments, transfer }: LaunchDeps,
  reader: Reader,
  currencies: readonly string[],
): Promise<readonly string[]> {
  const untaken = await Promise.all(
    currencies.map(async (currency) => {
      const takesCards = payments.methodsFor('live', currency).some(({ kind }) => kind !== 'manual')
      return takesCards || (await takesTransfers(reader, 'live', [currency], transfer)) ? [] : [currency]
    }),
  )
  const problems = await payments.problemsIn('live')
  return [...untaken.flat(), ...problems.map((problem) => problem.slice(0, PROBLEM_LENGTH_MAX))]
}
