import { AuthorizationQuery } from '@vitrine/contract'
import { Type } from 'typebox'
import { limitSignIn } from '../../features/accounts/index.ts'
import {
  AUTHORIZATION_PATH,
  beginAuthorization,
  CONSENT_PATH,
  type ConsentPrompt,
  consent,
  deny,
  endStaffSession,
  loadConsent,
  type OAuthDeps,
  openStaffSession,
  type Staff,
  type VerifiedStaff,
  verifyStaff,
} from '../../features/oauth/index.ts'
import { Refusal, refuse } from '../../kernel/refusal.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import {
  type FieldErrors,
  type FieldValues,
  form,
  type Html,
  type HtmlPage,
  html,
  type Language,
  type PageReadContext,
  type PageRoute,
  pageRead,
  pageWrite,
  secondaryForm,
} from '../toolkit/index.ts'
import { texts } from './texts.ts'

const SIGN_IN = '/oauth/sign-in'
const SIGN_OUT = '/oauth/sign-out'

const closed = { additionalProperties: false } as const
const RequestQuery = Type.Object({ request: Type.String({ minLength: 1, maxLength: 8192 }) }, closed)
const SignIn = Type.Object(
  { email: Type.String({ minLength: 3, maxLength: 254 }), password: Type.String({ minLength: 1, maxLength: 128 }) },
  closed,
)
const Decision = Type.Object({ decision: Type.Union([Type.Literal('approve'), Type.Literal('deny')]) }, closed)
const NoFields = Type.Object({}, closed)

type Sealed = { readonly request: string }
type Facts = Pick<PageReadContext, 'cookie' | 'now'>

/** OAuth consent: store staff sign in, review the request, and approve or deny it. */
export function consentPages(deps: OAuthDeps): PageRoute[] {
  const loadPrompt = (reader: Reader, { request }: Sealed, { cookie, now }: Facts) =>
    loadConsent(reader, deps, { sealed: request, session: cookie('staff'), now })

  return [
    authorizationEndpoint(deps),

    pageRead({
      path: CONSENT_PATH,
      query: RequestQuery,
      async show({ query }, context) {
        const prompt = await openOrNull(() => loadPrompt(context.reader, query, context))
        return prompt ? promptPage(prompt, query, context) : expiredPage(context)
      },
    }),

    pageWrite({
      path: SIGN_IN,
      query: RequestQuery,
      form: SignIn,
      async prepare({ query, form: { email, password } }, context): Promise<VerifiedStaff> {
        const { reader, limiter, address, now } = context
        await limitSignIn(limiter, { email, address, now })
        const { storeId } = (await loadPrompt(reader, query, context)).client.installation
        return (await verifyStaff(reader, { email, password, storeId })) ?? refuse('credential_invalid')
      },
      async work({ query, prepared: staff }, { tx, randomness, now, cookie, link }) {
        const before = cookie('staff')
        if (before !== null) endStaffSession(tx, before)
        const session = (await openStaffSession(tx, staff, randomness, now)) ?? refuse('credential_invalid')
        return { kind: 'redirect', to: link(CONSENT_PATH, query), cookies: [{ name: 'staff', value: session }] }
      },
      async refused(refusal, { query, form: sent }, context) {
        if (refusal.code === 'oauth_invalid_request') return expiredPage(context)
        if (refusal.code !== 'credential_invalid' && refusal.code !== 'validation_failed') return null
        const prompt = await openOrNull(() => loadPrompt(context.reader, query, context))
        if (!prompt) return expiredPage(context)
        return signInPage(prompt, query, context, sent, { '': texts[context.language].wrong })
      },
    }),

    pageWrite({
      path: SIGN_OUT,
      query: RequestQuery,
      form: NoFields,
      async work({ query }, { tx, cookie, link }) {
        const session = cookie('staff')
        if (session !== null) endStaffSession(tx, session)
        return { kind: 'redirect', to: link(CONSENT_PATH, query), cookies: [{ name: 'staff', value: '' }] }
      },
      refused: async () => null,
    }),

    pageWrite({
      path: CONSENT_PATH,
      query: RequestQuery,
      form: Decision,
      async work({ query, form: { decision } }, context) {
        const { tx, ids, randomness, now } = context
        const prompt = await loadPrompt(tx, query, context)
        const to =
          decision === 'approve' ? await consent(tx, prompt, deps, { ids, randomness, now }) : deny(prompt, deps)
        return { kind: 'redirect', to }
      },
      async refused(refusal, { query }, context) {
        if (refusal.code === 'oauth_invalid_request') return expiredPage(context)
        if (refusal.code !== 'oauth_unauthorized_client') return null
        // The session ended after the page was rendered: start again.
        const prompt = await openOrNull(() => loadPrompt(context.reader, query, context))
        return prompt ? promptPage(prompt, query, context) : expiredPage(context)
      },
    }),
  ]
}

/** Validates the request and redirects to the consent page. */
function authorizationEndpoint(deps: OAuthDeps): PageRoute {
  return pageRead({
    path: AUTHORIZATION_PATH,
    query: AuthorizationQuery,
    async show({ query }, { reader, now, language }) {
      try {
        return { kind: 'redirect', to: (await beginAuthorization(reader, deps, query, now)).url }
      } catch (failure) {
        if (!(failure instanceof Refusal) || !failure.code.startsWith('oauth_')) throw failure
        return invalidRequestPage(failure, language)
      }
    },
  })
}

