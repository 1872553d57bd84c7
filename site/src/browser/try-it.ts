import { type CallInput, type OperationId, type PrivateJwk, VitrineError, vitrine } from '@vitrine/sdk'

/** The fields that are kept in the session storage of the tab. */
const KEPT = ['base', 'key', 'jwk'] as const
const DEFAULT_BASE = 'http://127.0.0.1:8080'

/** Fills in the known values, and sends the request when the form is submitted. */
export async function prepare(details: HTMLDetailsElement): Promise<void> {
  const form = details.querySelector('form')
  const results = details.querySelector<HTMLElement>('.results')
  if (!form || !results) return
  const base = field(form, 'base')
  if (base && base.value === '') base.value = await knownServer()
  for (const name of KEPT) {
    const input = field(form, name)
    const kept = sessionStorage.getItem(`docs.${name}`)
    if (input && kept !== null) input.value = kept
  }
  form.querySelector('[data-forget]')?.addEventListener('click', () => forget(form))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void send(form, results)
  })
  const submit = form.querySelector<HTMLButtonElement>('[type=submit]')
  if (submit) submit.disabled = false
  form.dataset.ready = ''
}

type Field = HTMLInputElement | HTMLTextAreaElement

function field(form: HTMLFormElement, name: string): Field | null {
  return form.elements.namedItem(name) as Field | null
}

/** The URL of the public door. A Vitrine server that serves these pages provides it; another host does not. */
async function knownServer(): Promise<string> {
  const root = document.body.dataset.root ?? './'
  const answer = await fetch(`${root}service.json`).catch(() => null)
  if (!answer?.ok) return DEFAULT_BASE
  const { publicUrl } = (await answer.json()) as { readonly publicUrl: string }
  return publicUrl
}

function forget(form: HTMLFormElement): void {
  for (const name of KEPT) sessionStorage.removeItem(`docs.${name}`)
  for (const name of ['key', 'jwk']) {
    const input = field(form, name)
    if (input) input.value = ''
  }
}

/** The requests that were sent, and their answers. */
interface Exchange {
  readonly request: string
  readonly answer: string
}

async function send(form: HTMLFormElement, results: HTMLElement): Promise<void> {
  const button = form.querySelector<HTMLButtonElement>('[type=submit]')
  if (button) button.disabled = true
  const exchanges: Exchange[] = []
  let problem: string | null = null
  try {
    await call(form, exchanges)
  } catch (error) {
    problem = problemOf(error, exchanges)
  } finally {
    if (button) button.disabled = false
  }
  show(results, exchanges, problem)
}

async function call(form: HTMLFormElement, exchanges: Exchange[]): Promise<void> {
  for (const name of KEPT) {
    const value = field(form, name)?.value.trim()
    if (value) sessionStorage.setItem(`docs.${name}`, value)
  }
  const key = field(form, 'key')?.value.trim()
  const jwk = field(form, 'jwk')?.value.trim()
  const storeAccess = field(form, 'access')?.value.trim()
  const body = field(form, 'body')?.value.trim()
  const shop = vitrine({
    baseUrl: field(form, 'base')?.value.trim() ?? '',
    ...(key && { key }),
    ...(jwk && { privateKey: JSON.parse(jwk) as PrivateJwk }),
    // No retries, so that the reader sees each answer. One more attempt fetches a missing nonce.
    retry: { attemptsMax: 2 },
    fetch: recorded(exchanges),
  })
  const input = {
    params: valuesOf(form, 'params'),
    query: valuesOf(form, 'query'),
    ...(body && { body: JSON.parse(body) as unknown }),
  } as CallInput<OperationId>
  await shop.call(form.dataset.operation as OperationId, input, { ...(storeAccess && { storeAccess }) })
}

/** The filled fields of the path or the query, with numbers, booleans and lists parsed. */
function valuesOf(form: HTMLFormElement, place: string): Readonly<Record<string, unknown>> {
  const inputs = [...form.querySelectorAll<HTMLInputElement>(`input[name^="${place}."]`)]
  const filled = inputs.filter(({ value }) => value.trim() !== '')
  return Object.fromEntries(
    filled.map(({ name, value, dataset }) => [name.slice(place.length + 1), typed(value.trim(), dataset.type)]),
  )
}

function typed(text: string, type: string | undefined): unknown {
  if (type === 'integer' || type === 'number') return Number(text)
  if (type === 'boolean') return text === 'true'
  if (type === 'array') return text.split(/\s*,\s*/)
  return text
}

/** The platform's `fetch`, with a record of what was sent. Credentials are not repeated on the page. */
function recorded(exchanges: Exchange[]): typeof fetch {
  return async (target, init) => {
    const headers = [...new Headers(init?.headers)].map(([name, value]) => `${name}: ${isSecret(name) ? '…' : value}`)
    const request = [`${init?.method ?? 'GET'} ${String(target)}`, ...headers, '', String(init?.body ?? '')]
      .join('\n')
      .trim()
    try {
      const response = await fetch(target, init)
      const text = await response.clone().text()
      exchanges.push({ request, answer: `${response.status}\n${pretty(text)}` })
      return response
    } catch (error) {
      exchanges.push({ request, answer: 'No answer that this page may read.' })
      throw error
    }
  }
}

const isSecret = (name: string) => ['authorization', 'dpop', 'x-store-access'].includes(name)

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** The error if there was no answer; `null` if the answer describes the error. */
function problemOf(error: unknown, exchanges: readonly Exchange[]): string | null {
  if (error instanceof VitrineError) return null
  if (error instanceof SyntaxError) return `The JSON cannot be read: ${error.message}`
  if (error instanceof TypeError && exchanges.length > 0) {
    return `The browser got no answer, or was not allowed to read it. Is the server running? A browser can use the key of an installation only from its registered origins. Register ${location.origin}, or use the curl command.`
  }
  return error instanceof Error ? error.message : String(error)
}

function show(results: HTMLElement, exchanges: readonly Exchange[], problem: string | null): void {
  const parts = exchanges.flatMap(({ request, answer }) => [titled('Request', request), titled('Answer', answer)])
  if (problem !== null) {
    const text = document.createElement('p')
    text.className = 'problem'
    text.textContent = problem
    parts.push(text)
  }
  results.replaceChildren(...parts)
}

function titled(title: string, text: string): HTMLElement {
  const block = document.createElement('div')
  block.className = 'code'
  const label = document.createElement('p')
  label.className = 'group'
  label.textContent = title
  const pre = document.createElement('pre')
  pre.tabIndex = 0
  pre.textContent = text
  block.append(label, pre)
  return block
}
