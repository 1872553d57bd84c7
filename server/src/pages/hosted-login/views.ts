import { ACCOUNT_PATHS, type Customer } from '../../features/accounts/index.ts'
import { LOGIN_PATHS, type PageLogin } from '../../features/hosted-login/index.ts'
import {
  type FieldErrors,
  type FieldValues,
  form,
  type Html,
  type HtmlPage,
  html,
  type PageReadContext,
  secondaryForm,
} from '../toolkit/index.ts'
import { texts } from './texts.ts'

type Facts = Pick<PageReadContext, 'language' | 'formToken' | 'link'>

/** The sign-in form, with links to reset the password and to register. */
export function signInPage(login: PageLogin, facts: Facts, values: FieldValues = {}, errors?: FieldErrors): HtmlPage {
  const { language, formToken, link } = facts
  const words = texts[language]
  const session = sessionOf(login)
  const main = html`${testNote(login, facts)}<h1>${words.title}</h1>
<p class="lead">${words.lead} <strong>${login.installationName}</strong></p>
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
  before: html`<p><a href="${link(ACCOUNT_PATHS.reset, session)}">${words.forgot}</a></p>`,
  submit: words.submit,
})}
<hr>
<p>${words.new} <a href="${link(ACCOUNT_PATHS.register, session)}">${words.register}</a></p>
${returnForm(login, { language, formToken, link })}`
  return pageOf(login, words.title, main, errors !== undefined)
}

/** For a signed-in shopper: continue, or use another account. */
export function continuePage(login: PageLogin, customer: Customer, facts: Facts): HtmlPage {
  const { language, formToken, link } = facts
  const words = texts[language]
  const session = sessionOf(login)
  const main = html`${testNote(login, facts)}<h1>${words.continueTitle}</h1>
<p class="lead"><strong>${login.installationName}</strong> ${words.continueLead}</p>
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
${returnForm(login, { language, formToken, link })}`
  return pageOf(login, words.continueTitle, main, false)
}

/** The login has ended. Links back to the shop if it is known. */
export function endedPage(login: PageLogin | null, { language }: Facts): HtmlPage {
  const words = texts[language]
  const main = html`<h1>${words.endedTitle}</h1>
<p class="lead">${words.ended}</p>
${login && html`<div class="actions"><a class="button quiet" href="${originOf(login)}">${words.backTo} ${login.installationName}</a></div>`}`
  return {
    kind: 'page',
    status: login ? 409 : 404,
    title: words.endedTitle,
    main,
    stores: storesOf(login?.storeId ?? null),
  }
}

function testNote({ environment }: PageLogin, { language }: Facts): Html | null {
  return environment === 'test' ? html`<p class="note">${texts[language].test}</p>` : null
}

function pageOf({ login, storeId }: PageLogin, title: string, main: Html, hasErrors: boolean): HtmlPage {
  const status = hasErrors ? 400 : 200
  return { kind: 'page', status, title, main, hasErrors, formTargets: [login.returnUrl], stores: storesOf(storeId) }
}

function storesOf(storeId: string | null): readonly string[] {
  return storeId === null ? [] : [storeId]
}

function returnForm(login: PageLogin, { language, formToken, link }: Facts): Html {
  const words = texts[language]
  return html`<p class="small">${words.back} <code>${originOf(login)}</code></p>
${secondaryForm({ action: link(LOGIN_PATHS.cancel, sessionOf(login)), formToken, submit: words.cancel })}`
}

function sessionOf({ login }: PageLogin): { readonly session: string } {
  return { session: login.id }
}

function originOf({ login }: PageLogin): string {
  return new URL(login.returnUrl).origin
}
