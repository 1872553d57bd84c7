import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import type { CommandLine } from '../command-line.ts'
import { UsageError } from '../failure.ts'
import type { Answer, OperatorClient } from '../operator-client.ts'
import { collect, environment, limit, oneOf } from '../options.ts'
import { reportOf, withProgress } from '../upload.ts'
import { orderIdOf } from './orders.ts'

const STATUSES = ['pending', 'dispatched', 'unknown', 'failed', 'confirmed', 'reconciled', 'stopped'] as const
type Status = (typeof STATUSES)[number]
type Fulfillment = Answer<'markParcelLost'>

interface CarriageOptions {
  readonly carrier?: string
  readonly tracking?: string
  readonly trackingUrl?: string
}
interface ShipOptions extends CarriageOptions {
  readonly line?: readonly string[]
  readonly store?: string
  readonly reference?: string
}

const EMPTY: Readonly<Record<Status, string>> = {
  pending: 'Nothing is waiting to be shipped.',
  dispatched: 'No parcel is in transit.',
  unknown: 'No parcel is lost.',
  failed: 'No parcel has failed.',
  confirmed: 'No parcel was delivered yet.',
  reconciled: 'No lost parcel was found.',
  stopped: 'No fulfillment was stopped.',
}

/** `order ship`, `fulfillment` and `license`. */
export function addFulfillmentCommands(cli: CommandLine): void {
  addShip(cli)
  addParcels(cli)
  addLicenses(cli)
}

const carriage = (parent: Command) =>
  parent
    .option('--carrier <name>', 'carrier')
    .option('--tracking <number>', 'tracking number')
    .option('--tracking-url <url>', 'tracking page for the shopper')

function carriageOf({ carrier, tracking: trackingNumber, trackingUrl }: CarriageOptions) {
  return { ...(carrier && { carrier }), ...(trackingNumber && { trackingNumber }), ...(trackingUrl && { trackingUrl }) }
}

function addShip({ program, command, operator, out }: CommandLine): void {
  const order = program.commands.find((each) => each.name() === 'order') as Command
  carriage(command(order, 'ship <order>', 'ship an order or part of it'))
    .option('--line <line=units>', 'units of a line; repeatable; everything that is left by default', collect)
    .option('--store <slug>', 'store that ships, if there are several')
    .option(
      '--reference <name>',
      'your reference for the parcel, the tracking number by default; used again, nothing is shipped',
    )
    .action(async (name: string, options: ShipOptions) => {
      const lines = options.line?.map(unitsOf)
      const reference = options.reference ?? options.tracking ?? randomUUID()
      const { fulfilments } = await operator(async (client) => {
        const orderId = await orderIdOf(client, name)
        const storeId = options.store && (await storeIdOf(client, options.store))
        const body = { reference, ...carriageOf(options), ...(storeId && { storeId }), ...(lines && { lines }) }
        return client.call('shipOrder', { params: { orderId }, body })
      })
      const parcel = fulfilments.find((each) => each.reference === reference) as Fulfillment
      const units = parcel.units === 1 ? '1 unit was' : `${parcel.units} units were`
      out.result(parcelOf(parcel), [parcel.id, '', `${units} shipped.`])
    })
}

async function storeIdOf(client: OperatorClient, storeSlug: string): Promise<string> {
  return (await client.call('getStore', { params: { storeSlug } })).id
}

/** `oli_…=2` */
function unitsOf(text: string): { readonly lineId: string; readonly quantity: number } {
  const [, lineId, units] = /^(\w+)=(\d{1,3})$/.exec(text) ?? []
  if (lineId !== undefined) return { lineId, quantity: Number(units) }
  throw new UsageError(`--line is the id of a line and its units, such as oli_…=2, not "${text}".`)
}

function parcelOf({ id, orderId, status, lines, ...parcel }: Fulfillment) {
  const { reference = null, carrier = null, trackingNumber = null, trackingUrl = null, note = null } = parcel
  return { id, orderId, status, reference, carrier, trackingNumber, trackingUrl, note, lines }
}

