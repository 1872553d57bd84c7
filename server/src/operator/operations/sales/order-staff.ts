import type { OperatorRefundPreview, operatorOperations } from '@vitrine/contract/operator'
import { afterSalesOf } from '../../../features/after-sales/index.ts'
import { previewCancellation } from '../../../features/cancellations/index.ts'
import {
  intentsOf,
  isOfKeys,
  KEYS_MAIL,
  type LicenseVault,
  mailKeysAgain,
} from '../../../features/fulfillment/index.ts'
import {
  addStaffNote,
  documentLinks,
  findOrderById,
  listStaffTags,
  lockOrderById,
  notifyShopper,
  type Order,
  previewRefundOfOperator,
  type RefundPreview,
  readStaffRecord,
  setStaffTags,
} from '../../../features/orders/index.ts'
import { intentOf } from '../../../features/payments/index.ts'
import { readSiteName } from '../../../features/storefront/index.ts'
import { wireMoney } from '../../../kernel/money.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import type { OperatorHandler } from '../../door/handler.ts'
import { readOperatorOrder, repeatableMailsOf } from './order-views.ts'

type Rows = typeof operatorOperations

interface OrderStaffDeps {
  readonly pagesUrl: string
  /** The vault from which keys are mailed again. */
  readonly licenses: LicenseVault
}

/** The contract's maximum. */
const TAGS_MAX = 200

/** POST /operator/v1/orders/{orderId}/notes */
const addOrderNote: OperatorHandler<Rows['addOrderNote']> = async ({ params: { orderId }, body }, context) => {
  const { tx, operator, audit } = context
  await lockOrderById(tx, orderId)
  const note = addStaffNote(tx, orderId, { text: body.text, author: operator.email }, context)
  // The audit log keeps everything forever; what a note says about a person can be erased.
  audit({ subject: { type: 'order_note', id: note.id }, before: null, after: { orderId } })
  return readOperatorOrder(tx, orderId, context)
}

/** PUT /operator/v1/orders/{orderId}/tags */
const setOrderTags: OperatorHandler<Rows['setOrderTags']> = async ({ params: { orderId }, body }, context) => {
  const { tx, audit } = context
  await lockOrderById(tx, orderId)
  const before = await readStaffRecord(tx, orderId)
  const tags = setStaffTags(tx, orderId, body.tags)
  audit({ subject: { type: 'order', id: orderId }, before: { tags: before.tags }, after: { tags } })
  return readOperatorOrder(tx, orderId, context)
}

/** GET /operator/v1/order-tags */
const listOrderTags: OperatorHandler<Rows['listOrderTags']> = async (_input, { reader, operator }) => {
  return { items: [...(await listStaffTags(reader, { limit: TAGS_MAX, storeId: operator.store?.id }))] }
}

/** POST /operator/v1/orders/{orderId}/mails */
function resendOrderMail({ pagesUrl, licenses }: OrderStaffDeps): OperatorHandler<Rows['resendOrderMail']> {
  const keys = { siteName: readSiteName, vault: licenses }
  return async ({ params: { orderId }, body: { kind, reference = null } }, context) => {
    const { tx, audit } = context
    const order = await lockOrderById(tx, orderId)
    if (kind === KEYS_MAIL) {
      const parcel = (await intentsOf(tx, orderId)).filter(isOfKeys).find(({ id }) => id === reference)
      await mailKeysAgain(tx, { order, parcel: parcel ?? refuse('not_found') }, keys, context)
    } else {
      const documents = await documentLinks(tx, order, pagesUrl)
      const mails = repeatableMailsOf(order, await afterSalesOf(tx, orderId), documents)
      const chosen = mails.find((each) => each.mail.kind === kind && each.reference === reference)
      await notifyShopper(tx, order, [(chosen ?? refuse('not_found')).mail], context)
    }
    audit({ subject: { type: 'order_mail', id: orderId }, before: null, after: { mail: kind, reference } })
    return readOperatorOrder(tx, orderId, context)
  }
}

/** POST /operator/v1/orders/{orderId}/refund-preview */
const previewRefund: OperatorHandler<Rows['previewRefund']> = async ({ params: { orderId }, body }, context) => {
  const { tx: reader, now } = context
  const order = await findOrderById(reader, orderId)
  if (body.amount === undefined) {
    const preview = await previewCancellation(reader, { order, lines: body.lines }, now)
    return presentPreview(reader, order, preview)
  }
  const preview = previewRefundOfOperator(order, BigInt(body.amount), now)
  return presentPreview(reader, order, { ...preview, restock: [], isVoided: false })
}

type Previewed = RefundPreview &
  Pick<OperatorRefundPreview, 'isVoided'> & {
    readonly restock: readonly OperatorRefundPreview['restock'][number][]
  }

async function presentPreview(
  reader: Reader,
  { currency, chargeId }: Order,
  { refund, shipping, tax, left, restock, isVoided }: Previewed,
): Promise<OperatorRefundPreview> {
  const charge = chargeId === null ? undefined : await intentOf(reader, chargeId)
  return {
    refund: wireMoney(refund, currency),
    items: wireMoney(refund - shipping, currency),
    shipping: wireMoney(shipping, currency),
    tax: wireMoney(tax, currency),
    left: wireMoney(left, currency),
    restock: restock.map(({ lineId, quantity }) => ({ lineId, quantity })),
    ...(charge && { paidWith: charge.provider }),
    isVoided,
  }
}

export function orderStaffOperations(deps: OrderStaffDeps) {
  return { addOrderNote, setOrderTags, listOrderTags, resendOrderMail: resendOrderMail(deps), previewRefund }
}
