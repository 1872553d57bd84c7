/** The units of each quantity, with their size in the first of them. */
const QUANTITIES: readonly Readonly<Record<string, number>>[] = [
  { mb: 1, gb: 1000, tb: 1_000_000 },
  { mm: 1, cm: 10, m: 1000 },
  { mg: 1, g: 1000, kg: 1_000_000 },
  { ml: 1, cl: 10, l: 1000 },
  { mhz: 1, ghz: 1000 },
  { mw: 1, w: 1000, kw: 1_000_000 },
  { mah: 1, ah: 1000 },
]
/** The words for a unit, folded. */
const NAMES: Readonly<Record<string, string>> = {
  ...{ megabyte: 'mb', gigabyte: 'gb', terabyte: 'tb', megabytes: 'mb', gigabytes: 'gb', terabytes: 'tb' },
  ...{
    inch: 'inch',
    inches: 'inch',
    zoll: 'inch',
    liter: 'l',
    litre: 'l',
    liters: 'l',
    litres: 'l',
    watt: 'w',
    watts: 'w',
  },
  ...{
    gram: 'g',
    grams: 'g',
    gramm: 'g',
    kilogram: 'kg',
    kilograms: 'kg',
    kilogramm: 'kg',
    meter: 'm',
    metre: 'm',
    meters: 'm',
  },
}
const NUMBER_MAX = 1_000_000

/**
 * The forms of a number with its unit, in one word or two: `1tb`, `1 tb`, `1000 gb`. `null` if the words are something else. `length`
 * is the number of words that it takes.
 */
export function unitForms(word: string, next: string | undefined): { length: number; forms: readonly string[] } | null {
  const [, digits = '', attached] = /^(\d+(?:\.\d+)?)(\p{Letter}+)?$/u.exec(word) ?? []
  const said = attached ?? next
  const unit = said === undefined ? undefined : (NAMES[said] ?? said)
  const number = Number(digits)
  if (digits === '' || said === undefined || unit === undefined || number > NUMBER_MAX) return null
  const length = attached === undefined ? 2 : 1
  const spelled = (amount: number, name: string) => [
    `${amount} ${name}`,
    ...(Number.isInteger(amount) ? [`${amount}${name}`] : []),
  ]
  if (unit === 'inch') return { length, forms: [...spelled(number, 'inch'), ...spelled(number, 'zoll')] }
  const quantity = QUANTITIES.find((each) => each[unit] !== undefined)
  if (quantity === undefined) return null
  const others = Object.entries(quantity).flatMap(([name, size]) => {
    const amount = (number * quantity[unit]!) / size
    return Number.isInteger(amount * 10) && amount >= 0.1 && amount <= NUMBER_MAX ? spelled(amount, name) : []
  })
  return { length, forms: [...spelled(number, unit), ...spelled(number, said), ...others].filter(isNew) }
}

const isNew = (form: string, index: number, all: readonly string[]) => all.indexOf(form) === index
