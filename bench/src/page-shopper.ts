import { type Agent, request } from 'node:http'

/** A browser session with its cookies and its connection. */
export interface Shopper {
  get(url: string): Promise<Page>
  send(url: string, fields: Readonly<Record<string, string>>): Promise<Page>
}

interface Page {
  readonly status: number
  readonly location: string | undefined
  readonly text: string
}

export function shopper(agent: Agent): Shopper {
  const cookies = new Map<string, string>()

  function ask(method: 'GET' | 'POST', url: string, body = ''): Promise<Page> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = {
      ...(cookie !== '' && { cookie }),
      ...(method === 'POST' && {
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': String(Buffer.byteLength(body)),
        origin: new URL(url).origin,
      }),
    }
    return new Promise((resolve, reject) => {
      const sent = request(url, { method, agent, headers }, (response) => {
        for (const line of response.headers['set-cookie'] ?? []) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
          cookies.set(name, value)
        }
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const { statusCode: status = 0, headers: answered } = response
          resolve({ status, location: answered.location, text: Buffer.concat(chunks).toString('utf8') })
        })
      })
      sent.on('error', reject)
      sent.end(body)
    })
  }

  return {
    get: (url) => ask('GET', url),
    send: (url, fields) => ask('POST', url, new URLSearchParams(fields).toString()),
  }
}

/** Opens the page of a checkout, ticks all boxes, and pays with the simulator. */
export async function payOnPage({ get, send }: Shopper, url: string): Promise<void> {
  const page = await get(url)
  const form = payForm(page.text)
  if (page.status !== 200 || !form)
    throw new Error(`${url} answered ${page.status} and has no payment form: ${page.text}`)
  const paid = await send(new URL(form.action, url).href, form.fields)
  if (paid.status !== 303) throw new Error(`the payment answered ${paid.status}: ${paid.text}`)
}

/** The fields of the payment form: hidden fields, ticked boxes, and the simulator as the provider. */
function payForm(html: string): { readonly action: string; readonly fields: Readonly<Record<string, string>> } | null {
  const [form, action] = /<form [^>]*action="([^"]*\/pay[^"]*)"[\s\S]*?<\/form>/.exec(html) ?? []
  if (form === undefined || action === undefined) return null
  const fields: Record<string, string> = { provider: 'simulator' }
  for (const [input] of form.matchAll(/<input [^>]*>/g)) {
    const attribute = (name: string) => unescaped(new RegExp(` ${name}="([^"]*)"`).exec(input)?.[1])
    const name = attribute('name')
    const type = attribute('type')
    if (name !== undefined && (type === 'hidden' || type === 'checkbox')) fields[name] = attribute('value') ?? 'on'
  }
  return { action: unescaped(action), fields }
}

function unescaped<Text extends string | undefined>(text: Text): Text {
  return text?.replaceAll('&amp;', '&') as Text
}
