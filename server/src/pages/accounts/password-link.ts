import { ConfirmPasswordResetRequest } from '@vitrine/contract'
import { Type } from 'typebox'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import type { RateLimiter } from '../../platform/rate-limit/rate-limiter.ts'
import {
  doneMark,
  type FieldErrors,
  form,
  type Html,
  type HtmlPage,
  html,
  nothing,
  type PageReadContext,
  type PageRoute,
  pageRead,
  pageWrite,
  type Texts,
} from '../toolkit/index.ts'

type Words = 'title' | 'lead' | 'password' | 'wrong' | 'submit' | 'doneTitle' | 'goneTitle' | 'gone'

/** A link in a mail that takes effect when the password of the account is entered. */
interface PasswordLink {
  readonly path: `/${string}`
  readonly texts: Texts<Words>
  /** Finds what the link confirms; nothing if it is used, replaced or too old. */
  find(reader: Reader, token: string, now: Date): Promise<{ readonly email: string } | null | undefined>
  /** Refusals: `reset_token_invalid`, `credential_invalid`, `rate_limited`. */
  verify(
    reader: Reader,
    limiter: RateLimiter,
    attempt: { readonly token: string; readonly password: string; readonly address: string; readonly now: Date },
  ): Promise<void>
  confirm(tx: Transaction, token: string, context: EventContext): Promise<unknown>
  /** Shown below the form. */
  note?(context: PageReadContext): Html
  /** The content of the page after the confirmation. */
  done(context: PageReadContext): Html | Promise<Html>
  /** The next step if the link is no longer valid: target and label. */
  onward(context: PageReadContext): { readonly to: string; readonly label: string }
}

const { token } = ConfirmPasswordResetRequest.properties
const Token = Type.Object({ token }, { additionalProperties: false })
const Confirmation = Type.Object({ token, password: Type.String({ maxLength: 128 }) }, { additionalProperties: false })

/** The pages of such a link. Opening it changes nothing, because mail scanners open links, too. */
export function passwordLinkPages(own: PasswordLink): PageRoute[] {
  const { path, texts } = own
  const done = `${path}/done` as const
  return [
    pageRead({
      path,
      query: Token,
      async show({ query }, context) {
        const found = await own.find(context.reader, query.token, context.now)
        return found ? confirmPage(own, context, found.email, query.token) : invalidLinkPage(own, context)
      },
    }),

    pageWrite({
      path,
      query: nothing,
      form: Confirmation,
      prepare: ({ form }, { reader, limiter, address, now }) => own.verify(reader, limiter, { ...form, address, now }),
      async work({ form }, { tx, ids, now, link }) {
        await own.confirm(tx, form.token, { ids, now })
        return { kind: 'redirect', to: link(done) }
      },
      async refused({ code }, { form: { token: sent = '' } }, context) {
        const found = await own.find(context.reader, sent, context.now)
        if (code === 'reset_token_invalid' || !found) return invalidLinkPage(own, context)
        if (code !== 'credential_invalid' && code !== 'validation_failed') return null
        return confirmPage(own, context, found.email, sent, { password: texts[context.language].wrong })
      },
    }),

    pageRead({
      path: done,
      query: nothing,
      async show(_input, context) {
        const { doneTitle } = texts[context.language]
        return {
          kind: 'page',
          title: doneTitle,
          main: html`${doneMark}<h1>${doneTitle}</h1>\n${await own.done(context)}`,
        }
      },
    }),
  ]
}

function confirmPage(
  { path, texts, note }: PasswordLink,
  context: PageReadContext,
  email: string,
  token: string,
  errors?: FieldErrors,
): HtmlPage {
  const { language, formToken, link } = context
  const words = texts[language]
  const main = html`<h1>${words.title}</h1>
<p>${words.lead}</p>
<p class="person">${email}</p>
${form({
  language,
  action: link(path),
  formToken,
  hidden: { token },
  fields: [
    { name: 'password', label: words.password, type: 'password', autocomplete: 'current-password', maxLength: 128 },
  ],
  ...(errors && { errors }),
  submit: words.submit,
})}
${note?.(context)}`
  return { kind: 'page', title: words.title, main, ...(errors && { status: 400, hasErrors: true }) }
}

function invalidLinkPage({ texts, onward }: PasswordLink, context: PageReadContext): HtmlPage {
  const words = texts[context.language]
  const { to, label } = onward(context)
  const main = html`<h1>${words.goneTitle}</h1>
<p class="lead">${words.gone}</p>
<div class="actions"><a class="button quiet" href="${context.link(to)}">${label}</a></div>`
  return { kind: 'page', status: 400, title: words.goneTitle, main }
}
