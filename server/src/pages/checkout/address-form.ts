import { Address, RegisterCustomerRequest } from '@vitrine/contract'
import { type Static, Type } from 'typebox'
import { COUNTRIES, formatOf, isPlaceFirst, regionsOf } from '../../features/carts/index.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import type { Field, FieldErrors, FieldValues, Html, Language, Texts } from '../toolkit/index.ts'
import { form, html, quietForm } from '../toolkit/index.ts'
import { countriesByName, type Shown, stepAt } from './view.ts'

const { recipientName, company, line1, line2, city, region, postalCode, countryCode } = Address.properties
const place = { recipientName, company, line1, line2, city, region, postalCode, countryCode }
const closed = { additionalProperties: false } as const

/** Who buys, and where it goes. */
export const ShippingForm = Type.Object({ email: RegisterCustomerRequest.properties.email, ...place }, closed)
/** Where the bill goes. */
export const BillingForm = Type.Object(place, closed)

type Words =
  | 'who'
  | 'where'
  | 'bill'
  | 'billLead'
  | 'billSame'
  | 'country'
  | 'useCountry'
  | 'email'
  | 'emailHint'
  | 'recipientName'
  | 'company'
  | 'line1'
  | 'line2'
  | 'city'
  | 'postalCode'
  | 'region'
  | 'choose'
  | 'goOn'
  | 'emailWrong'
  | 'recipientNameMissing'
  | 'line1Missing'
  | 'cityMissing'
  | 'postalCodeMissing'
  | 'regionMissing'
  | 'tooLong'
  | 'postalCodeWrong'
  | 'regionWrong'
  | 'countryWrong'

const texts: Texts<Words> = {
  en: {
    who: 'Who buys, and where does it go?',
    where: 'Country',
    bill: 'Where does the bill go?',
    billLead: 'The bill goes to the delivery address, unless you say otherwise.',
    billSame: 'Use the delivery address',
    country: 'Country',
    useCountry: 'Use this country',
    email: 'E-mail address',
    emailHint: 'Where you can be reached about this order.',
    recipientName: 'Name',
    company: 'Company',
    line1: 'Street and number',
    line2: 'Flat, floor, care of',
    city: 'Town or city',
    postalCode: 'Postcode',
    region: 'State or region',
    choose: 'Please choose',
    goOn: 'Go on',
    emailWrong: 'Enter an e-mail address such as ada@example.com',
    recipientNameMissing: 'Enter a name',
    line1Missing: 'Enter the street and number',
    cityMissing: 'Enter the town or city',
    postalCodeMissing: 'Enter the postcode',
    regionMissing: 'Choose the state or region',
    tooLong: 'This is too long',
    postalCodeWrong: 'This is no postcode of this country',
    regionWrong: 'Choose one of this country',
    countryWrong: 'Nothing is sent to this country',
  },
  de: {
    who: 'Wer kauft, und wohin soll es gehen?',
    where: 'Land',
    bill: 'Wohin geht die Rechnung?',
    billLead: 'Die Rechnung geht an die Lieferadresse, wenn du nichts anderes sagst.',
    billSame: 'Lieferadresse verwenden',
    country: 'Land',
    useCountry: 'Dieses Land verwenden',
    email: 'E-Mail-Adresse',
    emailHint: 'Dort bist du wegen dieser Bestellung zu erreichen.',
    recipientName: 'Name',
    company: 'Firma',
    line1: 'Straße und Hausnummer',
    line2: 'Wohnung, Stockwerk, bei',
    city: 'Ort',
    postalCode: 'Postleitzahl',
    region: 'Bundesland oder Region',
    choose: 'Bitte wählen',
    goOn: 'Weiter',
    emailWrong: 'Gib eine E-Mail-Adresse wie ada@example.com ein',
    recipientNameMissing: 'Gib einen Namen ein',
    line1Missing: 'Gib Straße und Hausnummer ein',
    cityMissing: 'Gib den Ort ein',
    postalCodeMissing: 'Gib die Postleitzahl ein',
    regionMissing: 'Wähle das Bundesland oder die Region',
    tooLong: 'Das ist zu lang',
    postalCodeWrong: 'So sehen Postleitzahlen dieses Landes nicht aus',
    regionWrong: 'Wähle eine dieses Landes',
    countryWrong: 'In dieses Land wird nichts geschickt',
  },
}

export interface AddressFormParts {
  readonly kind: 'shipping' | 'billing'
  /** The country whose form it has. */
  readonly country: string
  readonly values: FieldValues
  readonly errors?: FieldErrors | undefined
}

/** An address in the form of its country. Another country is another form, so it is chosen by a form of its own. */
export function addressForm(shown: Shown, { kind, country, values, errors }: AddressFormParts): Html {
  const { page, language, formToken, at } = shown
  const words = texts[language]
  const section = kind === 'shipping' ? 'shipping' : 'billing'
  const email: Field = {
    name: 'email',
    label: words.email,
    type: 'email',
    hint: words.emailHint,
    autocomplete: 'email',
    maxLength: 254,
  }
  return html`<h2>${kind === 'shipping' ? words.who : words.bill}</h2>
${kind === 'billing' && html`<p>${words.billLead}</p>`}
${countryChoice(shown, kind, country)}
${form({
  language,
  action: stepAt(shown, kind === 'shipping' ? '/address' : '/billing'),
  formToken,
  hidden: { countryCode: country },
  fields: [...(kind === 'shipping' ? [email] : []), ...fieldsOf(country, language, section)],
  values,
  ...(errors && { errors }),
  submit: words.goOn,
})}
${kind === 'billing' && page.billingAddress && quietForm({ action: at('/billing/same'), formToken, submit: words.billSame })}`
}

