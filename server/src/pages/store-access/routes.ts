import { Type } from 'typebox'
import {
  loadStoreToEnter,
  returnWithGrant,
  STORE_ACCESS_PATH,
  type StoreGrants,
  verifyStorePassword,
} from '../../features/access/index.ts'
import {
  type FieldErrors,
  form,
  type HtmlPage,
  html,
  type PageReadContext,
  type PageRoute,
  pageRead,
  pageWrite,
  type Texts,
} from '../toolkit/index.ts'

type Words = 'title' | 'lead' | 'password' | 'submit' | 'wrong' | 'back'

const texts: Texts<Words> = {
  en: {
    title: 'This shop is password protected',
    lead: 'Ask the shop for the password.',
    password: 'Shop password',
    submit: 'Enter shop',
    wrong: 'This is not the password of the shop',
    back: 'You’ll return to',
  },
  de: {
    title: 'Dieser Shop ist passwortgeschützt',
    lead: 'Das Passwort erhältst du vom Shop.',
    password: 'Passwort des Shops',
    submit: 'Shop betreten',
    wrong: 'Das ist nicht das Passwort des Shops',
    back: 'Danach kehrst du zurück zu',
  },
}

const closed = { additionalProperties: false } as const
const Query = Type.Object(
  {
    store: Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', maxLength: 120 }),
    return: Type.String({ minLength: 1, maxLength: 2048 }),
  },
  closed,
)
const Password = Type.Object({ password: Type.String({ minLength: 1, maxLength: 256 }) }, closed)

interface Destination {
  readonly store: string
  readonly return: string
}

/** Asks for the password of a store, and returns to the shop with a grant. */
export function storeAccessPages({ grants }: { readonly grants: StoreGrants }): PageRoute[] {
  return [
    pageRead({
      path: STORE_ACCESS_PATH,
      query: Query,
      async show({ query }, context) {
        const store = await loadStoreToEnter(context.reader, query.store, query.return)
        if (store.access_mode === 'open') return { kind: 'redirect', to: query.return }
        return passwordPage(store.id, query, context)
      },
    }),

    pageWrite({
      path: STORE_ACCESS_PATH,
      query: Query,
      form: Password,
      limit: 'challenge-verify',
      async prepare({ query, form: { password } }, { reader, limiter, now }) {
        const store = await loadStoreToEnter(reader, query.store, query.return)
        if (store.access_mode === 'password') await verifyStorePassword(limiter, store, password, now)
        return store
      },
      async work({ query, prepared: store }, { ids, now }) {
        const isOpen = store.access_mode === 'open'
        const to = isOpen
          ? query.return
          : returnWithGrant(grants, store, query.return, { challengeId: ids.next('chl'), now })
        return { kind: 'redirect', to }
      },
      async refused({ code }, { query }, context) {
        if (code !== 'challenge_failed' && code !== 'validation_failed') return null
        const { id } = await loadStoreToEnter(context.reader, query.store, query.return)
        return passwordPage(id, query, context, { password: texts[context.language].wrong })
      },
    }),
  ]
}

function passwordPage(
  storeId: string,
  query: Destination,
  { language, formToken, link }: PageReadContext,
  errors?: FieldErrors,
): HtmlPage {
  const words = texts[language]
  const main = html`<h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
${form({
  language,
  action: link(STORE_ACCESS_PATH, { store: query.store, return: query.return }),
  formToken,
  fields: [{ name: 'password', label: words.password, type: 'password', autocomplete: 'off', maxLength: 256 }],
  ...(errors && { errors }),
  submit: words.submit,
})}
<p class="small">${words.back} <code>${new URL(query.return).origin}</code></p>`
  const status = errors ? 400 : 200
  const page = { kind: 'page', status, title: words.title, main, hasErrors: errors !== undefined } as const
  return { ...page, stores: [storeId], formTargets: [query.return] }
}
