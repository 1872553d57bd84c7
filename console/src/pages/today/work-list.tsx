import type { OperatorWork } from '@vitrine/contract/operator'
import { translate, translateCount } from '../../language.ts'
import type { WorkCount } from '../../page.ts'
import { Link } from '../../router.tsx'
import { formatNumber } from '../../ui/format/values.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { shownCount } from '../../work.ts'

/** A kind of task: its text, and the page to do it. */
interface Task {
  readonly count: WorkCount
  readonly icon: IconName
  readonly to: string
  readonly text: (count: number) => string
}

/** Tasks that concern money or a waiting customer come first. */
const TASKS: readonly Task[] = [
  {
    count: 'disputes',
    icon: 'payments',
    to: '/disputes',
    text: (count) =>
      translateCount(count, { one: '{count} dispute to respond to', other: '{count} disputes to respond to' }),
  },
  {
    count: 'paymentsUnknown',
    icon: 'payments',
    to: '/payments?view=unknown',
    text: (count) =>
      translateCount(count, {
        one: '{count} payment with an unknown outcome',
        other: '{count} payments with an unknown outcome',
      }),
  },
  {
    count: 'paymentsWaiting',
    icon: 'payments',
    to: '/payments?view=waiting',
    text: (count) => translateCount(count, { one: '{count} payment to confirm', other: '{count} payments to confirm' }),
  },
  {
    count: 'refunds',
    icon: 'payments',
    to: '/orders?refunds=failed',
    text: (count) => translateCount(count, { one: '{count} refund that failed', other: '{count} refunds that failed' }),
  },
  {
    count: 'toShip',
    icon: 'orders',
    to: '/fulfillment',
    text: (count) => translateCount(count, { one: '{count} shipment to send', other: '{count} shipments to send' }),
  },
  {
    count: 'parcels',
    icon: 'orders',
    to: '/fulfillment?status=failed',
    text: (count) =>
      translateCount(count, { one: '{count} parcel failed or lost', other: '{count} parcels failed or lost' }),
  },
  {
    count: 'cancellations',
    icon: 'returns',
    to: '/cancellations',
    text: (count) =>
      translateCount(count, { one: '{count} cancellation to decide', other: '{count} cancellations to decide' }),
  },
  {
    count: 'returns',
    icon: 'returns',
    to: '/returns',
    text: (count) => translateCount(count, { one: '{count} return to handle', other: '{count} returns to handle' }),
  },
  {
    count: 'lowStock',
    icon: 'stock',
    to: '#low-stock',
    text: (count) =>
      translateCount(count, { one: '{count} SKU low or sold out', other: '{count} SKUs low or sold out' }),
  },
  {
    count: 'imports',
    icon: 'import',
    to: '/imports',
    text: (count) => translateCount(count, { one: '{count} import with errors', other: '{count} imports with errors' }),
  },
]

/** The text of a task, with its number as in the menu. */
function textOf({ text }: Task, count: number): string {
  return text(count).replace(formatNumber(count), shownCount(count))
}

/** The open tasks, each with a link to its page. */
export function WorkList({ work }: { readonly work: OperatorWork }) {
  const tasks = TASKS.filter(({ count }) => work[count] > 0)
  if (tasks.length === 0) {
    return (
      <p class="calm">
        <Icon name="check" />
        {translate('Nothing is waiting for you.')}
      </p>
    )
  }
  return (
    <ul class="work">
      {tasks.map((task) => (
        <li key={task.count}>
          <TaskLink to={task.to}>
            <Icon name={task.icon} />
            <span>{textOf(task, work[task.count])}</span>
            <Icon name="chevron" />
          </TaskLink>
        </li>
      ))}
    </ul>
  )
}

/** A link to a page, or to an anchor on this one. */
function TaskLink({ to, children }: { readonly to: string; readonly children: preact.ComponentChildren }) {
  return to.startsWith('#') ? <a href={to}>{children}</a> : <Link to={to}>{children}</Link>
}
