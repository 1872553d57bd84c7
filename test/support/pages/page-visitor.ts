import assert from 'node:assert/strict'

/** The response of a page. */
export interface Visited {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The redirect target, or ''. */
  readonly location: string
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

  async function ask(url: string, init: RequestInit): Promise<Visited> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { cookie, ...(init.headers as Record<string, string>) }
    const answer = await fetch(new URL(url, origin), { ...init, headers, redirect: 'manual' })
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? assert.fail(line)
      if (value === '') cookies.delete(name!)
      else cookies.set(name!, value!)
    }
    const text = await answer.text()
    token = /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? token
    return { status: answer.status, headers: answer.headers, text, location: answer.headers.get('location') ?? '' }
  }

  return {
    cookies,
    open: (url, headers = {}) => ask(url, { headers }),
    send: (url, fields = {}, headers = {}) =>
      ask(url, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: new URLSearchParams({ form_token: token, ...fields }).toString(),
      }),
  }
}
