import { RegisterCustomerRequest } from '@vitrine/contract'
import { Type } from 'typebox'
import { ACCOUNT_PATHS, loadProfile, type Profile, saveProfile } from '../../features/accounts/index.ts'
import { LANGUAGE_CODES, LANGUAGES } from '../../kernel/languages/languages.ts'
import { phoneFrom, typedPhone } from '../checkout/address-form.ts'
import {
  type FieldErrors,
  type FieldValues,
  fieldFaults,
  form,
  type HtmlPage,
  html,
  type Language,
  type PageReadContext,
  type PageRoute,
  pageRead,
  pageWrite,
  type Texts,
} from '../toolkit/index.ts'
import { accountPage, isCustomer, languageFor, signedIn } from './signed-in.ts'

const PATH = ACCOUNT_PATHS.profile
type Words =
  | 'title'
  | 'firstName'
  | 'lastName'
  | 'phone'
  | 'phoneHint'
  | 'locale'
  | 'localeHint'
  | 'submit'
  | 'saved'
  | 'tooLong'
  | 'phoneWrong'

const texts: Texts<Words> = {
  en: {
    title: 'Profile',
    firstName: 'First name',
    lastName: 'Last name',
    phone: 'Phone',
    phoneHint: 'For questions about a delivery, such as +49\u00a030\u00a01234567.',
    locale: 'Language',
    localeHint: 'For these pages and the emails about your account.',
    submit: 'Save',
    saved: 'Your profile is saved.',
    tooLong: 'Enter at most 100 characters',
    phoneWrong: 'Enter a phone number such as +49\u00a030\u00a01234567',
  },
  de: {
    title: 'Profil',
    firstName: 'Vorname',
    lastName: 'Nachname',
    phone: 'Telefon',
    phoneHint: 'Für Fragen zur Lieferung, zum Beispiel +49\u00a030\u00a01234567.',
    locale: 'Sprache',
    localeHint: 'Für diese Seiten und die E-Mails zu deinem Konto.',
    submit: 'Speichern',
    saved: 'Dein Profil ist gespeichert.',
    tooLong: 'Gib höchstens 100 Zeichen ein',
    phoneWrong: 'Gib eine Telefonnummer wie +49\u00a030\u00a01234567 ein',
  },
}

const { firstName, lastName } = RegisterCustomerRequest.properties
const ProfileForm = Type.Object(
  {
    firstName,
    lastName,
    phone: typedPhone,
    locale: Type.Union(LANGUAGE_CODES.map((code) => Type.Literal(code))),
  },
  { additionalProperties: false },
)
const SavedQuery = Type.Object({ saved: Type.Optional(Type.Literal('yes')) }, { additionalProperties: false })

/** Names, phone and language. */
export function profilePages(): PageRoute[] {
  return [
    pageRead({
      path: PATH,
      query: SavedQuery,
      async show({ query }, context) {
        const customer = await signedIn(context)
        if (!isCustomer(customer)) return customer
        const profile = await loadProfile(context.reader, customer.id)
        const language = languageFor(profile, context)
        return profilePage(context, language, valuesOf(profile), { isSaved: query.saved === 'yes' })
      },
    }),

    pageWrite({
      path: PATH,
      query: Type.Object({}, { additionalProperties: false }),
      form: ProfileForm,
      async work({ form: sent }, { tx, now, ...context }) {
        const customer = await signedIn({ ...context, now, reader: tx })
        if (!isCustomer(customer)) return customer
        const { firstName: first = null, lastName: last = null } = sent
        const phone = phoneFrom(sent.phone) ?? null
        const locale = sent.locale as Language
        saveProfile(tx, customer.id, { firstName: first, lastName: last, phone, locale }, now)
        // Shows the chosen language instead of the one in the URL.
        return { kind: 'redirect', to: `${PATH}?${new URLSearchParams({ saved: 'yes', locale })}` }
      },
      async refused(refusal, { form: sent }, context) {
        if (refusal.code !== 'validation_failed') return null
        const customer = await signedIn(context)
        if (!isCustomer(customer)) return customer
        const language = languageFor(customer, context)
        const words = texts[language]
        const errors = Object.fromEntries(
          fieldFaults(refusal).map(({ field }) => [field, field === 'phone' ? words.phoneWrong : words.tooLong]),
        )
        return profilePage(context, language, sent, { errors })
      },
    }),
  ]
}

function valuesOf({ first_name, last_name, phone, locale }: Profile): FieldValues {
  return {
    firstName: first_name ?? undefined,
    lastName: last_name ?? undefined,
    phone: phone ?? undefined,
    locale: LANGUAGE_CODES.find((code) => locale === code || locale.startsWith(`${code}-`)),
  }
}

function profilePage(
  context: PageReadContext,
  language: Language,
  values: FieldValues,
  { isSaved = false, errors }: { readonly isSaved?: boolean; readonly errors?: FieldErrors },
): HtmlPage {
  const { formToken, link } = context
  const words = texts[language]
  const main = html`${isSaved && html`<p class="note" role="status">${words.saved}</p>`}
${form({
  language,
  action: link(PATH),
  formToken,
  fields: [
    [
      { name: 'firstName', label: words.firstName, autocomplete: 'given-name', optional: true, maxLength: 100 },
      { name: 'lastName', label: words.lastName, autocomplete: 'family-name', optional: true, maxLength: 100 },
    ],
    {
      name: 'phone',
      label: words.phone,
      type: 'tel',
      hint: words.phoneHint,
      autocomplete: 'tel',
      optional: true,
      maxLength: 30,
    },
    {
      name: 'locale',
      label: words.locale,
      hint: words.localeHint,
      type: 'select',
      options: LANGUAGE_CODES.map((value) => ({ value, label: LANGUAGES[value] })),
    },
  ],
  values,
  ...(errors && { errors }),
  submit: words.submit,
})}`
  return accountPage({ title: words.title, main, language, hasErrors: errors !== undefined }, context)
}
