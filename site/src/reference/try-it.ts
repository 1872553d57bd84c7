import { exampleOf, type Operation } from '@vitrine/contract'
import { type Html, html } from '../html.ts'
import { smallExampleOf } from './examples.ts'
import { inlineCode, membersOf } from './fields.ts'

/**
 * The form that sends the request from the reader's browser. The script of the page sends it, with the SDK. Without the script a browser
 * would send the keys in the URL of the page, so the button is enabled by the script.
 */
export function tryIt(id: string, row: Operation): Html {
  const params = membersOf(row.params)
  const query = membersOf(row.query).filter(({ name }) => !name.includes('<'))
  const needsKey = row.auth.kind !== 'public' && row.auth.kind !== 'oauth'
  return html`<details class="try" id="try"><summary>Try it</summary>
<form data-operation="${id}" data-access="${row.auth.kind}" autocomplete="off">
<p class="note">Sends the request from your browser to a running server. Use the test environment that <code>npm start</code> opens.${
    row.method !== 'GET' && ' It changes data there.'
  }</p>
${input('base', 'Server', 'The address of the public door.', true)}
${needsKey && keyFields(row)}
${row.gated === true && input('access', 'Store access token', 'For a gated store: the token of verifyStorefrontChallenge.', false)}
${params.map(({ name, schema }) => part('params', name, schema, true))}
${query.map(({ name, schema, isRequired }) => part('query', name, schema, isRequired))}
${
  row.body !== null &&
  html`<label>Body<textarea name="body" rows="8" spellcheck="false">${JSON.stringify(smallExampleOf(row.body), null, 2)}</textarea></label>`
}
<button type="submit" disabled>Send</button> <button type="button" class="quiet" data-forget>Forget the keys</button>
</form><div class="results" aria-live="polite"></div></details>`
}

function keyFields(row: Operation): Html {
  const isBound = row.auth.kind === 'senderConstrained' || row.method !== 'GET'
  return html`<label>API key<input name="key" type="password" autocomplete="off" spellcheck="false" required /></label>
<label>Private key (JWK)${isBound ? '' : ', for a bound key'}<textarea name="jwk" rows="3" spellcheck="false" placeholder='{"kty":"EC","crv":"P-256",…}'${
    isBound && html` required`
  }></textarea></label>
<p class="note">Both stay in this tab (<code>sessionStorage</code>) until it is closed. The file <code>.data/demo-keys.json</code> of the demo names its bound key and the file of its private key.</p>`
}

function part(place: 'params' | 'query', name: string, schema: Operation['data'], isRequired: boolean): Html {
  const { description = '', type } = schema as { readonly description?: string; readonly type?: string }
  return html`<label><span><code>${name}</code>${isRequired && ' (required)'}</span><input name="${place}.${name}" data-type="${type ?? 'string'}"${
    isRequired && html` required`
  } placeholder="${String(exampleOf(schema))}" spellcheck="false" /><small>${inlineCode(description)}</small></label>`
}

function input(name: string, label: string, about: string, isRequired: boolean): Html {
  return html`<label>${label}<input name="${name}"${isRequired && html` required`} spellcheck="false" /><small>${about}</small></label>`
}
