import { StorefrontAfterSalesRequest } from '@vitrine/contract'
import { Type } from 'typebox'
import { afterSalesAnswer, openAfterSales } from '../../features/after-sales/index.ts'
import { lastDayOf } from '../../features/checkout/index.ts'
import { lockOrderOfShopper, presentReasons, refuseInvalidLines } from '../../features/orders/index.ts'
import { formatDate } from '../../kernel/format-date.ts'
import { formatMoney } from '../../kernel/format-money.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import {
  type FieldErrors,
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
import { CHANGED_CODES } from './cancel.ts'
import { texts as orderTexts } from './texts.ts'
import { chosenUnits, unitChoices, unitFields, unitParameters } from './units.ts'
import { loadView, type OrderPagesDeps, type OrderView } from './view.ts'

const { reasonCode } = StorefrontAfterSalesRequest.properties
/** Without `exchange`: it needs a replacement item, which only the shop can offer. */
const KINDS = ['return', 'refund_only', 'repair'] as const
const REASONS = [
  'unwanted',
  'size_or_fit',
  'defective',
  'damaged_in_transit',
  'wrong_item',
  'missing_item',
  'not_as_described',
  'late_delivery',
  'other',
] as const

type Words =
  | 'title'
  | 'lead'
  | 'none'
  | 'reason'
  | (typeof REASONS)[number]
  | 'description'
  | 'descriptionHint'
  | 'until'
  | 'review'
  | 'refund'
  | 'submit'
  | 'kind'
  | 'back'
  | 'nothing'
  | 'tooLong'
  | 'changed'

const texts: Texts<Words> = {
  en: {
    title: 'Return items or report a problem',
    lead: 'Which items do you mean, and how many of each?',
    none: 'There is nothing to return in this order now.',
    reason: 'Reason',
    unwanted: 'I don’t want it anymore',
    size_or_fit: 'It doesn’t fit',
    defective: 'It is faulty',
    damaged_in_transit: 'It arrived damaged',
    wrong_item: 'I received the wrong item',
    missing_item: 'Something was missing',
    not_as_described: 'It is not as described',
    late_delivery: 'It arrived too late',
    other: 'Something else',
    description: 'Anything we should know',
    descriptionHint: 'At most 500 characters.',
    until: 'Possible until',
    review: 'The store reviews your request first. We’ll email you its answer.',
    refund: 'At most',
    submit: 'Send request',
    kind: 'What would you like?',
    back: 'Back to the order',
    nothing: 'Select at least one item',
    tooLong: 'Enter at most 500 characters',
    changed: 'This is no longer possible. Please check your selection.',
  },
  de: {
    title: 'Artikel zurückgeben oder Problem melden',
    lead: 'Um welche Artikel geht es, und um wie viele?',
    none: 'In dieser Bestellung gibt es derzeit nichts zurückzugeben.',
    reason: 'Grund',
    unwanted: 'Gefällt mir nicht mehr',
    size_or_fit: 'Passt nicht',
    defective: 'Ist defekt',
    damaged_in_transit: 'Kam beschädigt an',
    wrong_item: 'Ich habe einen falschen Artikel erhalten',
    missing_item: 'Es hat etwas gefehlt',
    not_as_described: 'Entspricht nicht der Beschreibung',
    late_delivery: 'Kam zu spät',
    other: 'Etwas anderes',
    description: 'Was sollten wir noch wissen?',
    descriptionHint: 'Höchstens 500 Zeichen.',
    until: 'Möglich bis',
    review: 'Der Shop prüft deine Anfrage zuerst. Die Antwort erhältst du per E-Mail.',
    refund: 'Höchstens',
    submit: 'Anfrage senden',
    kind: 'Was möchtest du?',
    back: 'Zurück zur Bestellung',
    nothing: 'Wähle mindestens einen Artikel aus',
    tooLong: 'Gib höchstens 500 Zeichen ein',
    changed: 'Das ist so nicht mehr möglich. Bitte prüfe deine Auswahl.',
  },
}

type Kind = (typeof KINDS)[number]
const Kind = Type.Union(KINDS.map((kind) => Type.Literal(kind)))
const KindQuery = orderQuery({ kind: Type.Optional(Kind) })
const ReturnForm = Type.Object(
  {
    ...unitFields,
    kind: Kind,
    reasonCode,
    description: Type.Optional(Type.String({ maxLength: 500 })),
    version: Type.Integer({ minimum: 1 }),
  },
  { additionalProperties: false },
)

