import type { OperatorStore } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { translate } from '../../language.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { formatDay } from '../../ui/format/day.ts'
import { countryName } from '../../ui/format/display-names.ts'
import { sentenceCase } from '../../ui/format/text.ts'
import { type Choice, Picker } from '../../ui/picker.tsx'
import { PresetChanges } from '../../ui/sheet.tsx'
import { EU_COUNTRIES, EU_VAT } from './eu-vat.ts'
import { changesOf, euVat, type TaxChange, type TaxTable, usSalesTax, withPreset } from './tax-table.ts'
import { US_SALES_TAX } from './us-sales-tax.ts'

interface TaxPresetProps {
  readonly kind: 'eu' | 'us'
  readonly store: OperatorStore
  readonly table: TaxTable
  readonly onApply: (table: TaxTable) => void
  readonly onClose: () => void
}

const STATES: readonly Choice[] = Object.entries(US_SALES_TAX.rates).map(([id, [name]]) => ({ id, name, hint: id }))
const MEMBERS: readonly Choice[] = EU_COUNTRIES.map((id) => ({ id, name: countryName(id), hint: id }))

/** Previews a preset of tax rates, and fills it in. It is not saved yet: the merchant has to check the rates. */
export function TaxPreset({ kind, store, table, onApply, onClose }: TaxPresetProps) {
  const all = kind === 'eu' ? MEMBERS : STATES
  const [chosen, setChosen] = useState(() => (kind === 'eu' ? membersOf(store) : []))
  const ids = chosen.map(({ id }) => id)
  const preset = kind === 'eu' ? euVat(ids, store.locales) : usSalesTax(ids, store.locales)
  const changes = changesOf(table, preset)
  const { source, date } = kind === 'eu' ? EU_VAT : US_SALES_TAX
  return (
    <Dialog title={kind === 'eu' ? translate('EU VAT rates') : translate('US state sales tax')} onClose={onClose}>
      <p>
        {kind === 'eu'
          ? translate(
              'The standard rate, and the lowest reduced rate of at least 5 %. Which goods are reduced, and by which rate, differs by country: check it for what you sell.',
            )
          : translate(
              'The base rate of each state where you collect sales tax, and 0 for the others. Local rates of counties and cities come on top: add them by postal codes, or use a tax service.',
            )}
      </p>
      <p class="small">
        {translate('Source: {source}, as of {date}. You confirm the rates when you save.', {
          source,
          date: formatDay(date),
        })}
      </p>
      <Picker
        label={kind === 'eu' ? translate('Countries') : translate('States where you collect sales tax')}
        chosen={chosen}
        find={async (typed) =>
          all.filter(({ id, name }) => `${name} ${id}`.toLowerCase().includes(typed.toLowerCase()))
        }
        onChange={setChosen}
      />
      {kind === 'eu' && chosen.length < all.length && (
        <button type="button" class="quiet" onClick={() => setChosen(MEMBERS)}>
          {translate('All member states')}
        </button>
      )}
      <h3>{translate('What changes')}</h3>
      <PresetChanges changes={changes.map(changeText)} />
      <div class="actions">
        <button
          type="button"
          class="primary"
          disabled={changes.length === 0}
          onClick={() => onApply(withPreset(table, preset))}
        >
          {translate('Fill in')}
        </button>
        <button type="button" onClick={onClose}>
          {translate('Cancel')}
        </button>
      </div>
    </Dialog>
  )
}

/** The member states that the store sells to, or all of them. */
function membersOf({ countries }: OperatorStore): readonly Choice[] {
  const sold = MEMBERS.filter(({ id }) => countries.includes(id))
  return sold.length > 0 ? sold : MEMBERS
}

function changeText({ row, category, before, after }: TaxChange): string {
  const place =
    row.region === undefined ? countryName(row.country) : (US_SALES_TAX.rates[row.region]?.[0] ?? row.region)
  const what = `${place}, ${sentenceCase(category)}`
  return before === ''
    ? translate('{what}: {after} %, new', { what, after })
    : translate('{what}: {before} % becomes {after} %', { what, before, after })
}
