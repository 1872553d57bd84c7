import { CheckoutSessionParams } from '@vitrine/contract'
import { type Static, type TProperties, Type } from 'typebox'
import { COUNTRIES } from '../../features/carts/index.ts'
import {
  CHECKOUT_PATH,
  type CheckoutForPages,
  type PageAccess,
  type PageSession,
} from '../../features/checkout/index.ts'
import { findOrderById } from '../../features/orders/index.ts'
import { intentOf, type Payments } from '../../features/payments/index.ts'
import { documentsToAccept } from '../../features/storefront/index.ts'
import { type Refusal, refuse } from '../../kernel/refusal.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import { missingTick, saidToBeAccepted } from '../legal/accepting.ts'
import {
  nothing,
  type PageAnswer,
  type PageReadContext,
  type PageRoute,
  pageRead,
  pageWrite,
} from '../toolkit/index.ts'
import { addressFrom, BillingForm, errorsOfAddress, ShippingForm, valuesOf } from './address-form.ts'
import { texts } from './checkout-texts.ts'
import { type Current, openPage } from './open-view.ts'
import { PaymentForm } from './payment-view.ts'
import { chosenShipping, ShippingChoice } from './shipping-view.ts'
import { type Shown, shownTo } from './shown.ts'
import { actionPage, completedPage, endedPage, texts as stateTexts, transferPage, waitPage } from './state-views.ts'
import { type Editing, stepOf } from './step.ts'

/** What the pages of a checkout stand on. */
export interface CheckoutPagesDeps {
  readonly checkout: CheckoutForPages
  readonly payments: Payments
  /** The public door as the world sees it: pictures may stand below it. */
  readonly publicUrl: string
}

const PATH = `${CHECKOUT_PATH}/:sessionId/:key` as const

/** What the address of a checkout carries: whose it is, and the key that nobody can guess. */
const access = {
  sessionId: CheckoutSessionParams.properties.sessionId,
  key: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' }),
} satisfies TProperties
const closed = { additionalProperties: false } as const
const Access = Type.Object(access, closed)
const Asked = Type.Object(
  {
    ...access,
    edit: Type.Optional(Type.Enum(['address', 'billing', 'shipping'])),
    country: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$' })),
  },
  closed,
)
type Asked = Static<typeof Asked>

