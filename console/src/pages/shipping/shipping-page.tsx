import type { OperatorStore } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { Editable } from '../../ui/form/editable.tsx'
import { fieldErrorsOf } from '../../ui/form/form.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { Loading } from '../../ui/loading.tsx'
import { Empty, ErrorNotice } from '../../ui/notice.tsx'
import { PerStorePage } from '../../ui/per-store-page.tsx'
import { SaveBar, useSheet } from '../../ui/sheet.tsx'
import { toast } from '../../ui/toast.tsx'
import { draftOf, newMethod, type Zone, type ZoneDraft, zonesOf } from './shipping-draft.ts'
import { type PresetName, ShippingPreset } from './shipping-preset.tsx'
import { ZoneSheet } from './zone-sheet.tsx'

/** The shipping zones, methods and rates of each store. */
export function ShippingPage() {
  return (
    <PerStorePage
      title={translate('Shipping')}
      lead={translate(
        'Each zone groups destinations with the same shipping methods. The most specific zone applies: region, then country, then rest of the world.',
      )}
    >
      {(store) => <ShippingOfStore key={store.slug} store={store} />}
    </PerStorePage>
  )
}

function ShippingOfStore({ store }: { readonly store: OperatorStore }) {
  const params = { storeSlug: store.slug }
  const { data, error, reload } = useCall(store.slug, () => call('getShippingZones', { params }))
  if (!data) return error ? <ErrorNotice error={error} retry={reload} /> : <Loading />
  return (
    <Editable by="saveShippingZones">
      <Zones
        key={data.version}
        store={store}
        zones={data.zones}
        onSave={async (zones) => {
          await call('saveShippingZones', { params, body: { zones, expectedVersion: data.version } })
          toast(translate('Shipping saved'))
          reload()
        }}
      />
    </Editable>
  )
}

interface ZonesProps {
  readonly store: OperatorStore
  readonly zones: readonly Zone[]
  readonly onSave: (zones: Zone[]) => Promise<void>
}

const DAYS = ['1', '3'] as const

function Zones({ store, zones, onSave }: ZonesProps) {
  const sheet = useSheet(draftOf(zones), (draft) => onSave(zonesOf(draft)))
  const [preset, setPreset] = useState<PresetName | null>(null)
  const { draft, edit, error } = sheet
  const add = (zone: ZoneDraft) => edit((all) => [...all, zone])
  const buttons = (
    <div class="actions">
      <button type="button" onClick={() => setPreset('domestic')}>
        {translate('Domestic…')}
      </button>
      <button type="button" onClick={() => setPreset('eu')}>
        {translate('European Union…')}
      </button>
      <button type="button" onClick={() => setPreset('world')}>
        {translate('Rest of the world…')}
      </button>
      <button
        type="button"
        onClick={() =>
          add({
            name: translate('Zone {number}', { number: draft.length + 1 }),
            places: [],
            methods: [newMethod(store, 490, DAYS)],
          })
        }
      >
        {translate('Add zone')}
      </button>
    </div>
  )
  return (
    <>
      {error ? <ErrorNotice error={error} /> : null}
      {draft.length === 0 ? (
        <Empty
          title={translate('No shipping zones for {name} yet', { name: store.name })}
          hint={translate('Start from a preset, or add a zone with its destinations and prices.')}
        >
          {buttons}
        </Empty>
      ) : (
        <>
          {draft.map((zone, at) => (
            <ZoneSheet
              key={zone.id ?? at}
              {...{ store, zone, at }}
              errors={fieldErrorsOf(error)}
              onChange={(changed, undo) => edit((all) => all.toSpliced(at, 1, changed), undo)}
              onRemove={() => edit((all) => all.toSpliced(at, 1), translate('{name} removed.', { name: zone.name }))}
            />
          ))}
          {buttons}
        </>
      )}
      <SaveBar {...sheet} />
      {preset && (
        <ShippingPreset
          name={preset}
          store={store}
          zones={draft}
          onClose={() => setPreset(null)}
          onApply={(zone) => {
            add(zone)
            setPreset(null)
          }}
        />
      )}
    </>
  )
}