function countryChoice(shown: Shown, kind: AddressFormParts['kind'], country: string): Html | null {
  const { page, language } = shown
  const words = texts[language]
  const offered = kind === 'shipping' ? page.countries : COUNTRIES
  if (offered.length < 2 && offered[0] === country) return null
  const options = countriesByName(shown, offered)
  return html`<form method="get" action="${stepAt(shown)}" class="country">
<input type="hidden" name="edit" value="${kind === 'shipping' ? 'address' : 'billing'}">
${shown.asked && html`<input type="hidden" name="locale" value="${shown.asked}">`}
<div class="field"><label for="country">${words.country}</label>
<select id="country" name="country" autocomplete="country">
${options.map(({ value, label }) => html`<option value="${value}"${value === country && html` selected`}>${label}</option>`)}
</select></div>
<button type="submit" class="quiet">${words.useCountry}</button>
</form>`
}

function fieldsOf(country: string, language: Language, section: string): (Field | readonly [Field, Field])[] {
  const words = texts[language]
  const filled = (token: string) => `${section} ${token}`
  const format = formatOf(country)
  const regions = regionsOf(country)
  const town: Field = { name: 'city', label: words.city, autocomplete: filled('address-level2'), maxLength: 200 }
  const code: Field = {
    name: 'postalCode',
    label: words.postalCode,
    autocomplete: filled('postal-code'),
    maxLength: 20,
    optional: format?.requiresPostalCode !== true,
  }
  const state: Field = {
    name: 'region',
    label: words.region,
    autocomplete: filled('address-level1'),
    maxLength: 100,
    ...(regions.length > 0 && {
      type: 'select' as const,
      options: [{ value: '', label: words.choose }, ...regions.map(({ code, name }) => ({ value: code, label: name }))],
    }),
  }
  const hasRegion = format?.requiresRegion === true
  const placed: (Field | readonly [Field, Field])[] = isPlaceFirst(country)
    ? hasRegion
      ? [town, [state, code]]
      : [[town, code]]
    : [[code, town]]
  return [
    { name: 'recipientName', label: words.recipientName, autocomplete: filled('name'), maxLength: 200 },
    { name: 'company', label: words.company, autocomplete: filled('organization'), optional: true, maxLength: 200 },
    { name: 'line1', label: words.line1, autocomplete: filled('address-line1'), maxLength: 200 },
    { name: 'line2', label: words.line2, autocomplete: filled('address-line2'), optional: true, maxLength: 200 },
    ...placed,
  ]
}

/**
 * The address as it was typed. What our form does not show stays, as long as it is the same country: a part of the city, or
 * the telephone number for the carrier.
 */
export function addressFrom(typed: Static<typeof BillingForm>, before: Address | null): Address {
  const { recipientName, company, line1, line2, city, region, postalCode, countryCode } = typed
  const kept = before?.countryCode === countryCode ? before : null
  return {
    ...(kept?.line3 && { line3: kept.line3 }),
    ...(kept?.dependentLocality && { dependentLocality: kept.dependentLocality }),
    ...(kept?.phone && { phone: kept.phone }),
    recipientName,
    line1,
    city,
    countryCode,
    ...(company && { company }),
    ...(line2 && { line2 }),
    ...(region && { region }),
    ...(postalCode && { postalCode }),
  }
}

/** What stands in the fields for an address that is known. */
export function valuesOf(address: Address | null, email: string | undefined): FieldValues {
  return { ...(address ?? {}), ...(email !== undefined && { email }) }
}

const ADDRESS_CODES = new Set(['validation_failed', 'address_invalid', 'cart_incomplete'])

/**
 * What a refusal says of each field, in the words of the person who filled it in; `null` where it is about none. What the
 * country requires besides is told at once, so that nobody sends the form a third time.
 */
export function errorsOfAddress(
  { code, facts }: Refusal,
  typed: Readonly<Record<string, string>>,
  language: Language,
): FieldErrors | null {
  if (!ADDRESS_CODES.has(code) || (facts.details ?? []).length === 0) return null
  const format = formatOf(typed.countryCode ?? '')
  const told = (facts.details ?? []).map((detail) => [detail.pointer.split('/').at(-1) ?? '', detail.code] as const)
  const required = [
    ...(format?.requiresPostalCode && !typed.postalCode ? [['postalCode', 'required'] as const] : []),
    ...(format?.requiresRegion && !typed.region ? [['region', 'required'] as const] : []),
  ]
  return Object.fromEntries([...required, ...told].map(([field, reason]) => [field, errorOf(field, reason, language)]))
}

const REQUIRED = ['recipientName', 'line1', 'city', 'postalCode', 'region'] as const

function errorOf(field: string, reason: string, language: Language): string {
  const words = texts[language]
  if (field === 'email') return words.emailWrong
  if (field === 'countryCode') return words.countryWrong
  const known = REQUIRED.find((each) => each === field)
  if (known && (reason === 'required' || reason === 'blank')) return words[`${known}Missing`]
  if (field === 'postalCode') return words.postalCodeWrong
  return field === 'region' ? words.regionWrong : words.tooLong
}
