import type { Order } from '@vitrine/contract'
import { Type } from 'typebox'
import {
  ACCOUNT_PATHS,
  type AccountDeps,
  type Customer,
  closeAccount,
  listAddresses,
  listSessions,
  loadProfile,
  type Profile,
  setMarketingConsent,
  verifyPassword,
} from '../../features/accounts/index.ts'
import { requestsOf } from '../../features/after-sales/index.ts'
import { findOrderOfShopper, type OrderPosition, ordersOfCustomer, presentOrder } from '../../features/orders/index.ts'
import { readTimeZone } from '../../features/storefront/index.ts'
import type { Environment } from '../../kernel/environment.ts'
import { formatDate } from '../../kernel/format-date.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import {
  type FieldErrors,
  form,
  type HtmlPage,
  html,
  nothing,
  type PageReadContext,
  type PageResponse,
  type PageRoute,
  pageRead,
  pageWrite,
  secondaryForm,
  type Texts,
} from '../toolkit/index.ts'
import { accountPage, isCustomer, languageFor, signedIn } from './signed-in.ts'

const PATH = ACCOUNT_PATHS.privacy
const CONSENT = `${PATH}/consent` as const
const EXPORT = `${PATH}/export` as const
const CLOSE = `${PATH}/close` as const
const CLOSED = '/account/closed'

type Words =
  | 'title'
  | 'marketing'
  | 'isSubscribed'
  | 'isUnsubscribed'
  | 'give'
  | 'withdraw'
  | 'given'
  | 'withdrawn'
  | 'data'
  | 'dataLead'
  | 'download'
  | 'close'
  | 'closeLead'
  | 'closeGo'
  | 'closeTitle'
  | 'closeSignedOut'
  | 'closeMarketing'
  | 'closeOrders'
  | 'closeFinal'
  | 'password'
  | 'closeSubmit'
  | 'keep'
  | 'wrong'
  | 'closedTitle'
  | 'closed'

const texts: Texts<Words> = {
  en: {
    title: 'Privacy',
    marketing: 'News and offers',
    isSubscribed: 'You receive news and offers by email.',
    isUnsubscribed: 'You receive no news and offers.',
    give: 'Email me news and offers',
    withdraw: 'Stop news and offers',
    given: 'Agreed on',
    withdrawn: 'Withdrawn on',
    data: 'Your data',
    dataLead:
      'Download everything we have stored about you: profile, addresses, consents, devices, orders and requests.',
    download: 'Download your data (JSON)',
    close: 'Close your account',
    closeLead: 'Your account is closed, with your profile and your saved addresses.',
    closeGo: 'Close account …',
    closeTitle: 'Close your account?',
    closeSignedOut: 'You’ll be signed out on all devices and can no longer sign in.',
    closeMarketing: 'You’ll get no more news and offers.',
    closeOrders:
      'Your orders are kept for as long as the law requires. You can still open them with the links in your emails.',
    closeFinal: 'This cannot be undone.',
    password: 'Your password',
    closeSubmit: 'Close account',
    keep: 'Keep account',
    wrong: 'This is not your password',
    closedTitle: 'Your account is closed',
    closed: 'You are signed out on all devices. We have confirmed it by email.',
  },
  de: {
    title: 'Datenschutz',
    marketing: 'Neuigkeiten und Angebote',
    isSubscribed: 'Du erhältst Neuigkeiten und Angebote per E-Mail.',
    isUnsubscribed: 'Du erhältst keine Neuigkeiten und Angebote.',
    give: 'Neuigkeiten und Angebote erhalten',
    withdraw: 'Keine Neuigkeiten und Angebote mehr',
    given: 'Eingewilligt am',
    withdrawn: 'Widerrufen am',
    data: 'Deine Daten',
    dataLead:
      'Lade alles herunter, was wir über dich gespeichert haben: Profil, Adressen, Einwilligungen, Geräte, Bestellungen und Anfragen.',
    download: 'Deine Daten herunterladen (JSON)',
    close: 'Konto schließen',
    closeLead: 'Dein Konto wird mit deinem Profil und deinen gespeicherten Adressen geschlossen.',
    closeGo: 'Konto schließen …',
    closeTitle: 'Konto wirklich schließen?',
    closeSignedOut: 'Du wirst sofort auf allen Geräten abgemeldet und kannst dich nicht mehr anmelden.',
    closeMarketing: 'Du erhältst keine Neuigkeiten und Angebote mehr.',
    closeOrders:
      'Deine Bestellungen werden so lange aufbewahrt, wie es das Gesetz verlangt. Über die Links in deinen E-Mails erreichst du sie weiterhin.',
    closeFinal: 'Das lässt sich nicht rückgängig machen.',
    password: 'Dein Passwort',
    closeSubmit: 'Konto schließen',
    keep: 'Konto behalten',
    wrong: 'Das ist nicht dein Passwort',
    closedTitle: 'Dein Konto ist geschlossen',
    closed: 'Du bist auf allen Geräten abgemeldet. Wir haben dir das per E-Mail bestätigt.',
  },
}

