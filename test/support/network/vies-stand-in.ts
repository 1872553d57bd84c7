import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { atFileEnd } from '../file-end.ts'

/** The answer of VIES about a number: a business, an unknown number, an error in the body, or no answer. */
export type ViesAnswer =
  | { readonly valid: true; readonly name: string; readonly address: string }
  | { readonly valid: false }
  | { readonly error: string }
  | 'silence'

export type ViesStandIn = Awaited<ReturnType<typeof startViesStandIn>>

/**
 * VIES on loopback: `POST /check-vat-number` and `GET /check-status`. The test registers numbers; others are not valid. A request with
 * a requester gets a consultation number. It is closed at the end of the file.
 *
 * @see https://ec.europa.eu/assets/taxud/vow-information/swagger_publicVAT.yaml
 */
export async function startViesStandIn() {
  const answers = new Map<string, ViesAnswer>()
  const asked: Record<string, string>[] = []
  const server = createServer(async (request, response) => {
    const answer = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (request.url === '/check-status') return answer(200, { vow: { available: true }, countries: [] })
    if (request.method !== 'POST' || request.url !== '/check-vat-number') return answer(404, {})
    const question = (await json(request)) as Record<string, string>
    asked.push(question)
    const { countryCode = '', vatNumber = '', requesterNumber } = question
    const known = answers.get(`${countryCode}${vatNumber}`) ?? { valid: false }
    if (known === 'silence') return
    if ('error' in known) return answer(200, { actionSucceed: false, errorWrappers: [{ error: known.error }] })
    answer(200, {
      countryCode,
      vatNumber,
      requestDate: '2026-05-04T12:00:00.000Z',
      requestIdentifier: requesterNumber === undefined ? '' : `WAPIAAAAW${asked.length}`,
      name: '---',
      address: '---',
      ...known,
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atFileEnd(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Every request, the oldest first. */
    asked: asked as readonly Readonly<Record<string, string>>[],
    says: (vatId: string, answer: ViesAnswer) => void answers.set(vatId, answer),
  }
}
