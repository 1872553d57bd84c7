import type { OperatorStore } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { localizedText } from '../../ui/form/localized-text.tsx'
import { Amount, formatAmount } from '../../ui/format/values.tsx'
import { useAction } from '../../ui/hooks/use-action.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { Empty, ErrorNotice } from '../../ui/notice.tsx'
import { Section } from '../../ui/page.tsx'
import { PerStorePage } from '../../ui/per-store-page.tsx'
import { toast } from '../../ui/toast.tsx'
import { MethodForm, ZoneForm } from './shipping-forms.tsx'
import { describePlaces, type Method, type Zone } from './shipping-rates.ts'

/** The shipping zones, methods and rates of each store. */
export function ShippingPage() {
  return (
    <PerStorePage
      title={translate('Shipping')}
      lead={translate(
        'Each zone groups destinations with the same shipping methods. The most specific zone applies: region, then country, then rest of the world.',
      )}
    >
      {(store) => <ShippingTable key={store.slug} store={store} />}
    </PerStorePage>
  )
}

/** The zone or method in the dialog. The index after the last is a new one. */
interface Open {
  readonly zone: number
  readonly method: number | null
}

function ShippingTable({ store }: { readonly store: OperatorStore }) {
  const params = { storeSlug: store.slug }
  const { data, error, reload } = useCall(store.slug, () => call('getShippingZones', { params }))
  const { run, busy, actionError } = useAction(reload)
  const [open, setOpen] = useState<Open | null>(null)
  if (!data) return error ? <ErrorNotice error={error} retry={reload} /> : <p class="lead">{translate('Loading…')}</p>
  const { zones, version } = data
  const save = (changed: readonly Zone[], expectedVersion = version) =>
    call('saveShippingZones', { params, body: { zones: [...changed], expectedVersion } })
  const close = () => setOpen(null)
  async function saveZone(zone: Zone, at: number): Promise<void> {
    await save(zones.toSpliced(at, 1, zone))
    close()
    reload()
  }
  const remove = (done: string, changed: readonly Zone[]) =>
    void run(async () => {
      const left = await save(changed)
      toast(done, () => void run(() => save(restored(zones, left.zones), left.version)))
    })
  const add = (
    <button
      type="button"
      class={zones.length === 0 ? 'primary' : ''}
      onClick={() => setOpen({ zone: zones.length, method: null })}
    >
      {translate('Add zone')}
    </button>
  )
  return (
    <>
      {actionError ? <ErrorNotice error={actionError} /> : null}
      {zones.length === 0 && (
        <Empty
          title={translate('No shipping zones for {name} yet', { name: store.name })}
          hint={translate('Add a zone, then its shipping methods and rates.')}
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
          onRemove={() => remove(translate('{name} removed', { name: zone.name }), zones.toSpliced(at, 1))}
          onMethod={(method) => setOpen({ zone: at, method })}
          onRemoveMethod={(method) => {
            const methods = zone.methods.toSpliced(method, 1)
            remove(translate('Shipping method removed'), zones.toSpliced(at, 1, { ...zone, methods }))
          }}
        />
      ))}
      {zones.length > 0 && <div class="actions">{add}</div>}
      {open && <EditDialog store={store} zones={zones} open={open} onClose={close} onSave={saveZone} />}
    </>
  )
}

/** The zones before a removal. What was removed comes back with an id of its own: its former one is not given again. */
function restored(before: readonly Zone[], left: readonly Zone[]): Zone[] {
  const ids = new Set(left.flatMap(({ id, methods }) => [id, ...methods.map((method) => method.id)]))
  const withKnownId = <Rule extends { readonly id?: string }>({ id, ...rule }: Rule) =>
    id !== undefined && ids.has(id) ? { ...rule, id } : rule
  return before.map(
    (zone) =>
      withKnownId({ ...zone, methods: zone.methods.map((method) => withKnownId(method) as typeof method) }) as Zone,
  )
}

