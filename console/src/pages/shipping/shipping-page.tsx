import type { OperatorStore } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { textOf } from '../../ui/form/localized-text.tsx'
import { Amount } from '../../ui/format/values.tsx'
import { useAct } from '../../ui/hooks/use-action.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { Empty, ErrorNotice } from '../../ui/notice.tsx'
import { Section } from '../../ui/page.tsx'
import { StorePageFrame } from '../../ui/per-store-page.tsx'
import { MethodForm, ZoneForm } from './shipping-forms.tsx'
import { type Method, placesInWords, type Zone } from './shipping-rates.ts'

/** How each store ships, where to, and what it costs. */
export function ShippingPage() {
  return (
    <StorePageFrame
      title="Shipping"
      lead="Zones are places that are shipped to in the same ways. The closest zone of an address counts: region, country, the rest of the world."
    >
      {(store) => <ShippingTable key={store.slug} store={store} />}
    </StorePageFrame>
  )
}

/** What is open: a zone, or one of its ways to ship. One behind the last is new. */
interface Open {
  readonly zone: number
  readonly method: number | null
}

function ShippingTable({ store }: { readonly store: OperatorStore }) {
  const params = { storeSlug: store.slug }
  const { answer, error, reload } = useCall(store.slug, () => call('getShippingZones', { params }))
  const { act, busy, failed } = useAct(reload)
  const [open, setOpen] = useState<Open | null>(null)
  if (!answer) return error ? <ErrorNotice error={error} retry={reload} /> : <p class="lead">Loading …</p>
  const { zones, version } = answer
  const save = (changed: readonly Zone[]) =>
    call('saveShippingZones', { params, body: { zones: [...changed], expectedVersion: version } })
  const close = () => setOpen(null)
  async function keep(zone: Zone, at: number): Promise<void> {
    await save(zones.toSpliced(at, 1, zone))
    close()
    reload()
  }
  const remove = (question: string, changed: readonly Zone[]) => {
    if (confirm(question)) void act(() => save(changed))
  }
  const add = (
    <button
      type="button"
      class={zones.length === 0 ? 'primary' : ''}
      onClick={() => setOpen({ zone: zones.length, method: null })}
    >
      Add a zone
    </button>
  )
  const opened = open && zones[open.zone]
  return (
    <>
      {failed ? <ErrorNotice error={failed} /> : null}
      {zones.length === 0 && (
        <Empty
          title={`${store.name} ships nowhere yet`}
          hint="Add a zone, then how it is shipped there and what that costs."
        >
          {add}
        </Empty>
      )}
      {zones.map((zone, at) => (
        <ZoneSection
          key={zone.id}
          zone={zone}
          locales={store.locales}
          busy={busy}
          onChange={() => setOpen({ zone: at, method: null })}
          onRemove={() => remove(`Remove ${zone.name} with all its ways to ship?`, zones.toSpliced(at, 1))}
          onMethod={(method) => setOpen({ zone: at, method })}
          onRemoveMethod={(method) => {
            const methods = zone.methods.toSpliced(method, 1)
            remove('Remove this way to ship?', zones.toSpliced(at, 1, { ...zone, methods }))
          }}
        />
      ))}
      {zones.length > 0 && <div class="actions">{add}</div>}
      {open?.method === null && (
        <Dialog title={opened ? 'Change the zone' : 'Add a zone'} onClose={close}>
          <ZoneForm
            store={store}
            zone={opened ?? undefined}
            at={open.zone}
            onClose={close}
            onSave={(zone) => keep(zone, open.zone)}
          />
        </Dialog>
      )}
      {open && open.method !== null && opened && (
        <Dialog title={opened.methods[open.method] ? 'Change the way to ship' : 'Add a way to ship'} onClose={close}>
          <MethodForm
            store={store}
            method={opened.methods[open.method]}
            pointer={`/zones/${open.zone}/methods/${open.method}`}
            onClose={close}
            onSave={(method) =>
              keep({ ...opened, methods: opened.methods.toSpliced(open.method ?? 0, 1, method) }, open.zone)
            }
          />
        </Dialog>
      )}
    </>
  )
}

interface ZoneProps {
  readonly zone: Zone
  /** Of its store: names are shown in the first. */
  readonly locales: readonly string[]
  readonly busy: boolean
  readonly onChange: () => void
  readonly onRemove: () => void
  readonly onMethod: (index: number) => void
  readonly onRemoveMethod: (index: number) => void
}

function ZoneSection({ zone, locales, busy, onChange, onRemove, onMethod, onRemoveMethod }: ZoneProps) {
  const columns: readonly Column<Method>[] = [
    { title: 'By', show: ({ name }) => textOf(name, locales) },
    { title: 'Days', show: ({ minDays, maxDays }) => (minDays === maxDays ? minDays : `${minDays} to ${maxDays}`) },
    { title: 'Goes by', show: ({ basis }) => (basis === 'weight' ? 'weight' : 'price of the goods') },
    { title: 'Costs', show: (method) => <Costs method={method} /> },
    {
      title: 'Do',
      acts: true,
      show: (method) => (
        <div class="actions">
          <button type="button" onClick={() => onMethod(zone.methods.indexOf(method))}>
            Change
          </button>
          <button
            type="button"
            class="danger"
            disabled={busy}
            onClick={() => onRemoveMethod(zone.methods.indexOf(method))}
          >
            Remove
          </button>
        </div>
      ),
    },
  ]
  return (
    <Section
      title={zone.name}
      actions={
        <>
          <button type="button" onClick={() => onMethod(zone.methods.length)}>
            Add a way to ship
          </button>
          <button type="button" onClick={onChange}>
            Change the zone
          </button>
          <button type="button" class="danger" disabled={busy} onClick={onRemove}>
            Remove the zone
          </button>
        </>
      }
    >
      <p class="small">{placesInWords(zone)}</p>
      {zone.methods.length === 0 && (
        <Empty title="Nothing is shipped there yet" hint="Add a way to ship, with its costs." />
      )}
      <Table
        caption={`Ways to ship to ${zone.name}`}
        items={zone.methods}
        columns={columns}
        keyOf={({ id }) => id ?? ''}
      />
    </Section>
  )
}

/** What it costs at least and at most, currency by currency. */
function Costs({ method: { rates } }: { readonly method: Method }) {
  const currencies = [...new Set(rates.map(({ currency }) => currency))]
  if (currencies.length === 0) return <>not offered</>
  return (
    <>
      {currencies.map((currency) => {
        const amounts = rates.filter((rate) => rate.currency === currency).map(({ amount }) => amount)
        const [least, most] = [Math.min(...amounts), Math.max(...amounts)]
        return (
          <div key={currency}>
            <Amount amount={least} currency={currency} />
            {most > least && (
              <>
                {' to '}
                <Amount amount={most} currency={currency} />
              </>
            )}
          </div>
        )
      })}
    </>
  )
}
