import { type Html, html } from '../../kernel/html.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { isUnavailable, OutcomeUnknown } from '../../platform/postgres/index.ts'
import type { Language } from './languages.ts'
import type { PageBaseContext } from './page-route.ts'

interface ErrorPage {
  readonly status: 400 | 403 | 404 | 429 | 500 | 503
  readonly title: string
  readonly main: Html
}

type Kind = 'bad' | 'stale' | 'missing' | 'tooMany' | 'failed' | 'unavailable'
type Words = { readonly title: string; readonly text: string }

const statuses = { bad: 400, stale: 403, missing: 404, tooMany: 429, failed: 500, unavailable: 503 } as const

const texts: Readonly<Record<Language, Readonly<Record<Kind, Words>>>> = {
  en: {
    bad: {
      title: 'This link is incomplete',
      text: 'Part of the address or form is missing or invalid. Nothing was changed. Open the link again exactly as you received it.',
    },
    stale: {
      title: 'This form has expired',
      text: 'Nothing was changed. Go back, reload the page and submit the form again. Cookies must be enabled.',
    },
    missing: { title: 'Page not found', text: 'Check the address. The page may have been moved or removed.' },
    tooMany: { title: 'Too many attempts', text: 'Nothing was changed. You can try again ' },
    failed: {
      title: 'Something went wrong',
      text: 'Nothing was changed. Try again in a moment. If the problem persists, give the operator this number:',
    },
    unavailable: {
      title: 'This page is temporarily unavailable',
      text: 'Try again in a moment. If the problem persists, give the operator this number:',
    },
  },
  de: {
    bad: {
      title: 'Dieser Link ist unvollständig',
      text: 'Ein Teil der Adresse oder des Formulars fehlt oder ist ungültig. Es wurde nichts geändert. Öffne den Link noch einmal genau so, wie du ihn erhalten hast.',
    },
    stale: {
      title: 'Dieses Formular ist abgelaufen',
      text: 'Es wurde nichts geändert. Gehe zurück, lade die Seite neu und sende das Formular noch einmal ab. Cookies müssen aktiviert sein.',
    },
    missing: {
      title: 'Seite nicht gefunden',
      text: 'Prüfe die Adresse. Die Seite wurde möglicherweise verschoben oder entfernt.',
    },
    tooMany: { title: 'Zu viele Versuche', text: 'Es wurde nichts geändert. Du kannst es wieder versuchen ' },
    failed: {
      title: 'Etwas ist schiefgelaufen',
      text: 'Es wurde nichts geändert. Versuche es gleich noch einmal. Wenn das Problem bestehen bleibt, nenne dem Betreiber diese Nummer:',
    },
    unavailable: {
      title: 'Diese Seite ist vorübergehend nicht verfügbar',
      text: 'Versuche es gleich noch einmal. Wenn das Problem bestehen bleibt, nenne dem Betreiber diese Nummer:',
    },
  },
}

const links: Readonly<Record<Language, { readonly start: string; readonly form: string }>> = {
  en: { start: 'Go to our shops', form: 'Open the page again' },
  de: { start: 'Zu unseren Shops', form: 'Seite neu öffnen' },
}

/** The form was not rendered for this browser. */
export class StaleForm extends Error {
  override readonly name = 'StaleForm'
}

interface ErrorContext extends Pick<PageBaseContext, 'language' | 'requestId' | 'link'> {
  /** The URL of the page with the form that failed. */
  readonly formPage: string | null
}

/** The page for a failure, with a link to continue. An internal error shows its request id, never its message. */
export function errorPage(failure: unknown, { language, requestId, link, formPage }: ErrorContext): ErrorPage {
  const kind = kindOf(failure)
  const { title, text } = texts[language][kind]
  const number = (kind === 'failed' || kind === 'unavailable') && html`<p><code>${requestId}</code></p>`
  const wait =
    kind === 'tooMany' && failure instanceof Refusal && `${retryTime(failure.facts.afterMs ?? 60_000, language)}.`
  const words = links[language]
  const actions = [
    formPage !== null && kind !== 'missing' && html`<a class="button" href="${formPage}">${words.form}</a>`,
    kind !== 'unavailable' && html`<a class="button quiet" href="${link('/')}">${words.start}</a>`,
  ]
  const main = html`<h1>${title}</h1>
<p class="lead">${text}${wait}</p>
${number}
${actions.some(Boolean) && html`<div class="actions">${actions}</div>`}`
  return { status: statuses[kind], title, main }
}

function kindOf(failure: unknown): Kind {
  if (failure instanceof StaleForm) return 'stale'
  if (isUnavailable(failure) || failure instanceof OutcomeUnknown) return 'unavailable'
  if (!(failure instanceof Refusal)) return 'failed'
  switch (failure.code) {
    case 'not_found':
      return 'missing'
    case 'rate_limited':
    case 'quota_exceeded':
    case 'challenge_attempts_exceeded':
      return 'tooMany'
    case 'unavailable':
      return 'unavailable'
    default:
      return 'bad'
  }
}

/** The time to wait, rounded up: in 40 seconds, in 12 minutes. */
function retryTime(milliseconds: number, language: Language): string {
  const seconds = Math.ceil(milliseconds / 1000)
  const format = new Intl.RelativeTimeFormat(language)
  return seconds < 90 ? format.format(seconds, 'second') : format.format(Math.ceil(seconds / 60), 'minute')
}
