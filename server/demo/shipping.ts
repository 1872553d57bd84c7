import type { Both } from './facts.ts'

/** Steps upwards: the value that a step begins at, and its price in euro cents and US cents. The last has no end. */
type Steps = readonly (readonly [from: number, eur: number, usd: number])[]

export interface DemoShippingZone {
  readonly name: string
  readonly countries: readonly string[]
  readonly methods: readonly {
    readonly name: Both
    /** Grams of the parcel, or cents of what is in it. */
    readonly basis: 'weight' | 'subtotal'
    readonly days: readonly [min: number, max: number]
    readonly steps: Steps
  }[]
}

const PARCEL: Both = ['Parcel', 'Paket']
const PICK_UP: Both = ['To a pick-up point', 'An einen Paketshop']
const COURIER: Both = ['Courier', 'Kurier']

/** What is downloaded or mailed weighs nothing, and costs nothing to send. */
const nothingFirst = (steps: Steps): Steps => [[0, 0, 0], [1, steps[0]![1], steps[0]![2]], ...steps.slice(1)]

const parcel = (days: readonly [number, number], steps: Steps) =>
  ({ name: PARCEL, basis: 'weight', days, steps: nothingFirst(steps) }) as const
const pickUp = (days: readonly [number, number], steps: Steps) =>
  ({ name: PICK_UP, basis: 'weight', days, steps: nothingFirst(steps) }) as const
/** Insured by value, so it is priced by value. */
const courier = (days: readonly [number, number], steps: Steps) =>
  ({ name: COURIER, basis: 'subtotal', days, steps }) as const

/** The shipping tables of each store. Weights in grams. */
export const shippingZones: Readonly<Record<string, readonly DemoShippingZone[]>> = {
  havelton: [
    {
      name: 'Germany',
      countries: ['DE'],
      methods: [
        pickUp(
          [2, 4],
          [
            [0, 390, 430],
            [2000, 490, 530],
            [5000, 690, 750],
          ],
        ),
        parcel(
          [1, 3],
          [
            [0, 490, 530],
            [2000, 590, 650],
            [5000, 890, 970],
            [10_000, 1490, 1620],
          ],
        ),
        courier(
          [1, 1],
          [
            [0, 1290, 1390],
            [20_000, 1690, 1850],
          ],
        ),
      ],
    },
    {
      name: 'Austria, France and the Netherlands',
      countries: ['AT', 'FR', 'NL'],
      methods: [
        parcel(
          [3, 5],
          [
            [0, 990, 1080],
            [2000, 1290, 1390],
            [5000, 1690, 1850],
            [10_000, 2490, 2690],
          ],
        ),
        courier(
          [2, 3],
          [
            [0, 1990, 2150],
            [20_000, 2490, 2690],
          ],
        ),
      ],
    },
    {
      name: 'United Kingdom',
      countries: ['GB'],
      methods: [
        parcel(
          [4, 7],
          [
            [0, 1490, 1620],
            [2000, 1990, 2150],
            [5000, 2990, 3250],
          ],
        ),
      ],
    },
    {
      name: 'United States',
      countries: ['US'],
      methods: [
        parcel(
          [7, 14],
          [
            [0, 2490, 2690],
            [2000, 3490, 3790],
            [5000, 5490, 5950],
          ],
        ),
      ],
    },
  ],
  saumpfad: [
    {
      name: 'Austria and Germany',
      countries: ['AT', 'DE'],
      methods: [
        parcel(
          [2, 4],
          [
            [0, 490, 530],
            [3000, 790, 860],
            [8000, 1190, 1290],
          ],
        ),
        courier(
          [1, 2],
          [
            [0, 1490, 1620],
            [30_000, 1990, 2150],
          ],
        ),
      ],
    },
    {
      name: 'France and the Netherlands',
      countries: ['FR', 'NL'],
      methods: [
        parcel(
          [3, 6],
          [
            [0, 1090, 1190],
            [3000, 1490, 1620],
            [8000, 2190, 2390],
          ],
        ),
      ],
    },
    {
      name: 'United Kingdom',
      countries: ['GB'],
      methods: [
        parcel(
          [5, 8],
          [
            [0, 1690, 1850],
            [3000, 2290, 2490],
          ],
        ),
      ],
    },
    {
      name: 'United States',
      countries: ['US'],
      methods: [
        parcel(
          [8, 15],
          [
            [0, 2690, 2890],
            [3000, 3990, 4350],
          ],
        ),
      ],
    },
  ],
  'quire-and-crema': [
    {
      name: 'United States',
      countries: ['US'],
      methods: [
        pickUp(
          [3, 6],
          [
            [0, 460, 500],
            [1000, 640, 700],
            [3000, 920, 1000],
          ],
        ),
        parcel(
          [2, 4],
          [
            [0, 640, 700],
            [1000, 870, 950],
            [3000, 1290, 1400],
          ],
        ),
        courier(
          [1, 1],
          [
            [0, 2190, 2400],
            [15_000, 2740, 3000],
          ],
        ),
      ],
    },
    {
      name: 'United Kingdom and the European Union',
      countries: ['GB', 'DE', 'AT', 'FR', 'NL'],
      methods: [
        parcel(
          [7, 14],
          [
            [0, 1490, 1600],
            [1000, 2190, 2400],
            [3000, 3490, 3800],
          ],
        ),
        courier(
          [3, 5],
          [
            [0, 3900, 4200],
            [20_000, 4900, 5300],
          ],
        ),
      ],
    },
  ],
}