function addParcels({ command, group, operator, out }: CommandLine): void {
  const fulfillment = group('fulfillment', 'open fulfillments and parcels').alias('fulfilment')
  command(fulfillment, 'list', 'list fulfillments, oldest first')
    .option('--status <status>', STATUSES.join(', '), oneOf('--status', STATUSES), 'pending')
    .option('--limit <number>', 'number of fulfillments', limit, 50)
    .action(async ({ status, limit: count }: { status: Status; limit: number }) => {
      const found = await operator((client) => client.list('listFulfillments', { status }, count))
      const rows = found.map(({ id, orderId, orderNumber, store, method, lines, waitingFor, note }) => {
        const units = lines.map(({ lineId, quantity }) => `${lineId}=${quantity}`).join(' ')
        return [id, orderId, orderNumber, store.slug, method, units, waitingFor ? `keys: ${waitingFor}` : (note ?? '')]
      })
      const heads = ['ID', 'ORDER', 'NUMBER', 'STORE', 'METHOD', 'LINES', 'WHY']
      out.table(found.map(listed), heads, rows, EMPTY[status])
    })

  const change = async (sentence: string, work: (client: OperatorClient) => Promise<Fulfillment>) => {
    const parcel = await operator(work)
    out.result(parcelOf(parcel), [parcel.id, '', sentence])
  }
  command(fulfillment, 'deliver <id>', 'mark a parcel as delivered').action((fulfillmentId: string) =>
    change('The parcel is delivered.', (client) => client.call('markParcelDelivered', { params: { fulfillmentId } })),
  )
  command(fulfillment, 'fail <id>', 'mark a parcel as failed; it can be sent again')
    .requiredOption('--reason <text>', 'reason')
    .action((fulfillmentId: string, { reason }: { reason: string }) =>
      change('The parcel has failed.', (client) =>
        client.call('markParcelFailed', { params: { fulfillmentId }, body: { reason } }),
      ),
    )
  command(fulfillment, 'lose <id>', 'mark a parcel as lost')
    .requiredOption('--reason <text>', 'what is known')
    .action((fulfillmentId: string, { reason }: { reason: string }) =>
      change('The parcel is lost.', (client) =>
        client.call('markParcelLost', { params: { fulfillmentId }, body: { reason } }),
      ),
    )
  carriage(command(fulfillment, 'resend <id>', 'resend a parcel that failed')).action(
    (fulfillmentId: string, options: CarriageOptions) =>
      change('The parcel is on its way again.', (client) =>
        client.call('sendParcelAgain', { params: { fulfillmentId }, body: carriageOf(options) }),
      ),
  )
  carriage(command(fulfillment, 'correct <id>', 'correct the carrier or tracking number')).action(
    (fulfillmentId: string, options: CarriageOptions) =>
      change('The parcel is corrected.', (client) =>
        client.call('correctParcel', { params: { fulfillmentId }, body: carriageOf(options) }),
      ),
  )
}

/** A fulfillment in `fulfillment list --json`. */
function listed({ store, units: _, allowed: _allowed, ...each }: Fulfillment) {
  const { reference, carrier = null, trackingNumber = null, trackingUrl = null, ...rest } = each
  const shipment = reference !== undefined && { shipment: { reference, carrier, trackingNumber, trackingUrl } }
  return { ...rest, storeId: store.id, store: store.slug, ...shipment }
}

function addLicenses({ command, group, operator, out }: CommandLine): void {
  const license = group('license', 'license keys').alias('licence')
  command(license, 'import <file>', 'add the license keys of a file to the pool of a SKU, one per line')
    .requiredOption('--sku <id>', 'SKU, which is delivered by email from now on')
    .option('--environment <environment>', 'test or live', environment, 'test')
    .action(async (file: string, options: { sku: string; environment: 'test' | 'live' }) => {
      const input = { params: { skuId: options.sku }, query: { environment: options.environment } }
      const report = await withProgress(file, out, (progress, bytes) =>
        operator((client) => client.upload('importLicenseKeys', file, input, (sent) => progress.update(sent, bytes))),
      )
      reportOf(report, ['created', 'unchanged'], out)
    })
  command(license, 'list', 'list the pools of license keys').action(async () => {
    const { items } = await operator((client) => client.call('listLicensePools'))
    const rows = items.map((pool) => [pool.skuId, pool.environment, `${pool.free}`, `${pool.given}`, `${pool.owed}`])
    const none = 'There is no pool yet: vitrine license import FILE --sku ID'
    out.table(items, ['SKU', 'ENVIRONMENT', 'FREE', 'GIVEN', 'OWED'], rows, none)
  })
}
