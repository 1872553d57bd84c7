import { CheckoutSessionParams } from '@vitrine/contract'
import { type Static, type TProperties, Type } from 'typebox'
import {
  applyCode,
  CHECKOUT_PATH,
  cancelFromPage,
  findPageLocale,
  type PageAccess,
  type PageSession,
  payFromPage,
  selectShipping,
  updateAddresses,
} from '../../features/checkout/index.ts'
import { acceptanceMissing, acceptedIn } from '../legal/acceptance.ts'
import {
  fieldFaults,
  inLocaleOf,
  nothing,
  type PagePrepareContext,
  type PageRoute,
  pageRead,
  pageWrite,
} from '../toolkit/index.ts'
import { addressFrom, BillingForm, ContactForm, phoneFrom, ShippingForm } from './address-form.ts'
import { CodeForm, errorOfCode } from './code-view.ts'
import { confirmTransferPages } from './confirm-transfer.ts'
import { openSessionPage } from './open-view.ts'
import {
  addressErrorPage,
  type CheckoutPagesDeps,
  conflictPage,
  loadSession,
  loadView,
  pageFor,
  paymentStep,
} from './pages.ts'
import { PaymentForm } from './payment-view.ts'
import { ShippingChoice, selectedShipping } from './shipping-view.ts'
import { texts as stateTexts, waitPage } from './state-views.ts'
import { texts } from './texts.ts'

export type { CheckoutPagesDeps } from './pages.ts'

const PATH = `${CHECKOUT_PATH}/:sessionId/:key` as const

const access = {
  sessionId: CheckoutSessionParams.properties.sessionId,
  key: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' }),
} satisfies TProperties
const closed = { additionalProperties: false } as const
const Access = Type.Object(access, closed)
const PageQuery = Type.Object(
  {
    ...access,
    edit: Type.Optional(Type.Enum(['address', 'billing', 'shipping'])),
    country: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$' })),
  },
  closed,
)

/** The checkout page: contact and address, shipping, payment, and the outcome. */
export function checkoutPages(deps: CheckoutPagesDeps): PageRoute[] {
  const pages = [
    checkoutPage(deps),
    submitAddress(deps),
    submitBilling(deps),
    submitContact(deps),
    useShippingAddress(deps),
    submitShipping(deps),
    submitCode(deps),
    submitPayment(deps),
    submitCancel(deps),
    exit(deps),
    ...confirmTransferPages(deps),
  ]
  return inLocaleOf(({ sessionId, key }, { reader, now }) => {
    return findPageLocale(deps.checkout, reader, { sessionId: String(sessionId), key: String(key) }, now)
  }, pages)
}

function checkoutPage(deps: CheckoutPagesDeps): PageRoute {
  return pageRead({
    path: PATH,
    query: PageQuery,
    async show({ query }, context) {
      return pageFor(deps, await loadView(deps, query, context), context.reader, query)
    },
  })
}

function submitAddress(deps: CheckoutPagesDeps): PageRoute {
  return pageWrite({
    path: `${PATH}/address`,
    query: Access,
    form: ShippingForm,
    prepare: (input, context) => prepareAddress(deps, input, context),
    async work({ query, form: { email, phone: typed, ...place }, prepared: page }, { tx, ids, now, link }) {
      const { phone: _, ...address } = addressFrom(place, page.shippingAddress)
      const phone = phoneFrom(typed)
      const shippingAddress = { ...address, ...(phone !== undefined && { phone }) }
      await updateAddresses(deps.checkout, tx, query, { contact: { email }, shippingAddress }, { ids, now })
      return { kind: 'redirect', to: link(pathOf(query)) }
    },
    refused: (refusal, input, context) => addressErrorPage(deps, 'shipping', refusal, input, context),
  })
}

function submitBilling(deps: CheckoutPagesDeps): PageRoute {
  return pageWrite({
    path: `${PATH}/billing`,
    query: Access,
    form: BillingForm,
    prepare: (input, context) => prepareAddress(deps, input, context),
    async work({ query, form, prepared: page }, { tx, ids, now, link }) {
      const billingAddress = addressFrom(form, page.billingAddress)
      await updateAddresses(deps.checkout, tx, query, { billingAddress }, { ids, now })
      return { kind: 'redirect', to: link(pathOf(query)) }
    },
    refused: (refusal, input, context) => addressErrorPage(deps, 'billing', refusal, input, context),
  })
}

async function prepareAddress(
  deps: CheckoutPagesDeps,
  { query, form }: { readonly query: PageAccess; readonly form: Static<typeof BillingForm> },
  { reader, now }: PagePrepareContext,
): Promise<PageSession> {
  const session = await loadSession(deps, reader, query, now)
  await deps.checkVatIds([form], now)
  return session
}

function submitContact(deps: CheckoutPagesDeps): PageRoute {
  return pageWrite({
    path: `${PATH}/contact`,
    query: Access,
    form: ContactForm,
    async work({ query, form: { email } }, { tx, ids, now, link }) {
      await updateAddresses(deps.checkout, tx, query, { contact: { email } }, { ids, now })
      return { kind: 'redirect', to: link(pathOf(query)) }
    },
    refused: (refusal, input, context) => addressErrorPage(deps, 'contact', refusal, input, context),
  })
}