/** Where a shopper sees what they buy, says what is missing, pays, and learns what came of it. */
export function checkoutPages({ checkout, payments, publicUrl }: CheckoutPagesDeps): PageRoute[] {
  const sessionOf = async (reader: Reader, asked: PageAccess, now: Date) =>
    (await checkout.sessionForPage(reader, asked, now)) ?? refuse('not_found')

  async function shownFor(asked: PageAccess, context: PageReadContext): Promise<Shown> {
    return shownTo(await sessionOf(context.reader, asked, context.now), { access: asked, publicUrl }, context)
  }

  const documentsFor = (reader: Reader, { page, locale }: Pick<Shown, 'page' | 'locale'>, now: Date) =>
    documentsToAccept(reader, 'buying', { now, languages: [locale], storeIds: page.stores.map(({ id }) => id) })

  async function payment(shown: Shown, reader: Reader): Promise<Current & { readonly step: 'payment' }> {
    const { environment, currency, chargeId } = shown.page
    const [documents, charge] = await Promise.all([
      documentsFor(reader, shown, shown.now),
      chargeId === null ? null : intentOf(reader, chargeId),
    ])
    const failureCode = charge?.failureCode ?? null
    return { step: 'payment', offered: { methods: payments.methodsFor(environment, currency), documents, failureCode } }
  }

  async function currentStep(shown: Shown, reader: Reader, { edit, country }: Pick<Asked, 'edit' | 'country'>) {
    const step = stepOf(shown.page, edit)
    if (step === 'payment') return payment(shown, reader)
    return step === 'shipping'
      ? ({ step } as const)
      : ({ step, address: addressStep(shown.page, edit, country) } as const)
  }

  /** The page of a session, by its state. */
  async function pageFor(
    shown: Shown,
    reader: Reader,
    asked: Pick<Asked, 'edit' | 'country'> = {},
  ): Promise<PageAnswer> {
    const { session, chargeId, environment, currency } = shown.page
    switch (session.status) {
      case 'open':
        return openPage(shown, { current: await currentStep(shown, reader, asked) })
      case 'processing':
      case 'cancel_pending':
        return waitPage(shown)
      case 'requires_action': {
        const charge = chargeId === null ? null : await intentOf(reader, chargeId)
        if (!charge) return waitPage(shown)
        if (charge.nextActionUrl !== null) return actionPage(shown, charge.nextActionUrl)
        const method = payments.methodsFor(environment, currency).find(({ provider }) => provider === charge.provider)
        return transferPage(shown, charge, method?.instructions ?? null)
      }
      case 'completed':
        return completedPage(shown, await findOrderById(reader, session.orderId ?? refuse('not_found')))
      case 'canceled':
      case 'expired':
        return endedPage(shown)
    }
  }

  /** Somebody was faster, or time has passed: what stands now is shown, and said to be other than before. */
  async function changedMeanwhile(
    { code }: Refusal,
    asked: PageAccess,
    context: PageReadContext,
  ): Promise<PageAnswer | null> {
    if (code !== 'version_conflict' && code !== 'session_expired' && code !== 'cart_incomplete') return null
    const shown = await shownFor(asked, context)
    if (shown.page.session.status !== 'open') return { kind: 'redirect', to: shown.at() }
    const current = await currentStep(shown, context.reader, {})
    return openPage(shown, { current, notice: texts[shown.language].changed, status: 409 })
  }

  /** An address that was typed: shown again with what is wrong. */
  async function addressAgain(
    kind: 'shipping' | 'billing',
    refusal: Refusal,
    { query, form }: { readonly query: PageAccess; readonly form: Readonly<Record<string, string>> },
    context: PageReadContext,
  ): Promise<PageAnswer | null> {
    const shown = await shownFor(query, context)
    const errors = errorsOfAddress(refusal, form, shown.language)
    if (!errors || shown.page.session.status !== 'open') return changedMeanwhile(refusal, query, context)
    const country = COUNTRIES.includes(form.countryCode ?? '') ? form.countryCode! : shown.page.country
    return openPage(shown, {
      current: { step: 'address', address: { kind, country, values: form, errors } },
      status: 400,
    })
  }

  return [
    pageRead({
      path: PATH,
      query: Asked,
      async show({ query }, context) {
        return pageFor(await shownFor(query, context), context.reader, query)
      },
    }),

    pageWrite({
      path: `${PATH}/address`,
      query: Access,
      form: ShippingForm,
      prepare: async ({ query }, { reader, now }) => sessionOf(reader, query, now),
      async work({ query, form: { email, ...place }, prepared: page }, { tx, ids, now, link }) {
        const shippingAddress = addressFrom(place, page.shippingAddress)
        await checkout.giveAddress(tx, query, { contact: { email }, shippingAddress }, { ids, now })
        return { kind: 'redirect', to: link(pathOf(query)) }
      },
      refused: (refusal, input, context) => addressAgain('shipping', refusal, input, context),
    }),

    pageWrite({
      path: `${PATH}/billing`,
      query: Access,
      form: BillingForm,
      prepare: async ({ query }, { reader, now }) => sessionOf(reader, query, now),
      async work({ query, form, prepared: page }, { tx, ids, now, link }) {
        const billingAddress = addressFrom(form, page.billingAddress)
        await checkout.giveAddress(tx, query, { billingAddress }, { ids, now })
        return { kind: 'redirect', to: link(pathOf(query)) }
      },
      refused: (refusal, input, context) => addressAgain('billing', refusal, input, context),
    }),

    pageWrite({
      path: `${PATH}/billing/same`,
      query: Access,
      form: nothing,
      async work({ query }, { tx, ids, now, link }) {
        await checkout.giveAddress(tx, query, { billingAddress: null }, { ids, now })
        return { kind: 'redirect', to: link(pathOf(query)) }
      },
      refused: (refusal, { query }, context) => changedMeanwhile(refusal, query, context),
    }),

    pageWrite({
      path: `${PATH}/shipping`,
      query: Access,
      form: ShippingChoice,
      prepare: async ({ query }, { reader, now }) => sessionOf(reader, query, now),
      async work({ query, form, prepared: page }, { tx, ids, now, link }) {
        await checkout.chooseShipping(tx, query, chosenShipping(page, form), { ids, now })
        return { kind: 'redirect', to: link(pathOf(query)) }
      },
      refused: (refusal, { query }, context) => changedMeanwhile(refusal, query, context),
    }),

    pageWrite({
      path: `${PATH}/pay`,
      query: Access,
      form: PaymentForm,
      async work({ query, form }, { tx, ids, now, link }) {
        const provider = form.provider ?? ''
        const wish = {
          acceptedDocuments: saidToBeAccepted(form) as PageSession['acceptedDocuments'],
          provider,
          expectedVersion: form.version,
          sending: payments.occasion(provider),
        }
        const { claim } = await checkout.acceptAndPay(tx, query, wish, { ids, now })
        const to = link(pathOf(query))
        return { kind: 'redirect', to, ...(claim && { afterwards: () => payments.send(claim) }) }
      },
      async refused(refusal, { query, form }, context) {
        if (refusal.code !== 'validation_failed') return changedMeanwhile(refusal, query, context)
        const shown = await shownFor(query, context)
        if (shown.page.session.status !== 'open') return { kind: 'redirect', to: shown.at() }
        const isTick = refusal.facts.details?.some(({ pointer }) => pointer?.startsWith('/acceptedDocuments')) === true
        const errors = isTick ? { accepted: missingTick(shown.language) } : { '': texts[shown.language].changed }
        const current = await payment(shown, context.reader)
        return openPage(shown, { current: { ...current, typed: { values: form, errors } }, status: 400 })
      },
    }),

    pageWrite({
      path: `${PATH}/cancel`,
      query: Access,
      form: nothing,
      async work({ query }, { tx, ids, now, link }) {
        const to = await checkout.cancelFromPage(tx, query, { ids, now })
        const { session, chargeId } = await sessionOf(tx, query, now)
        if (session.status === 'canceled') return { kind: 'redirect', to, ...afterwards(chargeId) }
        // The payment is ahead of us: how it ends is told here.
        return { kind: 'redirect', to: link(pathOf(query)), ...afterwards(chargeId) }
      },
      async refused({ code }, { query }, context) {
        const shown = await shownFor(query, context)
        if (code !== 'payment_outcome_unknown') return { kind: 'redirect', to: shown.at() }
        return waitPage(shown, stateTexts[shown.language].noCancel)
      },
    }),

    pageRead({
      path: `${PATH}/back`,
      query: Access,
      async show({ query }, { reader, now }) {
        return { kind: 'redirect', to: (await sessionOf(reader, query, now)).wayBack }
      },
    }),
  ]

  function afterwards(chargeId: string | null): { readonly afterwards?: () => Promise<unknown> } {
    return chargeId === null ? {} : { afterwards: () => payments.advance(chargeId) }
  }
}

function pathOf({ sessionId, key }: PageAccess): string {
  return `${CHECKOUT_PATH}/${sessionId}/${key}`
}

/** Whose address is asked for, in the form of which country, with what is known of it. */
function addressStep(page: PageSession, edit: Editing | undefined, country: string | undefined) {
  const kind = edit === 'billing' && page.shippingAddress ? 'billing' : 'shipping'
  const known = kind === 'billing' ? page.billingAddress : page.shippingAddress
  const email = kind === 'shipping' ? page.contact?.email : undefined
  const offered = kind === 'billing' ? COUNTRIES : page.countries
  const asked = country !== undefined && offered.includes(country) ? country : undefined
  const chosen = asked ?? known?.countryCode ?? page.shippingAddress?.countryCode ?? firstOf(page)
  const values = valuesOf(known, email)
  // A region and a postal code of another country would only be wrong here.
  const { region: _, postalCode: __, ...elsewhere } = values
  return { kind, country: chosen, values: known?.countryCode === chosen ? values : elsewhere } as const
}

function firstOf({ country, countries }: PageSession): string {
  return countries.includes(country) ? country : (countries[0] ?? country)
}
