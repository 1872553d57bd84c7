import { refundOnlyMachine, returningMachine } from '../../server/src/features/after-sales/after-sales.ts'
import { cancellationMachine } from '../../server/src/features/cancellations/cancellation.ts'
import { cartMachine } from '../../server/src/features/carts/cart.ts'
import { sessionMachine } from '../../server/src/features/checkout/session.ts'
import { fulfillmentMachine } from '../../server/src/features/fulfillment/fulfillment.ts'
import { loginMachine } from '../../server/src/features/hosted-login/login.ts'
import { orderMachine } from '../../server/src/features/orders/order/machine.ts'
import { intentMachine } from '../../server/src/features/payments/intents/intent.ts'
import { deliveryMachine } from '../../server/src/features/webhooks/deliveries/delivery.ts'
import { anchorOf, type Html, html } from './html.ts'
import type { Page, Section } from './page.ts'

/** A state machine of the server, drawn from the literal that the server runs on. */
interface Drawn {
  readonly initial: string
  readonly finals: readonly string[]
  readonly states: readonly string[]
  readonly transitions: Readonly<Record<string, Readonly<Record<string, string>>>>
}

const MACHINES: readonly (readonly [title: string, about: string, machine: unknown])[] = [
  ['Cart', 'A cart is locked while a checkout session is open for it.', cartMachine],
  [
    'Checkout session',
    'A session whose payment has an unknown outcome is neither canceled nor expired.',
    sessionMachine,
  ],
  [
    'Payment',
    'A payment whose outcome is unknown is looked up until it is known. It is never sent twice.',
    intentMachine,
  ],
  ['Order', 'Payment and fulfillment have separate statuses, which follow from amounts and units.', orderMachine],
  ['Cancellation', 'A request to cancel units that have not shipped.', cancellationMachine],
  ['Refund without a return', 'An after-sales request of the kind refund_only.', refundOnlyMachine],
  ['Return, exchange and repair', 'After-sales requests about goods that come back.', returningMachine],
  ['Fulfillment', 'What is delivered without a parcel, such as a license key.', fulfillmentMachine],
  ['Hosted login', 'A sign-in of a shopper for an installation.', loginMachine],
  ['Webhook delivery', 'One event to one endpoint.', deliveryMachine],
]

/** All state machines as pictures, each with its transitions as a table. */
export function statesPage(): Page {
  const about =
    'The states of carts, payments, orders and other objects, drawn from the state machines that the server runs.'
  const parts = MACHINES.map(([title, text, machine]) => ({
    title,
    text,
    id: anchorOf(title),
    machine: machine as Drawn,
  }))
  const body = html`<h1 id="states">States</h1><p class="lead">${about}</p>
<p>A command that the current state does not allow is refused with 409. The refusal has the state and the commands that it allows.</p>
${parts.map(
  ({
    title,
    text,
    id,
    machine,
  }) => html`<section><h2 id="${id}">${title}<a class="anchor" href="#${id}" aria-label="Link to this section">#</a></h2><p>${text}</p>
<div class="picture" tabindex="0" role="group" aria-label="Picture: ${title}">${picture(machine, title)}</div>
<details><summary>As a table</summary>${table(machine)}</details></section>`,
)}`
  const sections: Section[] = [
    { depth: 1, id: 'states', title: 'States', text: about },
    ...parts.map(({ title, text, id, machine }) => ({
      depth: 2,
      id,
      title,
      text: `${text} ${machine.states.join(' ')}`,
    })),
  ]
  const lines = parts.flatMap(({ title, machine }) => [
    `## ${title}`,
    '',
    ...edgesOf(machine).map(([from, by, to]) => `- ${from} → ${to} (${by})`),
    '',
  ])
  return {
    path: 'reference/states.html',
    title: 'States',
    description: about,
    body,
    sections,
    markdown: ['# States', '', ...lines].join('\n'),
  }
}

type Edge = readonly [from: string, by: string, to: string]

/** The transitions as edges. Several commands between the same two states are one edge. */
function edgesOf({ transitions }: Drawn): Edge[] {
  const all = Object.entries(transitions).flatMap(([from, commands]) =>
    Object.entries(commands).map(([by, to]): Edge => [from, by, to]),
  )
  return [...Map.groupBy(all, ([from, , to]) => `${from} ${to}`).values()].map((same) => [
    same[0]![0],
    same.map(([, by]) => by).join(', '),
    same[0]![2],
  ])
}

function table(machine: Drawn): Html {
  return html`<div class="table"><table><thead><tr><th>State</th><th>Command</th><th>Next state</th></tr></thead><tbody>${edgesOf(
    machine,
  ).map(
    ([from, by, to]) => html`<tr><td><code>${from}</code></td><td>${by}</td><td><code>${to}</code></td></tr>`,
  )}</tbody></table></div>`
}

const BOX = { width: 132, height: 34 }
const GAP = { x: 150, y: 50 }
const LETTER = 6.2
const MARGIN = 60

/** Columns by the distance from the initial state, so that later states are to the right of earlier ones. */
function columnsOf({ initial, states, transitions }: Drawn): string[][] {
  const rank = new Map([[initial, 0]])
  for (const [state, column] of rank) {
    for (const to of Object.values(transitions[state] ?? {})) if (!rank.has(to)) rank.set(to, column + 1)
  }
  return [...Map.groupBy(states, (state) => rank.get(state) ?? 0)].sort(([a], [b]) => a - b).map(([, column]) => column)
}