/** The consent request, or `null` if it has expired. */
async function openOrNull(open: () => Promise<ConsentPrompt>): Promise<ConsentPrompt | null> {
  try {
    return await open()
  } catch (failure) {
    if (failure instanceof Refusal && failure.code === 'oauth_invalid_request') return null
    throw failure
  }
}

function promptPage(prompt: ConsentPrompt, sealed: Sealed, context: PageReadContext): HtmlPage {
  const { staff, isOtherStore } = prompt
  if (!staff) return signInPage(prompt, sealed, context)
  return isOtherStore ? foreignPage(prompt, staff, sealed, context) : decidePage(prompt, staff, sealed, context)
}

function signInPage(
  prompt: ConsentPrompt,
  sealed: Sealed,
  context: PageReadContext,
  values: FieldValues = {},
  errors: FieldErrors = {},
): HtmlPage {
  const { language, formToken, link } = context
  const words = texts[language]
  const hasErrors = Object.keys(errors).length > 0
  const main = html`<h1>${words.signInTitle}</h1>
<p class="lead"><strong>${prompt.client.installation.name}</strong> ${words.signInLead}</p>
${form({
  language,
  action: link(SIGN_IN, { ...sealed }),
  formToken,
  fields: [
    { name: 'email', label: words.email, type: 'email', autocomplete: 'username', maxLength: 254 },
    { name: 'password', label: words.password, type: 'password', autocomplete: 'current-password', maxLength: 128 },
  ],
  values,
  errors,
  submit: words.signIn,
})}
${denyForm(sealed, context)}
<p class="small">${words.back} <code>${displayOrigin(prompt.request.redirectUri)}</code></p>`
  const formTargets = [prompt.request.redirectUri]
  return { kind: 'page', status: hasErrors ? 400 : 200, title: words.signInTitle, main, hasErrors, formTargets }
}

function decidePage(
  { request, client }: ConsentPrompt,
  staff: Staff,
  sealed: Sealed,
  context: PageReadContext,
): HtmlPage {
  const { language, formToken, link } = context
  const words = texts[language]
  const action = link(CONSENT_PATH, { ...sealed })
  const main = html`<h1>${words.title}</h1>
<p class="lead"><strong>${client.installation.name}</strong> ${words.asks}.</p>
<dl>
<dt>${words.store}</dt><dd>${staff.storeSlug}</dd>
<dt>${words.may}</dt><dd><ul>${request.scopes.map((scope) => html`<li>${words[scope]} <code>${scope}</code></li>`)}</ul></dd>
<dt>${words.back}</dt><dd><code>${displayOrigin(request.redirectUri)}</code></dd>
</dl>
<p class="small">${words.ends}</p>
${form({ language, action, formToken, fields: [], hidden: { decision: 'approve' }, submit: words.approve })}
${denyForm(sealed, context)}
${signedInAs(staff, sealed, context)}`
  return { kind: 'page', title: words.title, main, formTargets: [request.redirectUri] }
}

/** The app learns that it gets no access. Needs no sign-in: it grants nothing. */
function denyForm(sealed: Sealed, { language, formToken, link }: PageReadContext): Html {
  const action = link(CONSENT_PATH, { ...sealed })
  return secondaryForm({ action, formToken, hidden: { decision: 'deny' }, submit: texts[language].deny })
}

function foreignPage({ request }: ConsentPrompt, staff: Staff, sealed: Sealed, context: PageReadContext): HtmlPage {
  const words = texts[context.language]
  const main = html`<h1>${words.foreignTitle}</h1>
<p class="lead">${words.foreign}</p>
${denyForm(sealed, context)}
${signedInAs(staff, sealed, context)}`
  return { kind: 'page', status: 403, title: words.foreignTitle, main, formTargets: [request.redirectUri] }
}

/**
 * Tells the developer what is wrong. The browser is not redirected with the error: the person has not signed in, and a link could use
 * the redirect to lead elsewhere.
 *
 * @see RFC 9700 §4.11.2
 */
function invalidRequestPage({ code, facts }: Refusal, language: Language): HtmlPage {
  const words = texts[language]
  const error = [code.slice('oauth_'.length), facts.faults?.[0]?.message].filter(Boolean).join(': ')
  const main = html`<h1>${words.invalidTitle}</h1>
<p class="lead">${words.invalid}</p>
<p><code>${error}</code></p>`
  return { kind: 'page', status: 400, title: words.invalidTitle, main }
}

function expiredPage({ language }: PageReadContext): HtmlPage {
  const words = texts[language]
  return {
    kind: 'page',
    status: 400,
    title: words.goneTitle,
    main: html`<h1>${words.goneTitle}</h1>\n<p class="lead">${words.gone}</p>`,
  }
}

function signedInAs({ email }: Staff, sealed: Sealed, { language, formToken, link }: PageReadContext): Html {
  const words = texts[language]
  return html`<hr>
<p class="small">${words.signedIn} ${email}</p>
${secondaryForm({ action: link(SIGN_OUT, { ...sealed }), formToken, submit: words.signOut })}`
}

/** The origin of a URL, for display. */
function displayOrigin(uri: string): string {
  const { protocol, host } = new URL(uri)
  return host === '' ? protocol : `${protocol}//${host}`
}
