import assert from 'node:assert/strict'
import { headersOf, send } from '../network/send.ts'

/** The response of a page. */
export interface Visited {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The redirect target, or ''. */
  readonly location: string
}

/** The value of a hidden field of a page, or ''. */
export function hiddenValue({ text }: Pick<Visited, 'text'>, name: string): string {
  return new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? ''
}

/** A minimal browser: stores cookies, runs no script, follows no redirects. */
export interface Visitor {
  readonly cookies: ReadonlyMap<string, string>
  open(url: string, headers?: Readonly<Record<string, string>>): Promise<Visited>
  /** Submits a form with the CSRF token of the last opened page. */
  send(
    url: string,
    fields?: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Visited>
}

export function pageVisitor(origin: string): Visitor {
  const cookies = new Map<string, string>()
  let token = ''

  async function ask(
    method: string,
    url: string,
    own: Readonly<Record<string, string>>,
    form?: string,
  ): Promise<Visited> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const {
      status,
      headers: received,
      text,
    } = await send(String(new URL(url, origin)), method, { cookie, ...own }, form)
    for (const line of received['set-cookie'] ?? []) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? assert.fail(line)
      if (value === '') cookies.delete(name!)
      else cookies.set(name!, value!)
    }
    token = /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? token
    return { status, headers: headersOf(received), text, location: received.location ?? '' }
  }

  return {
    cookies,
    open: (url, headers = {}) => ask('GET', url, headers),
    send: (url, fields = {}, headers = {}) =>
      ask(
        'POST',
        url,
        { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        new URLSearchParams({ form_token: token, ...fields }).toString(),
      ),
  }
}
