import type { Address } from '@vitrine/contract'
import { Type } from 'typebox'
import {
  ACCOUNT_PATHS,
  type Customer,
  type CustomerAddress,
  deleteAddress,
  insertAddress,
  listAddresses,
  refuseTooManyAddresses,
  saveAddress,
} from '../../features/accounts/index.ts'
import {
  addressFaults,
  addressLines,
  countryName,
  refuseInvalidAddress,
  tidyAddress,
} from '../../features/carts/index.ts'
import { readHomeCountry } from '../../features/storefront/index.ts'
import { COUNTRIES } from '../../kernel/countries.ts'
import { refuse } from '../../kernel/refusal.ts'
import { addressFrom, BillingForm, errorsOfAddress, fieldsOf, valuesOf } from '../checkout/address-form.ts'
import {
  type FieldErrors,
  type FieldValues,
  form,
  type HtmlPage,
  html,
  lineBreaks,
  nothing,
  type PageReadContext,
  type PageRoute,
  pageRead,
  pageWrite,
  secondaryForm,
  type Texts,
} from '../toolkit/index.ts'
import { accountPage, isCustomer, languageFor, signedIn } from './signed-in.ts'

const PATH = ACCOUNT_PATHS.addresses
const EDIT = `${PATH}/edit` as const
const REMOVE = `${PATH}/remove` as const

type Words =
  | 'title'
  | 'none'
  | 'add'
  | 'edit'
  | 'editTitle'
  | 'addTitle'
  | 'remove'
  | 'isDefault'
  | 'makeDefault'
  | 'country'
  | 'useCountry'
  | 'save'
  | 'back'
  | 'tooMany'

const texts: Texts<Words> = {
  en: {
    title: 'Your addresses',
    none: 'You have not saved an address yet.',
    add: 'Add address',
    edit: 'Edit',
    editTitle: 'Edit address',
    addTitle: 'Add address',
    remove: 'Remove address',
    isDefault: 'Default address',
    makeDefault: 'Use as default address',
    country: 'Country',
    useCountry: 'Change country',
    save: 'Save address',
    back: 'Your addresses',
    tooMany: 'You can save up to 20 addresses. Remove one first.',
  },
  de: {
    title: 'Deine Adressen',
    none: 'Du hast noch keine Adresse gespeichert.',
    add: 'Adresse hinzufügen',
    edit: 'Bearbeiten',
    editTitle: 'Adresse bearbeiten',
    addTitle: 'Adresse hinzufügen',
    remove: 'Adresse entfernen',
    isDefault: 'Standardadresse',
    makeDefault: 'Als Standardadresse verwenden',
    country: 'Land',
    useCountry: 'Land wechseln',
    save: 'Adresse speichern',
    back: 'Deine Adressen',
    tooMany: 'Du kannst bis zu 20 Adressen speichern. Entferne zuerst eine.',
  },
}

