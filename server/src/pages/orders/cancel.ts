import { CANCELLATION_REASONS, StorefrontOrderTransitionRequest } from '@vitrine/contract'
import { Type } from 'typebox'
import { type CancellationDeps, cancellationAnswer, cancelOrder } from '../../features/cancellations/index.ts'
import { type LineQuantity, lockOrderOfShopper, presentReasons } from '../../features/orders/index.ts'
import { formatMoney } from '../../kernel/format-money.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import {
  form,
  type HtmlPage,
  html,
  type PageReadContext,
  type PageResponse,
  type PageRoute,
  pageRead,
  pageWrite,
  type Texts,
} from '../toolkit/index.ts'
import { isVisit, type OrderEntry, type OrderQuery, orderQuery } from './access.ts'
import { unitsList } from './order-page.ts'
import { chosenUnits, unitChoices, unitFields, unitParameters } from './units.ts'
import { loadView, type OrderPagesDeps, type OrderView } from './view.ts'

const { reason } = StorefrontOrderTransitionRequest.properties

type Words =
  | 'title'
  | 'lead'
  | 'none'
  | 'review'
  | 'reason'
  | 'customer_request'
  | 'duplicate'
  | 'address_wrong'
  | 'payment_problem'
  | 'other'
  | 'preview'
  | 'sureTitle'
  | 'refund'
  | 'noRefund'
  | 'submit'
  | 'ask'
  | 'change'
  | 'back'
  | 'nothing'
  | 'changed'

const texts: Texts<Words> = {
  en: {
    title: 'Cancel items',
    lead: 'How many of each item do you want to cancel?',
    none: 'Nothing in this order can be canceled now.',
    review: 'The store reviews your request first. We’ll email you its answer.',
    reason: 'Reason',
    customer_request: 'I changed my mind',
    duplicate: 'I ordered twice by mistake',
    address_wrong: 'The address is wrong',
    payment_problem: 'There was a problem with the payment',
    other: 'Something else',
    preview: 'Continue',
    sureTitle: 'Cancel these items?',
    refund: 'You’ll be refunded',
    noRefund: 'There is nothing to refund.',
    submit: 'Cancel these items',
    ask: 'Request cancellation',
    change: 'Change selection',
    back: 'Back to the order',
    nothing: 'Select at least one item to cancel',
    changed: 'Your order has changed in the meantime. Please check your selection.',
  },
  de: {
    title: 'Artikel stornieren',
    lead: 'Wie viele der Artikel möchtest du stornieren?',
    none: 'In dieser Bestellung kann derzeit nichts storniert werden.',
    review: 'Der Shop prüft deine Anfrage zuerst. Die Antwort erhältst du per E-Mail.',
    reason: 'Grund',
    customer_request: 'Ich habe es mir anders überlegt',
    duplicate: 'Ich habe versehentlich doppelt bestellt',
    address_wrong: 'Die Adresse ist falsch',
    payment_problem: 'Es gab ein Problem mit der Zahlung',
    other: 'Etwas anderes',
    preview: 'Weiter',
    sureTitle: 'Diese Artikel stornieren?',
    refund: 'Du erhältst zurück:',
    noRefund: 'Es gibt nichts zu erstatten.',
    submit: 'Diese Artikel stornieren',
    ask: 'Stornierung anfragen',
    change: 'Auswahl ändern',
    back: 'Zurück zur Bestellung',
    nothing: 'Wähle mindestens einen Artikel aus',
    changed: 'Deine Bestellung hat sich inzwischen geändert. Bitte prüfe deine Auswahl.',
  },
}

/** Refusals because of the state of the order, which may have changed since the page was rendered. */
export const CHANGED_CODES: ReadonlySet<string> = new Set([
  'version_conflict',
  'order_not_cancelable',
  'cancellation_exists',
  'after_sales_ineligible',
  'after_sales_exists',
  'payment_outcome_unknown',
  'quantity_exceeded',
])

const ChooseQuery = orderQuery({ ...unitFields, reason: Type.Optional(reason) })
const CancelForm = Type.Object(
  { ...unitFields, reason, version: Type.Integer({ minimum: 1 }) },
  { additionalProperties: false },
)

