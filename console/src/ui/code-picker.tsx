import { COUNTRIES } from './format/countries.ts'
import { countryName, currencyName, languageName } from './format/display-names.ts'
import type { Choice } from './picker.tsx'
import { pickerOf } from './record-picker.tsx'

const SHOWN = 20
/** Shown before anything is typed. All others are found by name or code. */
const CURRENCIES = ['EUR', 'USD', 'GBP', 'CHF', 'PLN', 'CZK', 'DKK', 'SEK', 'NOK', 'CAD', 'AUD', 'JPY']
const LANGUAGES =
  'en de fr es it nl pl pt pt-BR cs da sv nb fi et lv lt hu ro bg el hr sk sl uk tr ar he hi ja ko zh-Hans zh-Hant vi th id'
const LANGUAGE_TAG = /^[a-z]{2,3}(-[a-z0-9]{1,8})*$/i

/** Picks countries by their name or code. */
export const CountryPicker = codePicker(COUNTRIES, countryName)

/** Picks currencies by their name or code. */
export const CurrencyPicker = codePicker(
  [...new Set([...CURRENCIES, ...Intl.supportedValuesOf('currency')])],
  currencyName,
)

/** Picks languages by their name or by any tag, such as `de-AT`. */
export const LanguagePicker = codePicker(LANGUAGES.split(' '), languageName, (typed) => {
  const isTag = LANGUAGE_TAG.test(typed) && languageName(typed) !== typed
  return isTag ? [new Intl.Locale(typed).baseName] : []
})

function codePicker(
  codes: readonly string[],
  nameOf: (code: string) => string,
  read: (typed: string) => readonly string[] = () => [],
) {
  const choiceOf = (id: string): Choice => ({ id, name: nameOf(id), hint: id })
  return pickerOf({
    known: choiceOf,
    byIds: async (ids) => ids.map(choiceOf),
    async find(typed) {
      const wanted = typed.trim().toLowerCase()
      const found = [...new Set([...codes, ...read(wanted)])]
        .map(choiceOf)
        .filter(({ id, name }) => `${id} ${name}`.toLowerCase().includes(wanted))
      const isFirst = ({ id, name }: Choice) => id.toLowerCase() === wanted || name.toLowerCase().startsWith(wanted)
      return found.toSorted((one, other) => Number(isFirst(other)) - Number(isFirst(one))).slice(0, SHOWN)
    },
  })
}