interface Spot {
  readonly x: number
  readonly y: number
}

/** The area that a label or a box takes. */
interface Area extends Spot {
  readonly width: number
  readonly height: number
}

const areTouching = (one: Area, other: Area) =>
  Math.abs(one.x + one.width / 2 - other.x - other.width / 2) < (one.width + other.width) / 2 + 2 &&
  Math.abs(one.y + one.height / 2 - other.y - other.height / 2) < (one.height + other.height) / 2 + 1

function spotsOf(machine: Drawn) {
  const columns = columnsOf(machine)
  const tallest = Math.max(...columns.map(({ length }) => length))
  const spots = new Map<string, Spot>()
  for (const [column, names] of columns.entries()) {
    const start = MARGIN + ((tallest - names.length) * (BOX.height + GAP.y)) / 2
    for (const [row, name] of names.entries()) {
      spots.set(name, { x: column * (BOX.width + GAP.x) + 4, y: start + row * (BOX.height + GAP.y) })
    }
  }
  const width = columns.length * (BOX.width + GAP.x) - GAP.x / 2
  return { spots, width, height: tallest * (BOX.height + GAP.y) - GAP.y + 2 * MARGIN }
}

/** A machine as a picture. Transitions to the same state are only in the table. */
function picture(machine: Drawn, title: string): Html {
  const { spots, width, height } = spotsOf(machine)
  const id = anchorOf(title)
  const edges = edgesOf(machine).filter(([from, , to]) => from !== to)
  const taken: Area[] = [...spots.values()].map((spot) => ({ ...spot, ...BOX }))
  const directions = new Set<string>()
  const drawn = edges.map(([from, by, to]) => {
    const isBack = directions.has(`${to} ${from}`)
    directions.add(`${from} ${to}`)
    const curve = curveOf(spots.get(from)!, spots.get(to)!, isBack)
    const label = labelOf(curve, by, taken)
    taken.push(label)
    return { curve, by, label }
  })
  const arrows = drawn.map(({ curve: [a, b, c, d] }) => {
    return html`<path d="M${a.x} ${a.y}C${b.x} ${b.y} ${c.x} ${c.y} ${d.x} ${d.y}" marker-end="url(#arrow-${id})" />`
  })
  const labels = drawn.map(({ by, label: { x, y, width: wide, height: tall } }) => {
    return html`<rect x="${x}" y="${y}" width="${wide}" height="${tall}" rx="4" /><text x="${x + wide / 2}" y="${y + 12}">${by}</text>`
  })
  const text = edges.map(([from, by, to]) => `${from} to ${to} by ${by}`).join('; ')
  return html`<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="picture-${id}"><title id="picture-${id}">${title}: ${text}</title><defs><marker id="arrow-${id}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z" /></marker></defs><g class="edge">${arrows}${labels}</g>${[...spots].map(([name, spot]) => box(name, spot, machine))}</svg>`
}

function box(name: string, { x, y }: Spot, { initial, finals }: Drawn): Html {
  const kind = name === initial ? 'initial' : finals.includes(name) ? 'final' : 'between'
  return html`<g class="state ${kind}"><rect x="${x}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="8" /><text x="${x + BOX.width / 2}" y="${y + BOX.height / 2 + 4}">${name}</text></g>`
}

type Curve = readonly [start: Spot, leaving: Spot, arriving: Spot, end: Spot]

/** A straight line to the right; an arc to the left, within a column, or over other columns. */
function curveOf(from: Spot, to: Spot, isBack: boolean): Curve {
  const half = BOX.height / 2
  if (to.x === from.x) {
    const start = { x: from.x + BOX.width, y: from.y + half }
    const end = { x: to.x + BOX.width, y: to.y + half }
    return [start, { x: start.x + 56, y: start.y }, { x: end.x + 56, y: end.y }, end]
  }
  const isForward = to.x > from.x
  const start = { x: isForward ? from.x + BOX.width : from.x, y: from.y + half }
  const end = { x: isForward ? to.x : to.x + BOX.width, y: to.y + half }
  const distance = Math.abs(end.x - start.x)
  const reach = (isForward ? 1 : -1) * Math.max(40, distance / 2.4)
  const over = distance > GAP.x + 1 ? BOX.height + GAP.y * 0.7 : 0
  const lift = isForward ? -over : over || (isBack ? 34 : 20)
  return [start, { x: start.x + reach, y: start.y + lift }, { x: end.x - reach, y: end.y + lift }, end]
}

/** Positions along a curve, the middle first. */
const PLACES = [0.5, 0.42, 0.58, 0.35, 0.65, 0.28, 0.72, 0.22, 0.78]

/** The area of a command's label: the first free position along its arrow. */
function labelOf([a, b, c, d]: Curve, by: string, taken: readonly Area[]): Area {
  const width = by.length * LETTER + 8
  const at = (t: number): Area => {
    const along = (axis: 'x' | 'y') =>
      a[axis] * (1 - t) ** 3 + 3 * b[axis] * t * (1 - t) ** 2 + 3 * c[axis] * t ** 2 * (1 - t) + d[axis] * t ** 3
    return { x: along('x') - width / 2, y: along('y') - 9, width, height: 17 }
  }
  const areas = PLACES.map(at)
  return areas.find((area) => !taken.some((each) => areTouching(area, each))) ?? at(0.5)
}
