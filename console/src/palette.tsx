import type { OperatorFindings, OperatorSession } from '@vitrine/contract/operator'
import { useContext, useEffect, useState } from 'preact/hooks'
import { call } from './api.ts'
import { useEnvironment } from './environment.ts'
import { translate } from './language.ts'
import { Access, isOpen, SECTIONS } from './page.ts'
import { navigate } from './router.tsx'
import { routes } from './routes.ts'
import { Dialog } from './ui/dialog.tsx'
import { sentenceCase } from './ui/format/text.ts'
import { formatAmount } from './ui/format/values.tsx'
import { useCall } from './ui/hooks/use-call.ts'
import { Icon, type IconName } from './ui/icon.tsx'

/** A record or a page that was found. */
interface Hit {
  readonly group: string
  readonly icon: IconName
  readonly to: string
  readonly text: string
  readonly detail: string
}

const TYPING_MS = 150
/** Pages shown while a text also finds records. */
const PAGES_SHOWN = 6

/** Finds orders, customers, products and pages by typing a part of them. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const environment = useEnvironment()
  const session = useContext(Access)
  const [typed, setTyped] = useState('')
  const [selected, setSelected] = useState(0)
  const q = useDelayed(typed.trim())
  const { data, error, loading } = useCall(`${environment} ${q}`, async () => ({
    searched: q,
    records: q === '' ? null : await call('findRecords', { query: { q, environment } }),
  }))
  const { searched, records } = data ?? {}
  const hits = [...(q !== '' && records ? recordsIn(records) : []), ...pagesNamed(typed, session)]
  // Enter right after typing or pasting opens what is found for this text, not what was found for the text before.
  const [isAwaited, setAwaited] = useState(false)
  const isFound = searched === typed.trim() || (Boolean(error) && !loading && q === typed.trim())
  useEffect(() => {
    if (!isAwaited || !isFound) return
    setAwaited(false)
    open(hits[selected])
  }, [isAwaited, isFound])

  function open(hit: Hit | undefined): void {
    if (hit === undefined) return
    onClose()
    navigate(hit.to)
  }

  function onKey(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setSelected((selected + step + hits.length) % Math.max(1, hits.length))
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      setAwaited(true)
    }
  }

  return (
    <Dialog title={translate('Search')} class="finding" onClose={onClose}>
      <input
        type="search"
        aria-label={translate('Orders, customers, products, pages')}
        placeholder={translate('Order number, email, name, product, SKU or page')}
        aria-controls="palette-list"
        aria-activedescendant={hits[selected] ? `palette-${selected}` : ''}
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value)
          setSelected(0)
          setAwaited(false)
        }}
        onKeyDown={onKey}
      />
      {hits.length > 0 && <Hits hits={hits} selected={selected} open={open} />}
      <p class="hidden" role="status">
        {q !== '' && !loading && translate('{count} found', { count: hits.length })}
      </p>
      {hits.length === 0 && !loading && (
        <p class="small">
          {translate(
            'Nothing begins with “{typed}”. Orders are found by number, email or recipient, customers by name or email, products by name or SKU.',
            { typed: typed.trim() },
          )}
        </p>
      )}
      {error ? <p class="error">{translate('The search failed. Pages are still found.')}</p> : null}
    </Dialog>
  )
}

interface HitsProps {
  readonly hits: readonly Hit[]
  readonly selected: number
  readonly open: (hit: Hit) => void
}

function Hits({ hits, selected, open }: HitsProps) {
  useEffect(() => document.getElementById(`palette-${selected}`)?.scrollIntoView({ block: 'nearest' }), [selected])
  return (
    <div id="palette-list" role="listbox" aria-label={translate('Results')} class="palette">
      {[...Map.groupBy(hits, ({ group }) => group)].map(([group, members]) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options has no element of its own.
        <div key={group} role="group" aria-label={group}>
          <p class="group" aria-hidden="true">
            {group}
          </p>
          {members.map((hit) => {
            const index = hits.indexOf(hit)
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and the keys.
              <div
                key={hit.to}
                id={`palette-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === selected}
                onClick={() => open(hit)}
              >
                <Icon name={hit.icon} />
                <span>{hit.text}</span>
                <span class="small">{hit.detail}</span>
              </div>
            )
          })}
        </div>
      ))}
    </div>
  )
}

/** The value once it has not changed for `TYPING_MS`. */
function useDelayed(value: string): string {
  const [delayed, setDelayed] = useState(value)
  useEffect(() => {
    const waiting = setTimeout(() => setDelayed(value), TYPING_MS)
    return () => clearTimeout(waiting)
  }, [value])
  return delayed
}

function recordsIn({ orders, customers, products }: OperatorFindings): Hit[] {
  return [
    ...orders.map(({ id, number, email, status, total }): Hit => {
      const detail = `${sentenceCase(status)} · ${formatAmount(total)}`
      return { group: translate('Orders'), icon: 'orders', to: `/orders/${id}`, text: `${number} · ${email}`, detail }
    }),
    ...customers.map(({ id, name, emailMasked }): Hit => {
      const detail = name ? emailMasked : ''
      return {
        group: translate('Customers'),
        icon: 'customers',
        to: `/customers/${id}`,
        text: name ?? emailMasked,
        detail,
      }
    }),
    ...products.map(({ id, name, code, status }): Hit => {
      const detail = [code, status === 'published' ? null : sentenceCase(status)].filter(Boolean).join(' · ')
      return { group: translate('Products'), icon: 'products', to: `/products/${id}`, text: name, detail }
    }),
  ]
}

function pagesNamed(typed: string, session: OperatorSession | null): Hit[] {
  const query = typed.trim().toLowerCase()
  const hits = SECTIONS.flatMap(({ name, title, icon }) =>
    routes
      .filter((page) => page.menu === name && isOpen(page, session))
      .map(
        (page): Hit => ({
          group: translate('Pages'),
          icon,
          to: page.path,
          text: page.title,
          detail: title === page.title ? '' : title,
        }),
      ),
  )
  const found = hits.filter(({ text }) => text.toLowerCase().includes(query))
  // Titles that begin with the query come first.
  const sorted = found.toSorted(
    (one, other) =>
      Number(other.text.toLowerCase().startsWith(query)) - Number(one.text.toLowerCase().startsWith(query)),
  )
  return query === '' ? hits : sorted.slice(0, PAGES_SHOWN)
}
