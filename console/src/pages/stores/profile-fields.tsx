import type { OperatorStore } from '@vitrine/contract/operator'
import { Check, Field } from '../../ui/form/form.tsx'
import { TextsFields, textsIn } from '../../ui/form/localized-text.tsx'
import { wordsIn } from '../../ui/format/text.ts'

/** The fields of a new or existing store. */
export function ProfileFields({ store }: { readonly store?: OperatorStore }) {
  const locales = store?.locales ?? ['en']
  return (
    <>
      <TextsFields name="names" label="Name" locales={locales} {...(store && { value: store.names })} />
      <TextsFields
        name="descriptions"
        label="Description"
        locales={locales}
        rows={3}
        {...(store?.descriptions && { value: store.descriptions })}
      />
      <Field
        name="locales"
        label="Languages"
        hint="Language codes, such as en, de, pt-BR. The first is the default."
        value={locales.join(', ')}
      />
      <Field
        name="currencies"
        label="Currencies"
        hint="Currency codes, such as EUR, USD. The first is the default."
        value={store?.currencies.join(', ') ?? 'EUR'}
      />
      <Field
        name="countries"
        label="Countries"
        hint="Country codes of the countries it sells to, such as DE, AT. The first is the default."
        value={store?.countries.join(', ') ?? ''}
      />
      <Check name="pricesIncludeTax" label="Prices include tax" checked={store?.pricesIncludeTax ?? true} />
      <fieldset>
        <legend>Contact</legend>
        <Field name="email" label="Email" type="email" pointer="/contact/email" value={store?.contact?.email ?? ''} />
        <Field
          name="phone"
          label="Phone"
          hint="With country code, such as +493012345678."
          pointer="/contact/phone"
          value={store?.contact?.phone ?? ''}
        />
        <Field name="url" label="Website" type="url" pointer="/contact/url" value={store?.contact?.url ?? ''} />
      </fieldset>
    </>
  )
}

/** Reads the fields. */
export function profileIn(fields: FormData) {
  const descriptions = textsIn(fields, 'descriptions')
  const contact = Object.fromEntries(
    ['email', 'phone', 'url'].flatMap((name) => {
      const value = String(fields.get(name) ?? '').trim()
      return value ? [[name, value]] : []
    }),
  )
  return {
    names: textsIn(fields, 'names'),
    ...(Object.keys(descriptions).length > 0 && { descriptions }),
    locales: wordsIn(fields.get('locales')),
    currencies: wordsIn(fields.get('currencies')).map((code) => code.toUpperCase()),
    countries: wordsIn(fields.get('countries')).map((code) => code.toUpperCase()),
    pricesIncludeTax: fields.has('pricesIncludeTax'),
    contact,
  }
}
