import type { OperatorStore } from '@vitrine/contract/operator'
import { Check, Field } from '../../ui/form/form.tsx'
import { TextsFields, textsIn } from '../../ui/form/localized-text.tsx'
import { wordsIn } from '../../ui/format/text.ts'

/** What is said of a store, whether it is new or there already. */
export function ProfileFields({ store }: { readonly store?: OperatorStore }) {
  const locales = store?.locales ?? ['en']
  return (
    <>
      <TextsFields name="names" label="Name" locales={locales} {...(store && { value: store.names })} />
      <TextsFields
        name="descriptions"
        label="What it sells"
        locales={locales}
        rows={3}
        {...(store?.descriptions && { value: store.descriptions })}
      />
      <Field
        name="locales"
        label="Languages"
        hint="Such as en, de, pt-BR. The first is the default."
        value={locales.join(', ')}
      />
      <Field
        name="currencies"
        label="Currencies"
        hint="Such as EUR, USD. The first is the default."
        value={store?.currencies.join(', ') ?? 'EUR'}
      />
      <Field
        name="countries"
        label="Countries"
        hint="Where it sells, such as DE, AT. The first is the default."
        value={store?.countries.join(', ') ?? ''}
      />
      <Check name="pricesIncludeTax" label="Its prices include tax" checked={store?.pricesIncludeTax ?? true} />
      <fieldset>
        <legend>How to reach it</legend>
        <Field name="email" label="E-mail" type="email" pointer="/contact/email" value={store?.contact?.email ?? ''} />
        <Field
          name="phone"
          label="Telephone"
          hint="With its country, such as +493012345678."
          pointer="/contact/phone"
          value={store?.contact?.phone ?? ''}
        />
        <Field name="url" label="Site" type="url" pointer="/contact/url" value={store?.contact?.url ?? ''} />
      </fieldset>
    </>
  )
}

/** What the fields say. */
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
