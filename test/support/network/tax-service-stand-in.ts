import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { atFileEnd } from '../file-end.ts'

/** The request to a tax service, as JSON. */
export interface TaxQuestion {
  readonly storeId: string
  readonly currency: string
  readonly pricesIncludeTax: boolean
  readonly shipTo: { readonly country: string; readonly region: string | null; readonly postalCode: string | null }
  readonly buyer: { readonly vatId: string | null }
  readonly seller: { readonly registrations: readonly { readonly country: string; readonly id: string }[] } | null
  readonly lines: readonly { readonly id: string; readonly amount: number; readonly taxCategory: string }[]
}

/** A rate in hundredths of a percent. */
interface Rate {
  readonly name: string
  readonly points: number
  readonly jurisdiction: string
}

/** A fault of the tax service: no answer, an error, invalid JSON, or a changed reply. */
export type TaxFault = 'silence' | 'error' | 'garbage' | ((reply: TaxReplyBody) => unknown)

export interface TaxReplyBody {
  currency: string
  lines: {
    id: string
    taxes: { name: string; rate: string; amount: number; country: string; jurisdiction?: string }[]
    exemption?: string
  }[]
}

export type TaxServiceStandIn = Awaited<ReturnType<typeof startTaxServiceStandIn>>

export const TAX_SERVICE_SECRET = 'tax-service-secret-of-tests-only'
/** The taxes of state and county in Los Angeles. */
const RATES: readonly Rate[] = [
  { name: 'California state tax', points: 725, jurisdiction: 'California' },
  { name: 'Los Angeles County tax', points: 225, jurisdiction: 'Los Angeles County' },
]

/** A tax service on loopback that charges state and county tax on everything. It is closed at the end of the file. */
export async function startTaxServiceStandIn() {
  const asked: TaxQuestion[] = []
  let fault: TaxFault | null = null
  const server = createServer(async (request, response) => {
    const question = (await json(request)) as TaxQuestion
    if (request.headers.authorization !== `Bearer ${TAX_SERVICE_SECRET}`) return response.writeHead(401).end('{}')
    asked.push(question)
    if (fault === 'silence') return
    if (fault === 'error') return response.writeHead(503).end('busy')
    if (fault === 'garbage') return response.end('<html>')
    const reply = replyTo(question)
    response.end(JSON.stringify(fault === null ? reply : await fault(reply)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atFileEnd(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/tax`,
    /** Every request with the right secret, the oldest first. */
    asked: asked as readonly TaxQuestion[],
    /** Injects a fault from now on; `null` ends it. */
    fails: (how: TaxFault | null) => {
      fault = how
    },
  }
}

function replyTo({ currency, lines, pricesIncludeTax, shipTo }: TaxQuestion): TaxReplyBody {
  const total = RATES.reduce((points, rate) => points + rate.points, 0)
  return {
    currency,
    lines: lines.map(({ id, amount }) => {
      const net = pricesIncludeTax ? (amount * 10_000) / (10_000 + total) : amount
      return {
        id,
        taxes: RATES.map(({ name, points, jurisdiction }) => {
          const rate = (points / 10_000).toFixed(4).replace(/0+$/, '')
          return { name, rate, amount: Math.round((net * points) / 10_000), country: shipTo.country, jurisdiction }
        }),
      }
    }),
  }
}
