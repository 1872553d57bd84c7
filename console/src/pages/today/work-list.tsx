import type { OperatorWork } from '@vitrine/contract/operator'
import type { WorkCount } from '../../page.ts'
import { Link } from '../../router.tsx'
import { formatNumber } from '../../ui/format/values.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'

/** A kind of work: its words for one and for many, and where it is done. */
interface Task {
  readonly count: WorkCount
  readonly icon: IconName
  readonly to: string
  readonly one: string
  readonly many: string
}

/** What concerns money or a person who waits comes first. */
const TASKS: readonly Task[] = [
  {
    count: 'paymentsUnknown',
    icon: 'payments',
    to: '/payments',
    one: 'payment with an unknown outcome',
    many: 'payments with an unknown outcome',
  },
  {
    count: 'paymentsWaiting',
    icon: 'payments',
    to: '/payments?view=waiting',
    one: 'payment to confirm',
    many: 'payments to confirm',
  },
  { count: 'toShip', icon: 'orders', to: '/fulfillment', one: 'shipment to send', many: 'shipments to send' },
  {
    count: 'parcels',
    icon: 'orders',
    to: '/fulfillment?status=failed',
    one: 'parcel failed or lost',
    many: 'parcels failed or lost',
  },
  {
    count: 'cancellations',
    icon: 'returns',
    to: '/cancellations',
    one: 'cancellation to decide',
    many: 'cancellations to decide',
  },
  { count: 'returns', icon: 'returns', to: '/returns', one: 'return to handle', many: 'returns to handle' },
  { count: 'lowStock', icon: 'stock', to: '#low-stock', one: 'SKU low or sold out', many: 'SKUs low or sold out' },
  { count: 'imports', icon: 'import', to: '/imports', one: 'import with faults', many: 'imports with faults' },
]

/** What waits, each with a link to where it is done. */
export function WorkList({ work }: { readonly work: OperatorWork }) {
  const tasks = TASKS.filter(({ count }) => work[count] > 0)
  if (tasks.length === 0) {
    return (
      <p class="calm">
        <Icon name="check" />
        Nothing is waiting for you.
      </p>
    )
  }
  return (
    <ul class="work">
      {tasks.map((task) => (
        <li key={task.count}>
          <TaskLink to={task.to}>
            <Icon name={task.icon} />
            <span>
              <strong>{formatNumber(work[task.count])}</strong> {work[task.count] === 1 ? task.one : task.many}
            </span>
            <Icon name="chevron" />
          </TaskLink>
        </li>
      ))}
    </ul>
  )
}

/** A page, or a place on this one. */
function TaskLink({ to, children }: { readonly to: string; readonly children: preact.ComponentChildren }) {
  return to.startsWith('#') ? <a href={to}>{children}</a> : <Link to={to}>{children}</Link>
}
