import type { OperatorAfterSales } from '@vitrine/contract/operator'
import { useEffect, useId, useRef } from 'preact/hooks'
import { call } from '../../api.ts'
import { useEnvironment } from '../../environment.ts'
import { translate, translateCount, translateElements } from '../../language.ts'
import { Link } from '../../router.tsx'
import { sentenceCase } from '../../ui/format/text.ts'
import { DateTime, formatAmount, Status } from '../../ui/format/values.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { Loading } from '../../ui/loading.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast.tsx'
import { RequestActions, type RequestActionsProps } from './request-actions.tsx'
import './returns.css'

type AfterSalesStatus = OperatorAfterSales['request']['status']

/** The columns, in the order of a request's lifecycle. Requests with any other status have ended. */
const COLUMNS: readonly { readonly title: string; readonly statuses: readonly AfterSalesStatus[] }[] = [
  { title: translate('Requested'), statuses: ['requested', 'under_review'] },
  { title: translate('Waiting for items'), statuses: ['awaiting_return', 'in_transit'] },
  { title: translate('To inspect and resolve'), statuses: ['approved', 'received', 'inspecting'] },
  { title: translate('Being settled'), statuses: ['resolving'] },
]
const OPEN_MAX = 100
const ENDED_SHOWN = 15

/** Requests in columns by their next step. Each card has the decisions that are possible now. Arrow keys move between the cards. */
export function ReturnsBoard() {
  const environment = useEnvironment()
  const { data, error, loading, reload } = useCall(`${environment} board`, () => {
    return Promise.all([
      call('listAfterSales', { query: { environment, limit: OPEN_MAX } }),
      call('listAfterSales', { query: { environment, limit: ENDED_SHOWN, closed: true } }),
    ])
  })
  // A decision moves its card to another column, and the focus goes with it.
  const moved = useRef<string | null>(null)
  useEffect(() => {
    if (moved.current !== null) document.getElementById(moved.current)?.querySelector('a')?.focus()
    moved.current = null
  }, [data])
  if (!data) return error ? <ErrorNotice error={error} retry={reload} /> : <Loading />
  const [open, ended] = data
  const columns = [
    ...COLUMNS.map(({ title, statuses }) => {
      return { title, items: open.items.filter(({ request }) => statuses.includes(request.status)) }
    }),
    { title: translate('Ended'), items: ended.items },
  ]
  const decided = ({ request, orderNumber }: OperatorAfterSales) => {
    moved.current = request.id
    toast(translate('Saved: {kind} for {orderNumber}', { kind: sentenceCase(request.kind), orderNumber }))
    reload()
  }
  return (
    <>
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      {open.nextCursor && (
        <p>
          {translateElements('The board shows the {max} requests that have waited longest. {link}', {
            max: OPEN_MAX,
            link: <Link to="/returns?view=list">{translate('See all')}</Link>,
          })}
        </p>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys are a shortcut; Tab reaches everything. */}
      <div class="board" aria-busy={loading} onKeyDown={moveByArrows}>
        {columns.map(({ title, items }) => (
          <BoardColumn key={title} title={title} items={items} onDecided={decided} />
        ))}
      </div>
    </>
  )
}

interface ColumnProps {
  readonly title: string
  readonly items: readonly OperatorAfterSales[]
  readonly onDecided: (decided: OperatorAfterSales) => void
}

function BoardColumn({ title, items, onDecided }: ColumnProps) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>
        {title} <span class="count">{items.length}</span>
      </h2>
      {items.length === 0 ? (
        <p class="small">{translate('None')}</p>
      ) : (
        <ul>
          {items.map((item) => (
            <li key={item.request.id} id={item.request.id}>
              <Card afterSales={item} onDone={() => onDecided(item)} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Card({ afterSales, onDone }: Omit<RequestActionsProps, 'isBrief'>) {
  const { request, orderNumber, refunded } = afterSales
  const { deadlines, lines, kind } = request
  const units = lines.reduce((sum, { quantity }) => sum + quantity, 0)
  const due = deadlines.decideBy ?? (request.status === 'awaiting_return' ? deadlines.returnBy : undefined)
  const isRefund = kind === 'return' || kind === 'refund_only' || (refunded?.amount ?? 0) > 0
  const money = isRefund ? formatAmount(refunded ?? request.refundEstimate) : null
  return (
    <article>
      <h3>
        <Link to={`/returns/${request.id}`}>{orderNumber}</Link>
        <Status value={request.status} />
      </h3>
      <p>
        {sentenceCase(kind)}: {sentenceCase(request.reasonCode)}
      </p>
      <p class="small">
        {[translateCount(units, { one: '{count} item', other: '{count} items' }), money].filter(Boolean).join(' · ')}
      </p>
      {due && <p class="small">{translateElements('Due {time}', { time: <DateTime at={due} /> })}</p>}
      {afterSales.allowed.length > 0 && (
        <div class="actions">
          <RequestActions afterSales={afterSales} onDone={onDone} isBrief />
        </div>
      )}
    </article>
  )
}

const STEPS: Readonly<Record<string, readonly [column: number, card: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** Moves the focus from card to card. Empty columns are skipped. */
function moveByArrows(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const step = STEPS[event.key]
  const target = event.target as HTMLElement
  if (!step || target.closest('dialog')) return
  const columns = [...event.currentTarget.querySelectorAll('section')]
    .map((section) => [...section.querySelectorAll<HTMLElement>('h3 a')])
    .filter((links) => links.length > 0)
  const from = target.closest('article')?.querySelector<HTMLElement>('h3 a')
  const column = columns.findIndex((links) => links.some((link) => link === from))
  if (column < 0 || !from) return
  const next = columns[column + step[0]] ?? []
  const card = (columns[column] ?? []).indexOf(from) + step[1]
  const link = next[Math.min(card, step[0] === 0 ? card : next.length - 1)]
  if (!link) return
  event.preventDefault()
  link.focus()
}
