import type { OperatorStore } from '@vitrine/contract/operator'
import { translate } from '../../language.ts'
import { CountryPicker, CurrencyPicker, LanguagePicker } from '../../ui/code-picker.tsx'
import { Check, Field } from '../../ui/form/form.tsx'
import { LocalizedFields, readLocalized } from '../../ui/form/localized-text.tsx'
import { splitList } from '../../ui/format/text.ts'

/** The fields of a new or existing store. */
export function ProfileFields({ store }: { readonly store?: OperatorStore }) {
  const locales = store?.locales ?? ['en']
  return (
    <>
      <LocalizedFields
        name="names"
        label={translate('Name')}
        locales={locales}
        {...(store && { value: store.names })}
      />
      <LocalizedFields
        name="descriptions"
        label={translate('Description')}
        locales={locales}
        rows={3}
        {...(store?.descriptions && { value: store.descriptions })}
      />
      <LanguagePicker
        name="locales"
        label={translate('Languages')}
        hint={translate('The first is the default.')}
        ids={locales}
      />
      <CurrencyPicker
        name="currencies"
        label={translate('Currencies')}
        hint={translate('The first is the default.')}
        ids={store?.currencies ?? ['EUR']}
      />
      <CountryPicker
        name="countries"
        label={translate('Countries')}
        hint={translate('Where the store sells to. The first is the default.')}
        ids={store?.countries ?? []}
      />
      <Check
        name="pricesIncludeTax"
        label={translate('Prices include tax')}
        checked={store?.pricesIncludeTax ?? true}
      />
      <fieldset>
        <legend>{translate('Contact')}</legend>
        <Field
          name="email"
          label={translate('Email')}
          type="email"
          pointer="/contact/email"
          value={store?.contact?.email ?? ''}
        />
        <Field
          name="phone"
          label={translate('Phone')}
          hint={translate('With country code, such as +493012345678.')}
          pointer="/contact/phone"
          value={store?.contact?.phone ?? ''}
        />
        <Field
          name="url"
          label={translate('Website')}
          type="url"
          pointer="/contact/url"
          value={store?.contact?.url ?? ''}
        />
      </fieldset>
    </>
  )
}

/** Reads the fields. Without descriptions, a new store has none, and those of an existing store are removed. */
export function readProfile<None extends null | undefined>(fields: FormData, none: None) {
  const descriptions = readLocalized(fields, 'descriptions')
  const contact = Object.fromEntries(
    ['email', 'phone', 'url'].flatMap((name) => {
      const value = String(fields.get(name) ?? '').trim()
      return value ? [[name, value]] : []
    }),
  )
  return {
    names: readLocalized(fields, 'names'),
    descriptions: Object.keys(descriptions).length > 0 ? descriptions : none,
    locales: splitList(fields.get('locales')),
    currencies: splitList(fields.get('currencies')),
    countries: splitList(fields.get('countries')),
    pricesIncludeTax: fields.has('pricesIncludeTax'),
    contact,
  }
}
