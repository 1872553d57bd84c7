import type { OperatorStore } from '@vitrine/contract/operator'
import { translate } from '../../language.ts'
import { LiveField, LiveSelect } from '../../ui/form/live-field.tsx'
import { localizedText } from '../../ui/form/localized-text.tsx'
import { COUNTRIES } from '../../ui/format/countries.ts'
import { languageName } from '../../ui/format/display-names.ts'
import { Icon } from '../../ui/icon.tsx'
import { Section } from '../../ui/page.tsx'
import { type Choice, Picker } from '../../ui/picker.tsx'
import { Cell } from '../../ui/sheet.tsx'
import { type MethodDraft, newMethod, type RateDraft, WORLD, type ZoneDraft } from './shipping-draft.ts'
import { placeName } from './shipping-preset.tsx'

interface ZoneSheetProps {
  readonly store: OperatorStore
  readonly zone: ZoneDraft
  readonly at: number
  readonly errors: ReadonlyMap<string, string>
  readonly onChange: (zone: ZoneDraft, undo?: string) => void
  readonly onRemove: () => void
}

/** A zone: its destinations, and its shipping methods with their rates as tables that are edited in place. */
export function ZoneSheet({ store, zone, at, errors, onChange, onRemove }: ZoneSheetProps) {
  const { methods } = zone
  const put = (index: number, method: MethodDraft, undo?: string) =>
    onChange({ ...zone, methods: methods.toSpliced(index, 1, method) }, undo)
  const error = errors.get(`/zones/${at}/places`) ?? errors.get(`/zones/${at}/name`)
  return (
    <Section
      title={zone.name || translate('Unnamed zone')}
      actions={
        <button type="button" class="danger" onClick={onRemove}>
          {translate('Remove zone')}
        </button>
      }
    >
      <div class="stacked">
        {error && <p class="error">{error}</p>}
        <LiveField
          label={translate('Name of the zone')}
          value={zone.name}
          onChange={(name) => onChange({ ...zone, name })}
        />
        <Picker
          label={translate('Destinations')}
          hint={translate('Countries, the rest of the world, or regions such as US-CA.')}
          chosen={zone.places.map(choiceOf)}
          find={findPlaces}
          onChange={(chosen) => onChange({ ...zone, places: chosen.map(({ id }) => id) })}
        />
        {methods.map((method, index) => (
          <MethodSheet
            key={method.id ?? index}
            store={store}
            method={method}
            pointer={`/zones/${at}/methods/${index}`}
            errors={errors}
            onChange={(changed, undo) => put(index, changed, undo)}
            onRemove={() =>
              onChange({ ...zone, methods: methods.toSpliced(index, 1) }, translate('Shipping method removed.'))
            }
          />
        ))}
        <div class="actions">
          <button
            type="button"
            onClick={() => onChange({ ...zone, methods: [...methods, newMethod(store, 490, ['1', '3'])] })}
          >
            {translate('Add shipping method')}
          </button>
        </div>
      </div>
    </Section>
  )
}

const choiceOf = (code: string): Choice => ({ id: code, name: placeName(code), hint: code })
const REGION = /^[A-Z]{2}-[A-Z0-9]{1,10}$/

/** Countries by name or code, and a region by its code. */
async function findPlaces(typed: string): Promise<readonly Choice[]> {
  const wanted = typed.trim().toLowerCase()
  const code = wanted.toUpperCase()
  const places = [WORLD, ...COUNTRIES].map(choiceOf)
  const found = places.filter(({ id, name }) => `${name} ${id}`.toLowerCase().includes(wanted))
  return [...(REGION.test(code) ? [choiceOf(code)] : []), ...found].slice(0, 20)
}

interface MethodSheetProps {
  readonly store: OperatorStore
  readonly method: MethodDraft
  readonly pointer: string
  readonly errors: ReadonlyMap<string, string>
  readonly onChange: (method: MethodDraft, undo?: string) => void
  readonly onRemove: () => void
}

const BASES = [
  ['subtotal', translate('Order subtotal')],
  ['weight', translate('Weight in grams')],
] as const