const closed = { additionalProperties: false } as const
const id = Type.Optional(Type.String({ pattern: '^adr_[0-9a-z]{26}$', maxLength: 30 }))
const EditQuery = Type.Object(
  { id, country: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$', maxLength: 2 })) },
  closed,
)
const EditForm = Type.Object({ ...BillingForm.properties, isDefault: Type.Optional(Type.Literal('yes')) }, closed)

/** Saved addresses: add, edit, remove, default. The form is the checkout's, with the fields of the country. */
export function addressPages(): PageRoute[] {
  return [
    pageRead({
      path: PATH,
      query: nothing,
      async show(_input, context) {
        const customer = await signedIn(context)
        if (!isCustomer(customer)) return customer
        return listPage(customer, await listAddresses(context.reader, customer.id), context)
      },
    }),

    pageRead({
      path: EDIT,
      query: EditQuery,
      async show({ query }, context) {
        const customer = await signedIn(context)
        if (!isCustomer(customer)) return customer
        const saved = query.id === undefined ? null : await loadAddress(context, customer, query.id)
        const country = query.country ?? saved?.address.countryCode ?? (await countryOf(customer, context))
        const values = {
          ...valuesOf(saved?.address ?? null, undefined),
          ...(saved === null && { recipientName: nameOf(customer) }),
          ...(saved?.is_default && { isDefault: 'yes' }),
        }
        return editPage(customer, { id: query.id, country, values }, context)
      },
    }),

    pageWrite({
      path: EDIT,
      query: Type.Object({ id }, closed),
      form: EditForm,
      async work({ query, form: sent }, { tx, ids, now, ...context }) {
        const customer = await signedIn({ ...context, now, reader: tx })
        if (!isCustomer(customer)) return customer
        const saved = query.id === undefined ? null : await loadAddress({ reader: tx }, customer, query.id)
        const { isDefault, ...typed } = sent
        const address = tidyAddress(addressFrom(typed, saved?.address ?? null))
        refuseIncomplete(address)
        const input = { address, isDefault: isDefault === 'yes' }
        if (saved) await saveAddress(tx, customer.id, { ...input, id: saved.id }, now)
        else {
          await refuseTooManyAddresses(tx, customer.id)
          insertAddress(tx, customer.id, input, { ids, now })
        }
        return { kind: 'redirect', to: context.link(PATH) }
      },
      async refused(refusal, { query, form: values }, context) {
        const customer = await signedIn(context)
        if (!isCustomer(customer)) return customer
        const language = languageFor(customer, context)
        const errors =
          refusal.code === 'quota_exceeded'
            ? { '': texts[language].tooMany }
            : errorsOfAddress(refusal, values, language)
        if (!errors) return null
        const country = values.countryCode ?? (await countryOf(customer, context))
        return editPage(customer, { id: query.id, country, values, errors }, context)
      },
    }),

    pageWrite({
      path: REMOVE,
      query: nothing,
      form: Type.Object({ id: Type.String({ maxLength: 30 }) }, closed),
      async work({ form: sent }, { tx, ...context }) {
        const customer = await signedIn({ ...context, reader: tx })
        if (!isCustomer(customer)) return customer
        deleteAddress(tx, customer.id, sent.id)
        return { kind: 'redirect', to: context.link(PATH) }
      },
      refused: async () => null,
    }),
  ]
}

async function loadAddress(
  { reader }: Pick<PageReadContext, 'reader'>,
  customer: Customer,
  wanted: string,
): Promise<CustomerAddress> {
  return (await listAddresses(reader, customer.id)).find((each) => each.id === wanted) ?? refuse('not_found')
}

/** A saved address has to be complete, because no checkout asks for its missing fields. */
function refuseIncomplete(address: Address): void {
  refuseInvalidAddress(address, 'address')
  const { missing } = addressFaults(address)
  const faults = missing.map((name) => ({ field: `address/${name}`, code: 'required', message: 'Must not be blank.' }))
  if (faults.length > 0) refuse('address_invalid', { faults })
}

/**
 * The country of a new address: that of the default address, else the one in the customer's locale, such as Austria for `de-AT`, else
 * the first one that the site sells to. A language alone says nothing: English is not only read in the United States.
 */
async function countryOf({ id: customerId, locale }: Customer, { reader }: PageReadContext): Promise<string> {
  const [[standard], home] = await Promise.all([listAddresses(reader, customerId), readHomeCountry(reader)])
  const known = [standard?.address.countryCode, new Intl.Locale(locale).region, home]
  return known.find((each) => COUNTRIES.includes(each ?? '')) ?? 'DE'
}

function nameOf({ first_name, last_name }: Customer): string {
  return [first_name, last_name].filter(Boolean).join(' ')
}

function listPage(customer: Customer, saved: readonly CustomerAddress[], context: PageReadContext): HtmlPage {
  const { link } = context
  const language = languageFor(customer, context)
  const words = texts[language]
  const main = html`${saved.length === 0 && html`<p>${words.none}</p>`}
${saved.map(
  ({
    id: each,
    address,
    is_default,
  }) => html`<p class="person">${is_default && html`<span class="small">${words.isDefault}</span><br>`}
${lineBreaks(addressLines(address, language))}<br>
<a href="${link(EDIT, { id: each })}">${words.edit}<span class="unseen"> ${address.line1}</span></a></p>
`,
)}
<div class="actions"><a class="button" href="${link(EDIT)}">${words.add}</a></div>`
  return accountPage({ title: words.title, main, language }, context)
}

interface Edited {
  readonly id: string | undefined
  readonly country: string
  readonly values: FieldValues
  readonly errors?: FieldErrors
}

function editPage(
  customer: Customer,
  { id: edited, country, values, errors }: Edited,
  context: PageReadContext,
): HtmlPage {
  const { formToken, link, requestedLanguage } = context
  const language = languageFor(customer, context)
  const words = texts[language]
  const own: Record<string, string> = edited === undefined ? {} : { id: edited }
  const { compare } = new Intl.Collator(language)
  const countries = COUNTRIES.map((value) => ({ value, label: countryName(language, value) })).toSorted((one, other) =>
    compare(one.label, other.label),
  )
  const main = html`<form method="get" action="${link(EDIT)}" class="country">
${edited && html`<input type="hidden" name="id" value="${edited}">`}
${requestedLanguage && html`<input type="hidden" name="locale" value="${requestedLanguage}">`}
<div class="field"><label for="country">${words.country}</label>
<select id="country" name="country" autocomplete="country">
${countries.map(({ value, label }) => html`<option value="${value}"${value === country && html` selected`}>${label}</option>`)}
</select></div>
<button type="submit" class="quiet">${words.useCountry}</button>
</form>
${form({
  language,
  action: link(EDIT, own),
  formToken,
  hidden: { countryCode: country },
  fields: [
    ...fieldsOf(country, language, 'shipping'),
    { name: 'isDefault', label: words.makeDefault, type: 'checkbox', optional: true },
  ],
  values,
  ...(errors && { errors }),
  submit: words.save,
})}
${edited && secondaryForm({ action: link(REMOVE), formToken, hidden: { id: edited }, submit: words.remove })}
<div class="actions"><a class="button quiet" href="${link(PATH)}">${words.back}</a></div>`
  const title = edited === undefined ? words.addTitle : words.editTitle
  return accountPage({ title, main, language, hasErrors: errors !== undefined }, context)
}
