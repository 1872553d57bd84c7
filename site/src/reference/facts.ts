import type { Operation } from '@vitrine/contract'
import { type Html, html } from '../html.ts'
import { inlineCode } from './fields.ts'

/** The required credential, in a sentence. */
export function credentialOf(row: Operation): string {
  const { auth } = row
  const scopes = 'scopes' in auth ? auth.scopes.map((scope) => `\`${scope}\``).join(', ') : ''
  const scope = scopes ? `, with the scope ${scopes}` : ''
  switch (auth.kind) {
    case 'public':
      return row.gated ? 'None. A gated store asks for `X-Store-Access`.' : 'None.'
    case 'key':
      return `An API key or an access token${scope}.`
    case 'senderConstrained':
      return `A bound API key or an access token, with a DPoP proof${scope}.`
    case 'installation':
      return 'Any credential of an installation.'
    case 'oauth':
      return 'The OAuth endpoints authenticate the client themselves.'
  }
}

/** The main facts of an operation, by name. */
export function factsOf(row: Operation): readonly (readonly [string, Html])[] {
  const { idempotency, stability, deprecated, secrets = {} } = row
  return [
    ['Credential', inlineCode(credentialOf(row))],
    ['Idempotency', idempotency === 'required' ? html`<code>Idempotency-Key</code> required` : html`none`],
    ['Stability', html`${stability}`],
    ['Answer', html`<code>${row.response}</code>`],
    ...Object.entries(secrets).map(
      ([member, state]) =>
        ['Shown once', html`<code>${member}</code>; a repetition has <code>${state}: already_shown</code>`] as const,
    ),
    ...(deprecated ? [['Deprecated', deprecation(deprecated)] as const] : []),
  ]
}

function deprecation({ since, sunset, link }: NonNullable<Operation['deprecated']>): Html {
  const until = sunset ? `ends on ${sunset.slice(0, 10)}` : 'its end is not set'
  return html`since ${since.slice(0, 10)}, ${until}: <a href="${link}">what to use instead</a>`
}