function MethodSheet({ store, method, pointer, errors, onChange, onRemove }: MethodSheetProps) {
  const locales = [...new Set([...store.locales, ...Object.keys(method.name)])]
  const title = localizedText(method.name, store.locales) || translate('Shipping method')
  const error = ['name', 'minDays', 'maxDays', 'taxCategory', 'rates'].map((name) => errors.get(`${pointer}/${name}`))
  return (
    <fieldset class="method">
      <legend>{title}</legend>
      {error.filter(Boolean).map((text) => (
        <p key={text} class="error">
          {text}
        </p>
      ))}
      <div class="sheet-fields">
        {locales.map((locale) => (
          <LiveField
            key={locale}
            label={
              locales.length > 1
                ? translate('Name ({locale})', { locale: languageName(locale) })
                : translate('Name shown to customers')
            }
            value={method.name[locale] ?? ''}
            onChange={(text) => onChange({ ...method, name: { ...method.name, [locale]: text } })}
          />
        ))}
        <LiveField
          label={translate('Days at least')}
          type="number"
          value={method.minDays}
          onChange={(minDays) => onChange({ ...method, minDays })}
        />
        <LiveField
          label={translate('Days at most')}
          type="number"
          value={method.maxDays}
          onChange={(maxDays) => onChange({ ...method, maxDays })}
        />
        <LiveSelect
          label={translate('Price by')}
          value={method.basis}
          options={BASES}
          onChange={(basis) => onChange({ ...method, basis: basis === 'weight' ? 'weight' : 'subtotal' })}
        />
        <LiveField
          label={translate('Tax category')}
          value={method.taxCategory}
          onChange={(taxCategory) => onChange({ ...method, taxCategory })}
        />
      </div>
      <Rates {...{ store, method, title, pointer, errors, onChange }} />
      <div class="actions">
        <button type="button" class="danger quiet" onClick={onRemove}>
          {translate('Remove shipping method')}
        </button>
      </div>
    </fieldset>
  )
}

interface RatesProps extends Omit<MethodSheetProps, 'onRemove'> {
  readonly title: string
}

function RatesHead({ limit }: { readonly limit: string }) {
  return (
    <thead>
      <tr>
        <th scope="col">{translate('Currency')}</th>
        <th scope="col" class="numeric">
          {limit}
        </th>
        <th scope="col" class="numeric">
          {translate('Price')}
        </th>
        <th scope="col">
          <span class="hidden">{translate('Remove')}</span>
        </th>
      </tr>
    </thead>
  )
}

/** The prices of a method. Each applies from its limit up to the next one of its currency. */
function Rates({ store, method, title, pointer, errors, onChange }: RatesProps) {
  const { rates, basis } = method
  const set = (index: number, change: Partial<RateDraft>) =>
    onChange({ ...method, rates: rates.map((rate, each) => (each === index ? { ...rate, ...change } : rate)) })
  const currencies = [...new Set([...store.currencies, ...rates.map(({ currency }) => currency)])]
  const limit = basis === 'weight' ? translate('From weight (g)') : translate('From subtotal')
  return (
    <div class="sheet">
      <table>
        <caption class="hidden">{translate('Prices of {title}', { title })}</caption>
        <RatesHead limit={limit} />
        <tbody>
          {rates.map((rate, index) => (
            <RateRow
              key={index}
              {...{ rate, currencies, title, limit, errors }}
              pointer={`${pointer}/rates/${index}`}
              onChange={(change) => set(index, change)}
              onRemove={() => onChange({ ...method, rates: rates.toSpliced(index, 1) }, translate('Price removed.'))}
            />
          ))}
        </tbody>
      </table>
      <button
        type="button"
        class="quiet"
        onClick={() => {
          const currency = rates.at(-1)?.currency ?? store.currencies[0] ?? 'EUR'
          onChange({ ...method, rates: [...rates, { currency, from: '', price: '' }] })
        }}
      >
        {translate('Add price')}
      </button>
    </div>
  )
}

interface RateRowProps extends Pick<RatesProps, 'title' | 'pointer' | 'errors'> {
  readonly rate: RateDraft
  readonly currencies: readonly string[]
  /** The label of the lower limit. */
  readonly limit: string
  readonly onChange: (change: Partial<RateDraft>) => void
  readonly onRemove: () => void
}

function RateRow({ rate, currencies, title, limit, pointer, errors, onChange, onRemove }: RateRowProps) {
  return (
    <tr>
      <td data-title={translate('Currency')}>
        <select
          aria-label={translate('Currency, {title}', { title })}
          onChange={(event) => onChange({ currency: event.currentTarget.value })}
        >
          {currencies.map((currency) => (
            <option key={currency} value={currency} selected={currency === rate.currency}>
              {currency}
            </option>
          ))}
        </select>
      </td>
      <td class="numeric" data-title={limit}>
        <Cell
          label={`${limit}, ${rate.currency}, ${title}`}
          value={rate.from}
          inputMode="decimal"
          error={errors.get(`${pointer}/from`)}
          onInput={(from) => onChange({ from })}
        />
      </td>
      <td class="numeric" data-title={translate('Price')}>
        <Cell
          label={translate('Price, {currency}, {title}', { currency: rate.currency, title })}
          value={rate.price}
          inputMode="decimal"
          placeholder={translate('Not offered')}
          error={errors.get(`${pointer}/amount`)}
          onInput={(price) => onChange({ price })}
        />
      </td>
      <td class="buttons">
        <button
          type="button"
          class="quiet"
          aria-label={translate('Remove this price of {title}', { title })}
          onClick={onRemove}
        >
          <Icon name="close" />
        </button>
      </td>
    </tr>
  )
}
