import { Link } from '../router.tsx'

interface OrderLinkProps {
  /** Not set: there is no order, which a list shows as a dash. */
  readonly order?: { readonly id: string; readonly number: string }
}

/** A link to an order, with its number on one line. */
export function OrderLink({ order }: OrderLinkProps) {
  if (!order) return '–'
  return (
    <Link to={`/orders/${order.id}`} class="order-number">
      {order.number}
    </Link>
  )
}