/** Request a return, refund or repair of shipped items. */
export function returnPages(entry: OrderEntry, deps: OrderPagesDeps): PageRoute[] {
  const path = `${entry.path}/return` as const
  return [
    pageRead({
      path,
      query: KindQuery,
      async show({ query }, context) {
        const visit = await entry.admit(query as OrderQuery, context)
        if (!isVisit(visit)) return visit
        return returnPage(await loadView(deps, visit, context), context, { kind: query.kind as Kind | undefined })
      },
    }),

    pageWrite({
      path,
      query: orderQuery({}),
      form: ReturnForm,
      async work({ query, form: sent }, { tx, ids, now, ...context }) {
        const visit = await entry.admit(query, { ...context, now, reader: tx })
        if (!isVisit(visit)) return visit
        const order = await lockOrderOfShopper(tx, visit.access)
        const lines = chosenUnits(order, sent)
        refuseInvalidLines(lines)
        const request = {
          kind: sent.kind as Kind,
          reasonCode: sent.reasonCode,
          lines,
          ...(sent.description !== undefined && { description: sent.description }),
          expectedVersion: sent.version,
          answered: null,
          actor: 'customer',
        } as const
        await openAfterSales(tx, order, request, { ids, now })
        return { kind: 'redirect', to: visit.at('', { changed: 'yes' }) }
      },
      refused: (refusal, { query, form: sent }, context) =>
        afterRefusal(entry, deps, { refusal, query, sent }, context),
    }),
  ]
}

interface Refused {
  readonly refusal: Refusal
  readonly query: OrderQuery
  readonly sent: Readonly<Record<string, string>>
}

async function afterRefusal(
  entry: OrderEntry,
  deps: OrderPagesDeps,
  { refusal, query, sent }: Refused,
  context: PageReadContext,
): Promise<PageResponse | null> {
  const { code } = refusal
  if (!CHANGED_CODES.has(code) && code !== 'quantity_invalid' && code !== 'validation_failed') return null
  const visit = await entry.admit(query, context)
  if (!isVisit(visit)) return visit
  const view = await loadView(deps, visit, context)
  const words = texts[view.language]
  const errors =
    code === 'quantity_invalid'
      ? { '': words.nothing }
      : (sent.description?.length ?? 0) > 500
        ? { description: words.tooLong }
        : { '': words.changed }
  const kind = KINDS.find((each) => each === sent.kind)
  return returnPage(view, context, { kind, values: sent, errors })
}

interface Shown {
  readonly kind: Kind | undefined
  readonly values?: Readonly<Record<string, string>>
  readonly errors?: FieldErrors
}

async function returnPage(
  view: OrderView,
  { reader, now }: PageReadContext,
  { kind: wanted, values, errors }: Shown,
): Promise<HtmlPage> {
  const { order, language, locale, at } = view
  const words = texts[language]
  const { eligibility, preview } = await afterSalesAnswer(reader, order, now)
  const possible = KINDS.flatMap((offered) =>
    eligibility.kinds.filter(({ kind, decision }) => kind === offered && decision !== 'ineligible'),
  )
  const chosen = possible.find(({ kind }) => kind === wanted) ?? possible[0]
  const why = presentReasons(eligibility.reasons, locale).filter(({ lineId }) => lineId === undefined)
  const { amount } = preview.refund
  const main = html`<h1>${words.title}</h1>
${
  chosen === undefined
    ? html`<p class="lead">${errors?.[''] ?? words.none}</p>\n${why.map(({ message }) => html`<p>${message}</p>`)}`
    : html`${
        possible.length > 1 &&
        html`<nav aria-label="${words.kind}"><ul>
${possible.map(({ kind }) =>
  kind === chosen.kind
    ? html`<li><span aria-current="true"><strong>${orderTexts[language].kinds[kind]}</strong></span></li>`
    : html`<li><a href="${at('/return', { kind })}">${orderTexts[language].kinds[kind]}</a></li>`,
)}
</ul></nav>`
      }
<p class="lead">${words.lead}</p>
${chosen.decision === 'manual_review' && html`<p class="note">${words.review}</p>`}
${chosen.until && html`<p class="small">${words.until} ${formatDate(view.locale, lastDayOf(chosen.until), view.timeZone)}</p>`}
${chosen.kind !== 'repair' && amount > 0n && html`<p class="small">${orderTexts[language].kinds.refund_only}: ${words.refund.toLowerCase()} ${formatMoney(locale, amount, order.currency)}</p>`}
${returnForm(view, chosen, { values, errors })}`
}
<div class="actions"><a class="button quiet" href="${at()}">${words.back}</a></div>`
  return {
    kind: 'page',
    title: words.title,
    main,
    language,
    stores: [...view.stores.keys()],
    ...(errors && { status: 400, hasErrors: true }),
  }
}

function returnForm(
  { order, language, formToken, at }: OrderView,
  { kind, max }: { readonly kind: string; readonly max: Parameters<typeof unitChoices>[1] },
  { values, errors }: { readonly values?: Shown['values'] | undefined; readonly errors?: Shown['errors'] | undefined },
) {
  const words = texts[language]
  const [only, ...others] = max
  return form({
    language,
    action: at('/return'),
    formToken,
    hidden: { kind, version: String(order.version) },
    fields: [
      ...unitChoices(order, max),
      {
        name: 'reasonCode',
        label: words.reason,
        type: 'select',
        options: REASONS.map((value) => ({ value, label: words[value] })),
      },
      {
        name: 'description',
        label: words.description,
        type: 'textarea',
        hint: words.descriptionHint,
        optional: true,
        maxLength: 500,
      },
    ],
    // Of a single item, at least one unit is meant.
    values: values ?? (only && others.length === 0 ? unitParameters(order, [{ ...only, quantity: 1 }]) : {}),
    ...(errors && { errors }),
    submit: words.submit,
  })
}