function useShippingAddress(deps: CheckoutPagesDeps): PageRoute {
  return pageWrite({
    path: `${PATH}/billing/same`,
    query: Access,
    form: nothing,
    async work({ query }, { tx, ids, now, link }) {
      await updateAddresses(deps.checkout, tx, query, { billingAddress: null }, { ids, now })
      return { kind: 'redirect', to: link(pathOf(query)) }
    },
    refused: (refusal, { query }, context) => conflictPage(deps, refusal, query, context),
  })
}

function submitShipping(deps: CheckoutPagesDeps): PageRoute {
  return pageWrite({
    path: `${PATH}/shipping`,
    query: Access,
    form: ShippingChoice,
    prepare: async ({ query }, { reader, now }) => loadSession(deps, reader, query, now),
    async work({ query, form, prepared: page }, { tx, ids, now, link }) {
      await selectShipping(deps.checkout, tx, query, selectedShipping(page, form), { ids, now })
      return { kind: 'redirect', to: link(pathOf(query)) }
    },
    refused: (refusal, { query }, context) => conflictPage(deps, refusal, query, context),
  })
}

function submitCode(deps: CheckoutPagesDeps): PageRoute {
  return pageWrite({
    path: `${PATH}/code`,
    query: Access,
    form: CodeForm,
    limit: 'cart-write',
    async work({ query, form: { code } }, { tx, ids, now, link }) {
      await applyCode(deps.checkout, tx, query, code ?? null, { ids, now })
      return { kind: 'redirect', to: link(pathOf(query)) }
    },
    async refused(refusal, { query, form }, context) {
      const view = await loadView(deps, query, context)
      const errors = errorOfCode(refusal, view)
      if (!errors || view.page.session.status !== 'open') return conflictPage(deps, refusal, query, context)
      const current = { ...(await paymentStep(deps, view, context.reader)), code: { values: form, errors } }
      return openSessionPage(view, { current, status: 400 })
    },
  })
}

function submitPayment(deps: CheckoutPagesDeps): PageRoute {
  const { checkout, payments } = deps
  return pageWrite({
    path: `${PATH}/pay`,
    isRepeatable: true,
    query: Access,
    form: PaymentForm,
    async work({ query, form }, { tx, ids, now, link }) {
      const provider = form.provider ?? ''
      const request = {
        acceptedDocuments: acceptedIn(form) as PageSession['acceptedDocuments'],
        provider,
        expectedVersion: form.version,
        outcome: form.outcome ?? null,
        sending: payments.leaseTerms(provider),
      }
      const { claim } = await payFromPage(checkout, tx, query, request, { ids, now })
      const to = link(pathOf(query))
      return { kind: 'redirect', to, ...(claim && { afterCommit: () => payments.send(claim, form.outcome) }) }
    },
    async refused(refusal, { query, form }, context) {
      if (refusal.code !== 'validation_failed') return conflictPage(deps, refusal, query, context)
      const view = await loadView(deps, query, context)
      if (view.page.session.status !== 'open') return { kind: 'redirect', to: view.at() }
      const isAcceptance = fieldFaults(refusal).some(({ field }) => field.startsWith('acceptedDocuments'))
      const { language } = view
      const errors = isAcceptance ? { accepted: acceptanceMissing(language) } : { '': texts[language].changed }
      const current = { ...(await paymentStep(deps, view, context.reader)), typed: { values: form, errors } }
      return openSessionPage(view, { current, status: 400 })
    },
  })
}

function submitCancel(deps: CheckoutPagesDeps): PageRoute {
  const { checkout, payments } = deps
  return pageWrite({
    path: `${PATH}/cancel`,
    query: Access,
    form: nothing,
    async work({ query }, { tx, ids, now, link }) {
      const exitUrl = await cancelFromPage(checkout, tx, query, { ids, now })
      const { session, chargeId } = await loadSession(deps, tx, query, now)
      // While a payment is in progress, the shopper stays here to see its outcome.
      const to = session.status === 'canceled' ? exitUrl : link(pathOf(query))
      return { kind: 'redirect', to, ...(chargeId !== null && { afterCommit: () => payments.advance(chargeId) }) }
    },
    async refused({ code }, { query }, context) {
      const view = await loadView(deps, query, context)
      if (code !== 'payment_outcome_unknown') return { kind: 'redirect', to: view.at() }
      return waitPage(view, stateTexts[view.language].noCancel)
    },
  })
}

function exit(deps: CheckoutPagesDeps): PageRoute {
  return pageRead({
    path: `${PATH}/back`,
    query: Access,
    async show({ query }, { reader, now }) {
      return { kind: 'redirect', to: (await loadSession(deps, reader, query, now)).exitUrl }
    },
  })
}

function pathOf({ sessionId, key }: PageAccess): string {
  return `${CHECKOUT_PATH}/${sessionId}/${key}`
}
