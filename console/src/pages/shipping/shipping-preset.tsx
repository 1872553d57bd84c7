import type { OperatorStore } from '@vitrine/contract/operator'
import { translate } from '../../language.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { countryName } from '../../ui/format/display-names.ts'
import { PresetChanges } from '../../ui/sheet.tsx'
import { EU_COUNTRIES } from '../tax/eu-vat.ts'
import { newMethod, newZone, WORLD, type ZoneDraft } from './shipping-draft.ts'

export type PresetName = 'domestic' | 'eu' | 'world'

interface Preset {
  readonly title: string
  readonly zone: (store: OperatorStore) => string
  readonly places: (store: OperatorStore) => readonly string[]
  /** A suggestion, in minor units of any currency. */
  readonly price: number
  readonly days: readonly [string, string]
}

const home = ({ countries }: OperatorStore) => countries[0] ?? 'DE'

const PRESETS: Readonly<Record<PresetName, Preset>> = {
  domestic: {
    title: translate('Domestic shipping'),
    zone: (store) => countryName(home(store)),
    places: (store) => [home(store)],
    price: 490,
    days: ['1', '3'],
  },
  eu: {
    title: translate('Shipping within the EU'),
    zone: () => translate('European Union'),
    places: (store) => EU_COUNTRIES.filter((country) => country !== home(store)),
    price: 990,
    days: ['3', '7'],
  },
  world: {
    title: translate('Shipping to the rest of the world'),
    zone: () => translate('Rest of the world'),
    places: () => [WORLD],
    price: 2490,
    days: ['7', '21'],
  },
}

interface ShippingPresetProps {
  readonly name: PresetName
  readonly store: OperatorStore
  readonly zones: readonly ZoneDraft[]
  readonly onApply: (zone: ZoneDraft) => void
  readonly onClose: () => void
}

/** Previews and adds a zone with common destinations. It is not saved yet: the prices are suggestions. */
export function ShippingPreset({ name, store, zones, onApply, onClose }: ShippingPresetProps) {
  const { title, zone: zoneName, places, price, days } = PRESETS[name]
  const wanted = places(store)
  const zone = newZone(zones, zoneName(store), wanted, newMethod(store, price, days))
  const kept = wanted.filter((place) => !zone.places.includes(place))
  return (
    <Dialog title={title} onClose={onClose}>
      <h3>{translate('What changes')}</h3>
      <PresetChanges changes={zone.places.length === 0 ? [] : changesOf(zone, kept)} />
      <p class="small">
        {translate('The price and the days are suggestions. Change them in the table before you save.')}
      </p>
      <div class="actions">
        <button type="button" class="primary" disabled={zone.places.length === 0} onClick={() => onApply(zone)}>
          {translate('Add this zone')}
        </button>
        <button type="button" onClick={onClose}>
          {translate('Cancel')}
        </button>
      </div>
    </Dialog>
  )
}

function changesOf({ name, places, methods: [method] }: ZoneDraft, kept: readonly string[]): string[] {
  const prices = method?.rates.map((rate) => `${rate.price} ${rate.currency}`).join(', ')
  return [
    translate('A new zone “{name}” with {places}', { name, places: places.map(placeName).join(', ') }),
    translate('A shipping method for {prices}, {minDays} to {maxDays} days', {
      prices: prices ?? '',
      minDays: method?.minDays ?? '',
      maxDays: method?.maxDays ?? '',
    }),
    ...(kept.length > 0
      ? [translate('{kept}: unchanged, already in another zone', { kept: kept.map(placeName).join(', ') })]
      : []),
  ]
}

/** The display name of a destination. */
export function placeName(code: string): string {
  const [country = '', ...region] = code.split('-')
  if (country === WORLD) return translate('Rest of the world')
  return region.length > 0 ? `${countryName(country)} (${region.join('-')})` : countryName(country)
}
