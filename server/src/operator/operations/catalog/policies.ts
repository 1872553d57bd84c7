import type { OperatorOrderPolicy, operatorOperations } from '@vitrine/contract/operator'
import { storeIdsBySlug } from '../../../features/catalog/index.ts'
import {
  type OrderPolicy,
  readOrderPolicy,
  saveOrderPolicy as save,
  type VersionedPolicy,
} from '../../../features/orders/index.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import type { OperatorHandler } from '../../door/handler.ts'

type Rows = typeof operatorOperations

/** GET /operator/v1/stores/{storeSlug}/order-policy */
const getOrderPolicy: OperatorHandler<Rows['getOrderPolicy']> = async ({ params: { storeSlug } }, { reader }) => {
  return presentPolicy(storeSlug, await readOrderPolicy(reader, await storeIdOf(reader, storeSlug)))
}

/** PUT /operator/v1/stores/{storeSlug}/order-policy */
const saveOrderPolicy: OperatorHandler<Rows['saveOrderPolicy']> = async ({ params, body }, context) => {
  const { tx, now, operator, audit } = context
  const storeId = await storeIdOf(tx, params.storeSlug)
  const before = await readOrderPolicy(tx, storeId)
  const { policy, expectedVersion } = body

  const after = await save(tx, { storeId, policy, savedBy: operator.email, expectedVersion, now })

  audit({
    subject: { type: 'order_policy', id: storeId },
    before: { version: before.version, ...changedIn(before.policy, after.policy) },
    after: { version: after.version, ...changedIn(after.policy, before.policy) },
  })
  return presentPolicy(params.storeSlug, after)
}

export const policyOperations = { getOrderPolicy, saveOrderPolicy }

async function storeIdOf(reader: Reader, slug: string): Promise<string> {
  return (await storeIdsBySlug(reader)).get(slug) ?? refuse('not_found')
}

/** The sections of a policy that differ from the other policy. Final-sale lists are compared and shown by their length. */
function changedIn(policy: OrderPolicy, other: OrderPolicy): Readonly<Record<string, unknown>> {
  const summed = ({ cancellation, afterSales, finalSale }: OrderPolicy) => {
    const finals = Object.entries(finalSale).map(([name, ids]) => [name, ids.length])
    return { cancellation, afterSales, finalSale: Object.fromEntries(finals) }
  }
  const [shown, others] = [summed(policy), summed(other)]
  return Object.fromEntries(
    Object.entries(shown).filter(
      ([name, part]) => JSON.stringify(part) !== JSON.stringify(others[name as keyof typeof others]),
    ),
  )
}

function presentPolicy(storeSlug: string, { version, policy }: VersionedPolicy) {
  return { storeSlug, version, policy: structuredClone(policy) as OperatorOrderPolicy }
}
