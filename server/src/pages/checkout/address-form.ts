import { Address, RegisterCustomerRequest } from '@vitrine/contract'
import { type Static, Type } from 'typebox'
import { addressFaults, formatOf, isPlaceFirst, regionsOf, tidyAddress } from '../../features/carts/index.ts'
import { COUNTRIES } from '../../kernel/countries.ts'
import { type Refusal, refuseField } from '../../kernel/refusal.ts'
import { hasVatIds } from '../../kernel/vat/vat-ids.ts'
import type { Field, FieldErrors, FieldValues, Html, Language, Texts } from '../toolkit/index.ts'
import { fieldFaults, form, html, secondaryForm } from '../toolkit/index.ts'
import { type CheckoutView, countriesByName, stepUrl } from './view.ts'

const { recipientName, company, line1, line2, city, region, postalCode, countryCode, phone } = Address.properties
const place = { recipientName, company, line1, line2, city, region, postalCode, countryCode }
const closed = { additionalProperties: false } as const

/** As shoppers type it: with spaces, and 00 for +. */
export const typedPhone = Type.Optional(Type.String({ maxLength: 30 }))
const typedVatId = Type.Optional(Type.String({ maxLength: 30 }))
const isPhone = new RegExp((phone as unknown as { readonly pattern: string }).pattern)

export const BillingForm = Type.Object({ ...place, vatId: typedVatId }, closed)
export const ShippingForm = Type.Object(
  { email: RegisterCustomerRequest.properties.email, ...BillingForm.properties, phone: typedPhone },
  closed,
)
export const ContactForm = Type.Object({ email: RegisterCustomerRequest.properties.email }, closed)

type Words =
  | 'contact'
  | 'contactOnly'
  | 'bill'
  | 'billLead'
  | 'billSame'
  | 'billDigital'
  | 'billNone'
  | 'country'
  | 'useCountry'
  | 'email'
  | 'emailHint'
  | 'recipientName'
  | 'company'
  | 'vatId'
  | 'line1'
  | 'line2'
  | 'city'
  | 'postalCode'
  | 'region'
  | 'phone'
  | 'phoneHint'
  | 'phoneWrong'
  | 'choose'
  | 'continue'
  | 'emailWrong'
  | 'recipientNameMissing'
  | 'line1Missing'
  | 'cityMissing'
  | 'postalCodeMissing'
  | 'regionMissing'
  | 'vatIdWrong'
  | 'tooLong'
  | 'postalCodeWrong'
  | 'regionWrong'
  | 'countryWrong'

const texts: Texts<Words> = {
  en: {
    contact: 'Contact and delivery',
    contactOnly: 'Contact',
    bill: 'Billing address',
    billLead: 'Only needed if it differs from the delivery address.',
    billSame: 'Use delivery address',
    billDigital: 'Nothing is shipped. The address is used for tax and for your invoice.',
    billNone: 'Remove billing address',
    country: 'Country',
    useCountry: 'Change country',
    email: 'Email address',
    emailHint: 'For your order confirmation and updates.',
    recipientName: 'Full name',
    company: 'Company',
    vatId: 'VAT ID',
    line1: 'Street address',
    line2: 'Apartment, suite, etc.',
    city: 'City',
    postalCode: 'Postal code',
    region: 'State or region',
    phone: 'Phone number',
    phoneHint: 'Only for the carrier, with country code: +49\u00a030\u00a01234567',
    phoneWrong: 'Enter the phone number with its country code, such as +49\u00a030\u00a01234567',
    choose: 'Please select',
    continue: 'Continue',
    emailWrong: 'Enter an email address such as ada@example.com',
    recipientNameMissing: 'Enter a name',
    line1Missing: 'Enter the street address',
    cityMissing: 'Enter the city',
    postalCodeMissing: 'Enter the postal code',
    regionMissing: 'Select the state or region',
    vatIdWrong: 'Enter a VAT ID of this country, or leave the field empty',
    tooLong: 'This is too long',
    postalCodeWrong: 'Enter a valid postal code for this country',
    regionWrong: 'Select a region of this country',
    countryWrong: 'We don’t ship to this country',
  },
  de: {
    contact: 'Kontakt und Lieferadresse',
    contactOnly: 'Kontakt',
    bill: 'Rechnungsadresse',
    billLead: 'Nur nötig, wenn sie von der Lieferadresse abweicht.',
    billSame: 'Lieferadresse verwenden',
    billDigital: 'Es wird nichts verschickt. Die Adresse brauchen wir für die Steuer und deine Rechnung.',
    billNone: 'Rechnungsadresse entfernen',
    country: 'Land',
    useCountry: 'Land wechseln',
    email: 'E-Mail-Adresse',
    emailHint: 'Für Bestellbestätigung und Rückfragen.',
    recipientName: 'Vor- und Nachname',
    company: 'Firma',
    vatId: 'USt-IdNr.',
    line1: 'Straße und Hausnummer',
    line2: 'Adresszusatz',
    city: 'Ort',
    postalCode: 'Postleitzahl',
    region: 'Bundesland oder Region',
    phone: 'Telefonnummer',
    phoneHint: 'Nur für den Versanddienst, mit Ländervorwahl: +49\u00a030\u00a01234567',
    phoneWrong: 'Gib die Telefonnummer mit Ländervorwahl ein, zum Beispiel +49\u00a030\u00a01234567',
    choose: 'Bitte wählen',
    continue: 'Weiter',
    emailWrong: 'Gib eine E-Mail-Adresse wie ada@example.com ein',
    recipientNameMissing: 'Gib einen Namen ein',
    line1Missing: 'Gib Straße und Hausnummer ein',
    cityMissing: 'Gib den Ort ein',
    postalCodeMissing: 'Gib die Postleitzahl ein',
    regionMissing: 'Wähle das Bundesland oder die Region',
    vatIdWrong: 'Gib eine USt-IdNr. dieses Landes ein oder lass das Feld leer',
    tooLong: 'Das ist zu lang',
    postalCodeWrong: 'Gib eine gültige Postleitzahl für dieses Land ein',
    regionWrong: 'Wähle eine Region dieses Landes',
    countryWrong: 'In dieses Land liefern wir nicht',
  },
}

