import type { OperatorStore } from '@vitrine/contract/operator'
import { translate } from '../../language.ts'
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
      <Field
        name="locales"
        label={translate('Languages')}
        hint={translate('Language codes, such as en, de, pt-BR. The first is the default.')}
        value={locales.join(', ')}
      />
      <Field
        name="currencies"
        label={translate('Currencies')}
        hint={translate('Currency codes, such as EUR, USD. The first is the default.')}
        value={store?.currencies.join(', ') ?? 'EUR'}
      />
      <Field
        name="countries"
        label={translate('Countries')}
        hint={translate('Codes of the countries the store sells to, such as DE, AT. The first is the default.')}
        value={store?.countries.join(', ') ?? ''}
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

/** Reads the fields. */
export function readProfile(fields: FormData) {
  const descriptions = readLocalized(fields, 'descriptions')
  const contact = Object.fromEntries(
    ['email', 'phone', 'url'].flatMap((name) => {
      const value = String(fields.get(name) ?? '').trim()
      return value ? [[name, value]] : []
    }),
  )
  return {
    names: readLocalized(fields, 'names'),
    ...(Object.keys(descriptions).length > 0 && { descriptions }),
    locales: splitList(fields.get('locales')),
    currencies: splitList(fields.get('currencies')).map((code) => code.toUpperCase()),
    countries: splitList(fields.get('countries')).map((code) => code.toUpperCase()),
    pricesIncludeTax: fields.has('pricesIncludeTax'),
    contact,
  }
}