const closed = { additionalProperties: false } as const

/** Consent to marketing, data download, closing the account. */
export function privacyPages({ mails }: AccountDeps): PageRoute[] {
  return [
    pageRead({
      path: PATH,
      query: nothing,
      async show(_input, context) {
        const customer = await signedIn(context)
        if (!isCustomer(customer)) return customer
        return privacyPage(await profileFor(context.reader, customer.id), context)
      },
    }),

    pageWrite({
      path: CONSENT,
      query: nothing,
      form: Type.Object({ consent: Type.Union([Type.Literal('yes'), Type.Literal('no')]) }, closed),
      async work({ form: { consent } }, { tx, now, ...context }) {
        const customer = await signedIn({ ...context, now, reader: tx })
        if (!isCustomer(customer)) return customer
        await setMarketingConsent(tx, customer.id, consent === 'yes', now)
        return { kind: 'redirect', to: context.link(PATH) }
      },
      refused: async () => null,
    }),

    pageRead({
      path: EXPORT,
      query: nothing,
      async show(_input, context) {
        const customer = await signedIn(context)
        if (!isCustomer(customer)) return customer
        const data = await everythingAbout(context.reader, customer, context.now)
        const body = `${JSON.stringify(data, null, 2)}\n`
        return { kind: 'download', name: 'my-data.json', contentType: 'application/json; charset=utf-8', body }
      },
    }),

    pageRead({
      path: CLOSE,
      query: nothing,
      async show(_input, context) {
        const customer = await signedIn(context)
        return isCustomer(customer) ? closePage(customer, context) : customer
      },
    }),

    pageWrite({
      path: CLOSE,
      query: nothing,
      form: Type.Object({ password: Type.String({ minLength: 1, maxLength: 128 }) }, closed),
      async prepare({ form: { password } }, { reader, limiter, address, now, ...context }) {
        const customer = await signedIn({ ...context, reader, now })
        if (!isCustomer(customer)) return
        await verifyPassword(reader, limiter, { email: customer.email, password, address, now })
      },
      async work(_input, { tx, ids, now, ...context }) {
        const customer = await signedIn({ ...context, now, reader: tx })
        if (!isCustomer(customer)) return customer
        await closeAccount(tx, customer, { ids, now, mails })
        return {
          kind: 'redirect',
          to: context.link(CLOSED, { locale: languageFor(customer, context) }),
          cookies: [{ name: 'customer', value: '' }],
        }
      },
      refused: (refusal, _input, context) => afterRefusal(refusal, context),
    }),

    pageRead({
      path: CLOSED,
      query: nothing,
      async show(_input, { language }) {
        const words = texts[language]
        const main = html`<h1>${words.closedTitle}</h1>\n<p>${words.closed}</p>`
        return { kind: 'page', title: words.closedTitle, main }
      },
    }),
  ]
}

async function afterRefusal({ code }: Refusal, context: PageReadContext): Promise<PageResponse | null> {
  if (code !== 'credential_invalid' && code !== 'validation_failed') return null
  const customer = await signedIn(context)
  if (!isCustomer(customer)) return customer
  return closePage(customer, context, { password: texts[languageFor(customer, context)].wrong })
}

/** A profile, and the time zone of its days. */
type ProfileShown = Profile & { readonly timeZone: string }

async function profileFor(reader: Reader, customerId: string): Promise<ProfileShown> {
  const [profile, timeZone] = await Promise.all([loadProfile(reader, customerId), readTimeZone(reader, [])])
  return { ...profile, timeZone }
}