export interface AddressStep {
  /** `contact`: an email address only, as nothing is shipped. */
  readonly kind: 'shipping' | 'billing' | 'contact'
  /** The country that defines the fields. */
  readonly country: string
  readonly values: FieldValues
  readonly errors?: FieldErrors | undefined
}

/** The address form of a country. The country is chosen in a separate form, because it changes the fields. */
export function addressForm(view: CheckoutView, { kind, country, values, errors }: AddressStep): Html {
  const { page, language, formToken, at } = view
  const words = texts[language]
  const email: Field = {
    name: 'email',
    label: words.email,
    type: 'email',
    hint: words.emailHint,
    autocomplete: 'email',
    maxLength: 254,
  }
  if (kind === 'contact') return contactForm(view, email, { values, errors })
  return html`<h2>${kind === 'shipping' ? words.contact : words.bill}</h2>
${kind === 'billing' && html`<p>${page.requiresShipping ? words.billLead : words.billDigital}</p>`}
${countryChoice(view, kind, country)}
${form({
  language,
  action: stepUrl(view, kind === 'shipping' ? '/address' : '/billing'),
  formToken,
  hidden: { countryCode: country },
  fields: [...(kind === 'shipping' ? [email] : []), ...fieldsOf(country, language, kind)],
  values,
  ...(errors && { errors }),
  submit: words.continue,
})}
${kind === 'billing' && page.billingAddress && secondaryForm({ action: at('/billing/same'), formToken, submit: page.requiresShipping ? words.billSame : words.billNone })}`
}

function contactForm(
  view: CheckoutView,
  email: Field,
  { values, errors }: Pick<AddressStep, 'values' | 'errors'>,
): Html {
  const { language, formToken } = view
  const words = texts[language]
  return html`<h2>${words.contactOnly}</h2>
${form({ language, action: stepUrl(view, '/contact'), formToken, fields: [email], values, ...(errors && { errors }), submit: words.continue })}`
}

/** The countries to choose from: those that the stores sell to if the address determines shipping or tax, else all. */
export function countriesFor(page: CheckoutView['page'], kind: AddressStep['kind']): readonly string[] {
  return kind === 'shipping' || !page.requiresShipping ? page.countries : COUNTRIES
}

function countryChoice(view: CheckoutView, kind: AddressStep['kind'], country: string): Html | null {
  const { page, language } = view
  const words = texts[language]
  const offered = countriesFor(page, kind)
  if (offered.length < 2 && offered[0] === country) return null
  const options = countriesByName(view, offered)
  return html`<form method="get" action="${stepUrl(view)}" class="country">
<input type="hidden" name="edit" value="${kind === 'shipping' ? 'address' : 'billing'}">
${view.requestedLanguage && html`<input type="hidden" name="locale" value="${view.requestedLanguage}">`}
<div class="field"><label for="country">${words.country}</label>
<select id="country" name="country" autocomplete="country" data-submits="use-country">
${options.map(({ value, label }) => html`<option value="${value}"${value === country && html` selected`}>${label}</option>`)}
</select></div>
<button type="submit" id="use-country" class="quiet">${words.useCountry}</button>
</form>`
}