interface EditDialogProps {
  readonly store: OperatorStore
  readonly zones: readonly Zone[]
  readonly open: Open
  readonly onClose: () => void
  readonly onSave: (zone: Zone, at: number) => Promise<void>
}

/** Edits or adds a zone, or a shipping method of a zone. */
function EditDialog({ store, zones, open: { zone: at, method: index }, onClose, onSave }: EditDialogProps) {
  const zone = zones[at]
  if (index === null || !zone) {
    return (
      <Dialog title={zone ? translate('Edit zone') : translate('Add zone')} onClose={onClose}>
        <ZoneForm store={store} zone={zone} at={at} onClose={onClose} onSave={(changed) => onSave(changed, at)} />
      </Dialog>
    )
  }
  const method = zone.methods[index]
  return (
    <Dialog title={method ? translate('Edit shipping method') : translate('Add shipping method')} onClose={onClose}>
      <MethodForm
        store={store}
        method={method}
        pointer={`/zones/${at}/methods/${index}`}
        onClose={onClose}
        onSave={(changed) => onSave({ ...zone, methods: zone.methods.toSpliced(index, 1, changed) }, at)}
      />
    </Dialog>
  )
}

interface ZoneProps {
  readonly zone: Zone
  /** The languages of the store. Names are shown in the first. */
  readonly locales: readonly string[]
  readonly busy: boolean
  readonly onChange: () => void
  readonly onRemove: () => void
  readonly onMethod: (index: number) => void
  readonly onRemoveMethod: (index: number) => void
}

function ZoneSection({ zone, locales, busy, onChange, onRemove, onMethod, onRemoveMethod }: ZoneProps) {
  const columns: readonly Column<Method>[] = [
    { title: translate('Method'), show: ({ name }) => localizedText(name, locales) },
    {
      title: translate('Delivery days'),
      show: ({ minDays, maxDays }) =>
        minDays === maxDays ? minDays : translate('{minDays} to {maxDays}', { minDays, maxDays }),
    },
    {
      title: translate('Based on'),
      show: ({ basis }) => (basis === 'weight' ? translate('Weight') : translate('Subtotal')),
    },
    { title: translate('Price'), show: (method) => <PriceRange method={method} /> },
    {
      title: translate('Actions'),
      buttons: true,
      show: (method) => (
        <div class="actions">
          <button type="button" onClick={() => onMethod(zone.methods.indexOf(method))}>
            {translate('Edit')}
          </button>
          <button
            type="button"
            class="danger"
            disabled={busy}
            onClick={() => onRemoveMethod(zone.methods.indexOf(method))}
          >
            {translate('Remove')}
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
            {translate('Add shipping method')}
          </button>
          <button type="button" onClick={onChange}>
            {translate('Edit zone')}
          </button>
          <button type="button" class="danger" disabled={busy} onClick={onRemove}>
            {translate('Remove zone')}
          </button>
        </>
      }
    >
      <p class="small">{describePlaces(zone)}</p>
      {zone.methods.length === 0 && (
        <Empty title={translate('No shipping methods yet')} hint={translate('Add a shipping method with its rates.')} />
      )}
      <Table
        caption={translate('Shipping methods for {name}', { name: zone.name })}
        items={zone.methods}
        columns={columns}
        keyOf={({ id }) => id ?? ''}
      />
    </Section>
  )
}

/** The lowest and the highest price in each currency. */
function PriceRange({ method: { rates } }: { readonly method: Method }) {
  const currencies = [...new Set(rates.map(({ currency }) => currency))]
  if (currencies.length === 0) return <>{translate('Not offered')}</>
  return (
    <>
      {currencies.map((currency) => {
        const amounts = rates.filter((rate) => rate.currency === currency).map(({ amount }) => amount)
        const [least, most] = [Math.min(...amounts), Math.max(...amounts)]
        return (
          <div key={currency}>
            <Amount amount={least} currency={currency} />
            {most > least && <> {translate('to {amount}', { amount: formatAmount({ amount: most, currency }) })}</>}
          </div>
        )
      })}
    </>
  )
}