function privacyPage(profile: ProfileShown, context: PageReadContext): HtmlPage {
  const { formToken, link } = context
  const language = languageFor(profile, context)
  const words = texts[language]
  const { marketing_consent: isGiven, consents, timeZone } = profile
  const main = html`<h2>${words.marketing}</h2>
<p>${isGiven ? words.isSubscribed : words.isUnsubscribed}</p>
${
  consents.length > 0 &&
  html`<ul class="small">
${consents.map(({ at, is_given }) => html`<li>${is_given ? words.given : words.withdrawn} ${formatDate(language, at, timeZone)}</li>\n`)}
</ul>`
}
${secondaryForm({
  action: link(CONSENT),
  formToken,
  hidden: { consent: isGiven ? 'no' : 'yes' },
  submit: isGiven ? words.withdraw : words.give,
})}
<h2>${words.data}</h2>
<p>${words.dataLead}</p>
<div class="actions"><a class="button quiet" href="${link(EXPORT)}" download>${words.download}</a></div>
<h2>${words.close}</h2>
<p>${words.closeLead}</p>
<div class="actions"><a class="button quiet danger" href="${link(CLOSE)}">${words.closeGo}</a></div>`
  return accountPage({ title: words.title, main, language }, context)
}

/** Says what closing the account does, and asks for the password. */
function closePage(customer: Customer, context: PageReadContext, errors?: FieldErrors): HtmlPage {
  const { formToken, link } = context
  const language = languageFor(customer, context)
  const words = texts[language]
  const main = html`<p class="person">${customer.email}</p>
<ul>
<li>${words.closeSignedOut}</li>
<li>${words.closeMarketing}</li>
<li>${words.closeOrders}</li>
</ul>
<p><strong>${words.closeFinal}</strong></p>
${form({
  language,
  action: link(CLOSE),
  formToken,
  fields: [
    { name: 'password', label: words.password, type: 'password', autocomplete: 'current-password', maxLength: 128 },
  ],
  ...(errors && { errors }),
  submit: words.closeSubmit,
  isDangerous: true,
})}
<div class="actions"><a class="button quiet" href="${link(PATH)}">${words.keep}</a></div>`
  return accountPage({ title: words.closeTitle, main, language, hasErrors: errors !== undefined }, context)
}

const ENVIRONMENTS: readonly Environment[] = ['live', 'test']
const ORDERS_AT_ONCE = 50

/** Everything about a customer: profile, consents, addresses, sessions, and orders with their requests. */
async function everythingAbout(reader: Reader, { id }: Customer, now: Date) {
  const [profile, addresses, sessions] = await Promise.all([
    loadProfile(reader, id),
    listAddresses(reader, id),
    listSessions(reader, id, now),
  ])
  const orders = await Promise.all(ENVIRONMENTS.map((environment) => ordersOf(reader, id, environment)))
  return {
    createdAt: now.toISOString(),
    profile: {
      id,
      email: profile.email,
      firstName: profile.first_name,
      lastName: profile.last_name,
      phone: profile.phone,
      locale: profile.locale,
      acceptedDocuments: profile.accepted_documents,
      emailConfirmedAt: profile.confirmed_at.toISOString(),
      passwordChangedAt: profile.password_changed_at.toISOString(),
      createdAt: profile.created_at.toISOString(),
      updatedAt: profile.updated_at.toISOString(),
    },
    marketing: {
      consent: profile.marketing_consent,
      history: profile.consents.map(({ at, is_given, source }) => ({
        at: new Date(at).toISOString(),
        given: is_given,
        source,
      })),
    },
    addresses: addresses.map(({ address, is_default }) => ({ ...address, isDefault: is_default })),
    sessions: sessions.map(({ created_at, expires_at, agent }) => ({
      createdAt: created_at.toISOString(),
      expiresAt: expires_at.toISOString(),
      device: agent,
    })),
    orders: Object.fromEntries(ENVIRONMENTS.map((environment, index) => [environment, orders[index]])),
  }
}

async function ordersOf(reader: Reader, customerId: string, environment: Environment): Promise<readonly Order[]> {
  const all: Order[] = []
  let behind: OrderPosition | null = null
  for (;;) {
    const page: Awaited<ReturnType<typeof ordersOfCustomer>> = await ordersOfCustomer(
      reader,
      { customerId, environment },
      behind,
      ORDERS_AT_ONCE,
    )
    for (const { id: orderId } of page) {
      const order = await findOrderOfShopper(reader, { kind: 'customer', customerId, environment, orderId })
      all.push(presentOrder(order, await requestsOf(reader, order)))
    }
    const last = page.at(-1)
    if (last === undefined || page.length < ORDERS_AT_ONCE) return all
    behind = { placedAt: last.placedAt.toISOString(), id: last.id }
  }
}