/** Cancel items: choose units, see the refund, and confirm. */
export function cancelPages(entry: OrderEntry, deps: OrderPagesDeps & CancellationDeps): PageRoute[] {
  const path = `${entry.path}/cancel` as const
  return [
    pageRead({
      path,
      query: ChooseQuery,
      async show({ query }, context) {
        const visit = await entry.admit(query as OrderQuery, context)
        if (!isVisit(visit)) return visit
        const view = await loadView(deps, visit, context)
        const units = chosenUnits(view.order, query)
        const chosen = query.reason
        if (chosen === undefined) return choicePage(view, context)
        return units.length === 0
          ? choicePage(view, context, 'nothing')
          : previewPage(view, context, { units, reason: chosen })
      },
    }),

    pageWrite({
      path: `${path}/preview`,
      query: orderQuery({}),
      form: Type.Object({ ...unitFields, reason }, { additionalProperties: false }),
      async work({ query, form: sent }, context) {
        const visit = await entry.admit(query, { ...context, reader: context.tx })
        if (!isVisit(visit)) return visit
        const order = await lockOrderOfShopper(context.tx, visit.access)
        const units = chosenUnits(order, sent)
        const more = units.length === 0 ? { u1: '0' } : unitParameters(order, units)
        return { kind: 'redirect', to: visit.at('/cancel', { ...more, reason: sent.reason }) }
      },
      refused: async () => null,
    }),

    pageWrite({
      path,
      query: orderQuery({}),
      form: CancelForm,
      async work({ query, form: sent }, { tx, ids, now, ...context }) {
        const visit = await entry.admit(query, { ...context, now, reader: tx })
        if (!isVisit(visit)) return visit
        const order = await lockOrderOfShopper(tx, visit.access)
        const { stopFulfillment } = deps
        const request = {
          lines: chosenUnits(order, sent),
          reason: sent.reason,
          expectedVersion: sent.version,
          answered: null,
          actor: 'customer',
        } as const
        await cancelOrder(tx, order, request, { stopFulfillment, ids, now })
        return { kind: 'redirect', to: visit.at('', { changed: 'yes' }) }
      },
      refused: (refusal, { query }, context) => afterRefusal(entry, deps, { refusal, query }, context),
    }),
  ]
}

async function afterRefusal(
  entry: OrderEntry,
  deps: OrderPagesDeps,
  { refusal, query }: { readonly refusal: Refusal; readonly query: OrderQuery },
  context: PageReadContext,
): Promise<PageResponse | null> {
  if (!CHANGED_CODES.has(refusal.code)) return null
  const visit = await entry.admit(query, context)
  if (!isVisit(visit)) return visit
  const view = await loadView(deps, visit, context)
  return choicePage(view, context, 'changed')
}

async function choicePage(
  view: OrderView,
  { reader, now }: Pick<PageReadContext, 'reader' | 'now'>,
  problem?: 'nothing' | 'changed',
): Promise<HtmlPage> {
  const { order, language, formToken, at } = view
  const words = texts[language]
  const { eligibility } = await cancellationAnswer(reader, order, now)
  const isPossible = eligibility.decision !== 'ineligible'
  const error = isPossible || problem === 'changed' ? problem : undefined
  const all = Object.fromEntries(Object.entries(unitParameters(order, eligibility.max)))
  const why = presentReasons(eligibility.reasons, view.locale).filter(({ lineId }) => lineId === undefined)
  const main = html`<h1>${words.title}</h1>
${
  isPossible
    ? html`<p class="lead">${words.lead}</p>
${eligibility.decision === 'manual_review' && html`<p class="note">${words.review}</p>`}
${form({
  language,
  action: at('/cancel/preview'),
  formToken,
  fields: [
    ...unitChoices(order, eligibility.max),
    {
      name: 'reason',
      label: words.reason,
      type: 'select',
      options: CANCELLATION_REASONS.map((value) => ({ value, label: words[value] })),
    },
  ],
  values: all,
  ...(error && { errors: { '': words[error] } }),
  submit: words.preview,
})}`
    : html`<p class="lead">${words[error ?? 'none']}</p>
${why.map(({ message }) => html`<p>${message}</p>`)}`
}
<div class="actions"><a class="button quiet" href="${at()}">${words.back}</a></div>`
  return {
    kind: 'page',
    title: words.title,
    main,
    language,
    stores: [...view.stores.keys()],
    ...(error && { status: error === 'changed' ? 409 : 400, hasErrors: true }),
  }
}

async function previewPage(
  view: OrderView,
  { reader, now }: PageReadContext,
  {
    units,
    reason: chosen,
  }: { readonly units: readonly LineQuantity[]; readonly reason: (typeof CANCELLATION_REASONS)[number] },
): Promise<HtmlPage> {
  const { order, language, locale, formToken, at } = view
  const words = texts[language]
  const { eligibility } = await cancellationAnswer(reader, order, now)
  const most = new Map(eligibility.max.map(({ lineId, quantity }) => [lineId, quantity]))
  if (units.some(({ lineId, quantity }) => quantity > (most.get(lineId) ?? 0))) {
    return choicePage(view, { reader, now }, 'changed')
  }
  const { preview } = await cancellationAnswer(reader, order, now, units)
  const { amount } = preview.refund
  const needsReview = eligibility.decision === 'manual_review'
  const main = html`<h1>${words.sureTitle}</h1>
${unitsList(view, units)}
<p>${amount > 0n ? html`${words.refund} <strong>${formatMoney(locale, amount, order.currency)}</strong>` : words.noRefund}</p>
${needsReview && html`<p class="note">${words.review}</p>`}
${form({
  language,
  action: at('/cancel'),
  formToken,
  fields: [],
  hidden: { ...unitParameters(order, units), reason: chosen, version: String(order.version) },
  submit: needsReview ? words.ask : words.submit,
})}
<div class="actions"><a class="button quiet" href="${at('/cancel')}">${words.change}</a></div>`
  return { kind: 'page', title: words.sureTitle, main, language, stores: [...view.stores.keys()] }
}
