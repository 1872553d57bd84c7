import { type Html, html } from '../../kernel/html.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { OutcomeUnknown, RolledBack, Unreachable } from '../../platform/postgres/index.ts'
import type { Language } from './languages.ts'

/** A page that says no. */
export interface ErrorPage {
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
      title: 'This request cannot be understood',
      text: 'A part of the address or the form is missing or malformed. Nothing was changed. Open the link again as you received it.',
    },
    stale: {
      title: 'This form is out of date',
      text: 'Nothing was changed. Go back, load the page again and send the form once more. Cookies must be allowed for that.',
    },
    missing: { title: 'There is no page here', text: 'The address is mistyped, or what it led to is gone.' },
    tooMany: { title: 'Too many attempts', text: 'Nothing was changed. You can try again ' },
    failed: {
      title: 'Something failed on our side',
      text: 'Nothing was changed. Try again in a moment. If it keeps happening, tell the operator this number:',
    },
    unavailable: {
      title: 'This page cannot be shown at the moment',
      text: 'Try again in a moment. If it keeps happening, tell the operator this number:',
    },
  },
  de: {
    bad: {
      title: 'Diese Anfrage ist nicht zu verstehen',
      text: 'Ein Teil der Adresse oder des Formulars fehlt oder ist fehlerhaft. Es wurde nichts geändert. Öffne den Link noch einmal so, wie du ihn erhalten hast.',
    },
    stale: {
      title: 'Dieses Formular ist veraltet',
      text: 'Es wurde nichts geändert. Geh zurück, lade die Seite neu und sende das Formular noch einmal. Dafür müssen Cookies erlaubt sein.',
    },
    missing: {
      title: 'Hier ist keine Seite',
      text: 'Die Adresse ist vertippt, oder was dort war, gibt es nicht mehr.',
    },
    tooMany: { title: 'Zu viele Versuche', text: 'Es wurde nichts geändert. Du kannst es wieder versuchen ' },
    failed: {
      title: 'Bei uns ist etwas schiefgegangen',
      text: 'Es wurde nichts geändert. Versuche es gleich noch einmal. Wenn es wieder geschieht, nenne dem Betreiber diese Nummer:',
    },
    unavailable: {
      title: 'Diese Seite ist gerade nicht zu erreichen',
      text: 'Versuche es gleich noch einmal. Wenn es wieder geschieht, nenne dem Betreiber diese Nummer:',
    },
  },
}

/** The form did not come from a page that this browser was given. */
export class StaleForm extends Error {
  override readonly name = 'StaleForm'
}

/** The page for a failure that no page of its own was made for. It tells a fault's number and never its text. */
export function errorPage(failure: unknown, language: Language, requestId: string): ErrorPage {
  const kind = kindOf(failure)
  const { title, text } = texts[language][kind]
  const number = (kind === 'failed' || kind === 'unavailable') && html`<p><code>${requestId}</code></p>`
  const wait =
    kind === 'tooMany' && failure instanceof Refusal && `${whenAgain(failure.facts.afterMs ?? 60_000, language)}.`
  return { status: statuses[kind], title, main: html`<h1>${title}</h1>\n<p class="lead">${text}${wait}</p>\n${number}` }
}

/** PostgreSQL could not be asked, or not be asked how it ended. */
const away = [RolledBack, OutcomeUnknown, Unreachable]

function kindOf(failure: unknown): Kind {
  if (failure instanceof StaleForm) return 'stale'
  if (away.some((kind) => failure instanceof kind)) return 'unavailable'
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

/** In words, rounded up: in 40 seconds, in 12 minutes. */
function whenAgain(milliseconds: number, language: Language): string {
  const seconds = Math.ceil(milliseconds / 1000)
  const format = new Intl.RelativeTimeFormat(language)
  return seconds < 90 ? format.format(seconds, 'second') : format.format(Math.ceil(seconds / 60), 'minute')
}