/** The fields of an address in a country. */
export function fieldsOf(country: string, language: Language, section: string): (Field | readonly [Field, Field])[] {
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
    ...(hasOnlyDigits(format?.postalCode) && { inputMode: 'numeric' as const }),
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
  const company: Field = {
    name: 'company',
    label: words.company,
    autocomplete: filled('organization'),
    optional: true,
    maxLength: 200,
  }
  const vatId: Field = { name: 'vatId', label: words.vatId, autocomplete: 'off', optional: true, maxLength: 30 }
  const hasRegion = format?.requiresRegion === true
  const placed: (Field | readonly [Field, Field])[] = isPlaceFirst(country)
    ? hasRegion
      ? [town, [state, code]]
      : [[town, code]]
    : [[code, town]]
  return [
    { name: 'recipientName', label: words.recipientName, autocomplete: filled('name'), maxLength: 200 },
    hasVatIds(country) ? [company, vatId] : company,
    { name: 'line1', label: words.line1, autocomplete: filled('address-line1'), maxLength: 200 },
    { name: 'line2', label: words.line2, autocomplete: filled('address-line2'), optional: true, maxLength: 200 },
    ...placed,
    ...(section === 'shipping' ? [phoneField(words)] : []),
  ]
}

/** Whether a postal code has neither letters nor separators. */
function hasOnlyDigits(pattern: RegExp | null | undefined): boolean {
  return /^[\\d{}()?:^$|,0-9]+$/.test(pattern?.source ?? '')
}

function phoneField({ phone, phoneHint }: Readonly<Record<Words, string>>): Field {
  return {
    name: 'phone',
    label: phone,
    type: 'tel',
    hint: phoneHint,
    autocomplete: 'shipping tel',
    optional: true,
    maxLength: 30,
  }
}

/** A typed phone number in E.164: `0049 (30) 123-4567` becomes `+49301234567`. Refuses `validation_failed` for `phone`. */
export function phoneFrom(typed: string | undefined): string | undefined {
  if (typed === undefined) return undefined
  const digits = phoneDigits(typed)
  if (isPhone.test(digits)) return digits
  refuseField('phone', 'invalid', 'Must be a phone number with its country code.')
}

function phoneDigits(typed: string): string {
  return typed.replaceAll(/[\s()/.-]/g, '').replace(/^00/, '+')
}

/** The submitted address. Fields that the form lacks, such as the phone, are kept while the country stays the same. */
export function addressFrom(typed: Static<typeof BillingForm>, before: Address | null): Address {
  const { recipientName, company, vatId, line1, line2, city, region, postalCode, countryCode } = typed
  const previous = before?.countryCode === countryCode ? before : null
  const business = hasVatIds(countryCode) ? vatId : previous?.vatId
  return {
    ...(previous?.line3 && { line3: previous.line3 }),
    ...(previous?.dependentLocality && { dependentLocality: previous.dependentLocality }),
    ...(previous?.phone && { phone: previous.phone }),
    recipientName,
    line1,
    city,
    countryCode,
    ...(company && { company }),
    ...(business && { vatId: business }),
    ...(line2 && { line2 }),
    ...(region && { region }),
    ...(postalCode && { postalCode }),
  }
}

/** Field values of a known address. */
export function valuesOf(address: Address | null, email: string | undefined): FieldValues {
  return { ...(address ?? {}), ...(email !== undefined && { email }) }
}

const ADDRESS_CODES = new Set(['validation_failed', 'address_invalid', 'cart_incomplete'])

/**
 * Error texts by field; `null` if the refusal is not about fields. Includes all fields that the country requires or that do not match it,
 * and the phone number, so that one correction is enough.
 */
export function errorsOfAddress(
  refusal: Refusal,
  typed: Readonly<Record<string, string>>,
  language: Language,
): FieldErrors | null {
  const faults = fieldFaults(refusal)
  if (!ADDRESS_CODES.has(refusal.code) || faults.length === 0) return null
  const refused = faults.map(({ field, code }) => [field.split('/').at(-1) ?? '', code] as const)
  const { missing, invalid } = addressFaults(tidyAddress(typed as unknown as Address))
  const wrong = [
    ...missing.map((field) => [field, 'required'] as const),
    ...[...invalid, ...(typed.phone && !isPhone.test(phoneDigits(typed.phone)) ? ['phone'] : [])].map(
      (field) => [field, 'invalid'] as const,
    ),
  ]
  return Object.fromEntries([...wrong, ...refused].map(([field, reason]) => [field, errorOf(field, reason, language)]))
}

const REQUIRED = ['recipientName', 'line1', 'city', 'postalCode', 'region'] as const

function errorOf(field: string, reason: string, language: Language): string {
  const words = texts[language]
  if (field === 'email') return words.emailWrong
  if (field === 'phone') return words.phoneWrong
  if (field === 'vatId') return words.vatIdWrong
  if (field === 'countryCode') return words.countryWrong
  const known = REQUIRED.find((each) => each === field)
  if (known && (reason === 'required' || reason === 'blank')) return words[`${known}Missing`]
  if (field === 'postalCode') return words.postalCodeWrong
  return field === 'region' ? words.regionWrong : words.tooLong
}
