import { ACCOUNT_PATHS, type Customer } from '../../features/accounts/index.ts'
import { LOGIN_PATHS, type PageLogin } from '../../features/hosted-login/index.ts'
import {
  type FieldErrors,
  type FieldValues,
  form,
  type Html,
  html,
  type PageReadContext,
  quietForm,
  type ShownPage,
} from '../toolkit/index.ts'
import { texts } from './texts.ts'

type Facts = Pick<PageReadContext, 'language' | 'formToken' | 'link'>

/** Where a shopper signs in, with the ways for those who cannot. */
export function signInPage(
  asked: PageLogin,
  { language, formToken, link }: Facts,
  values: FieldValues = {},
  errors?: FieldErrors,
): ShownPage {
  const words = texts[language]
  const session = sessionOf(asked)
  const main = html`<h1>${words.title}</h1>
<p class="lead">${words.lead} <strong>${asked.installationName}</strong></p>
${form({
  language,
  action: link(LOGIN_PATHS.signIn, session),
  formToken,
  fields: [
    { name: 'email', label: words.email, type: 'email', autocomplete: 'username', maxLength: 254 },
    { name: 'password', label: words.password, type: 'password', autocomplete: 'current-password', maxLength: 128 },
  ],
  values,
  ...(errors && { errors }),
  before: html`<p><a href="${link(ACCOUNT_PATHS.reset)}">${words.forgotten}</a></p>`,
  submit: words.submit,
})}
<hr>
<p>${words.new} <a href="${link(ACCOUNT_PATHS.register, session)}">${words.register}</a></p>
${wayOut(asked, { language, formToken, link })}`
  return pageOf(asked, words.title, main, errors !== undefined)
}

/** Somebody is signed in here: they go on with a click, or as somebody else. */
export function continuePage(asked: PageLogin, customer: Customer, { language, formToken, link }: Facts): ShownPage {
  const words = texts[language]
  const session = sessionOf(asked)
  const main = html`<h1>${words.continueTitle}</h1>
<p class="lead"><strong>${asked.installationName}</strong> ${words.continueLead}</p>
<p class="person">${customer.email}</p>
${form({
  language,
  action: link(LOGIN_PATHS.continue, session),
  formToken,
  fields: [],
  before: html`<p><a href="${link(LOGIN_PATHS.signIn, { ...session, other: 'yes' })}">${words.other}</a></p>`,
  submit: words.continue,
})}
<hr>
${wayOut(asked, { language, formToken, link })}`
  return pageOf(asked, words.continueTitle, main, false)
}

/** Nothing more comes of this login. Where it came from is known while the login is. */
export function overPage(asked: PageLogin | null, { language }: Facts): ShownPage {
  const words = texts[language]
  const main = html`<h1>${words.overTitle}</h1>
<p class="lead">${words.over}</p>
${asked && html`<div class="actions"><a class="button quiet" href="${originOf(asked)}">${words.begin} ${asked.installationName}</a></div>`}`
  return { kind: 'page', status: asked ? 409 : 404, title: words.overTitle, main }
}

function pageOf({ login }: PageLogin, title: string, main: Html, hasErrors: boolean): ShownPage {
  return { kind: 'page', status: hasErrors ? 400 : 200, title, main, hasErrors, formTargets: [login.returnUrl] }
}

function wayOut(asked: PageLogin, { language, formToken, link }: Facts): Html {
  const words = texts[language]
  return html`<p class="small">${words.back} <code>${originOf(asked)}</code></p>
${quietForm({ action: link(LOGIN_PATHS.cancel, sessionOf(asked)), formToken, submit: words.cancel })}`
}

function sessionOf({ login }: PageLogin): { readonly session: string } {
  return { session: login.id }
}

function originOf({ login }: PageLogin): string {
  return new URL(login.returnUrl).origin
}
