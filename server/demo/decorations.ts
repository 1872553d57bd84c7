import type { Both } from './facts.ts'

/** A part of a page, with what it names by slug. */
export type DemoBlock =
  | { readonly type: 'hero'; readonly heading: Both; readonly text: Both; readonly product: string }
  | { readonly type: 'text'; readonly text: Both }
  | { readonly type: 'beside'; readonly text: Both; readonly product: string }
  | { readonly type: 'products'; readonly heading: Both; readonly products: readonly string[] }
  | { readonly type: 'categories'; readonly heading: Both; readonly categories: readonly string[] }
  | { readonly type: 'banner'; readonly text: Both; readonly tone: 'info' | 'success' | 'warning' }
  | { readonly type: 'divider' }

/** How a store looks. */
export interface DemoDecoration {
  readonly theme: {
    readonly primaryColor: string
    readonly accentColor: string
    readonly backgroundColor: string
    readonly textColor: string
    readonly font: 'sans' | 'serif' | 'mono'
    readonly cornerRadius: number
  }
  readonly pages: readonly { readonly slug: string; readonly title: Both; readonly blocks: readonly DemoBlock[] }[]
}

/** By the slug of the store. */
export const decorations: Readonly<Record<string, DemoDecoration>> = {
  havelton: {
    theme: {
      primaryColor: '#8f4526',
      accentColor: '#2f5573',
      backgroundColor: '#fbf7f0',
      textColor: '#2a211b',
      font: 'serif',
      cornerRadius: 14,
    },
    pages: [
      {
        slug: 'home',
        title: ['Welcome to the boathouse', 'Willkommen im Bootshaus'],
        blocks: [
          {
            type: 'hero',
            heading: ['Made for the first cup of the day', 'Für die erste Tasse am Tag'],
            text: [
              'Thrown on six wheels by the river, glazed in eleven colours of our own.',
              'Auf sechs Scheiben am Fluss gedreht, in elf eigenen Farben glasiert.',
            ],
            product: 'daybreak-mug',
          },
          {
            type: 'banner',
            tone: 'info',
            text: [
              'The kiln is opened every second Friday: what is sold out then is back.',
              'Jeden zweiten Freitag öffnen wir den Ofen: Was ausverkauft war, ist dann wieder da.',
            ],
          },
          {
            type: 'products',
            heading: ['Always on our own table', 'Steht bei uns immer auf dem Tisch'],
            products: ['daybreak-mug', 'reed-mug', 'breakfast-bowl', 'ramen-bowl', 'espresso-cup-and-saucer'],
          },
          { type: 'divider' },
          {
            type: 'beside',
            product: 'winter-mug',
            text: [
              '## Two firings\n\nEvery pot goes through the fire **twice**: once so that it holds, once so that the glaze does. In between stand nine days of drying, turning and waiting.',
              '## Zwei Brände\n\nJedes Stück geht **zweimal** durchs Feuer: einmal, damit es hält, und einmal für die Glasur. Dazwischen liegen neun Tage Trocknen, Drehen und Warten.',
            ],
          },
          {
            type: 'categories',
            heading: ['Around the table', 'Rund um den Tisch'],
            categories: ['mugs-and-cups', 'bowls', 'plates', 'jugs-and-teapots'],
          },
        ],
      },
    ],
  },
  saumpfad: {
    theme: {
      primaryColor: '#2f5d50',
      accentColor: '#a8560f',
      backgroundColor: '#f5f6f1',
      textColor: '#1b221f',
      font: 'sans',
      cornerRadius: 4,
    },
    pages: [
      {
        slug: 'home',
        title: ['Where the path begins', 'Wo der Weg beginnt'],
        blocks: [
          {
            type: 'hero',
            heading: ['Carried over the pass before you', 'Vor dir schon über den Pass getragen'],
            text: [
              'Tents, packs and wool from a workshop above Innsbruck. What breaks, we mend.',
              'Zelte, Rucksäcke und Wolle aus einer Werkstatt über Innsbruck. Was kaputtgeht, flicken wir.',
            ],
            product: 'alm-ridge-tent',
          },
          {
            type: 'products',
            heading: ['For one night out', 'Für eine Nacht draußen'],
            products: ['biwak-solo-tent', 'firn-sleeping-bag', 'wiese-mat', 'rast-tarp'],
          },
          {
            type: 'beside',
            product: 'heu-wool-sleeping-bag',
            text: [
              '## Mended, not replaced\n\nSend us what has torn, ours or anybody else’s. A zip costs a coffee, a pole two. It comes back within a week, *outside the season even sooner*.',
              '## Geflickt statt ersetzt\n\nSchick uns, was gerissen ist, ob von uns oder von anderen. Ein Reißverschluss kostet einen Kaffee, eine Stange zwei. Nach einer Woche ist es wieder bei dir, *außerhalb der Saison noch schneller*.',
            ],
          },
          {
            type: 'categories',
            heading: ['What to take along', 'Was mitkommt'],
            categories: ['tents', 'sleeping', 'backpacks', 'knitwear'],
          },
          {
            type: 'banner',
            tone: 'warning',
            text: [
              'Above 2,000 metres there is snow until June. Ask in the hut before you go.',
              'Über 2.000 Metern liegt bis Juni Schnee. Frag vor dem Aufbruch in der Hütte nach.',
            ],
          },
        ],
      },
    ],
  },
  'quire-and-crema': {
    theme: {
      primaryColor: '#26303f',
      accentColor: '#9a5b2c',
      backgroundColor: '#fdfaf4',
      textColor: '#20242b',
      font: 'serif',
      cornerRadius: 2,
    },
    pages: [
      {
        slug: 'home',
        title: ['Paper and coffee', 'Papier und Kaffee'],
        blocks: [
          {
            type: 'hero',
            heading: ['Twenty-four sheets and an espresso', 'Vierundzwanzig Bogen und ein Espresso'],
            text: [
              'Bound at the front, roasted at the back, on Warren Street in Hudson.',
              'Vorne gebunden, hinten geröstet, in der Warren Street in Hudson.',
            ],
            product: 'daily-notebook',
          },
          {
            type: 'products',
            heading: ['For the first page', 'Für die erste Seite'],
            products: ['daily-notebook', 'field-notebook', 'travel-journal', 'sketchbook', 'week-planner'],
          },
          { type: 'divider' },
          {
            type: 'text',
            text: [
              '## Tuesdays\n\nWe roast on Tuesdays, so:\n\n- coffee that you order by Monday is a day old when it leaves,\n- and the shop smells of it until Thursday.',
              '## Dienstags\n\nWir rösten dienstags, darum:\n\n- Kaffee, den du bis Montag bestellst, ist beim Versand einen Tag alt,\n- und der Laden duftet bis Donnerstag danach.',
            ],
          },
          {
            type: 'categories',
            heading: ['On the shelves', 'In den Regalen'],
            categories: ['notebooks', 'planners'],
          },
        ],
      },
      {
        slug: 'binding',
        title: ['How we bind', 'Wie wir binden'],
        blocks: [
          {
            type: 'beside',
            product: 'travel-journal',
            text: [
              '## By thread\n\nSix sheets are folded into a layer, four layers are sewn to a block. It lies flat on every page, from the first day on.',
              '## Mit Faden\n\nSechs Bogen werden zu einer Lage gefalzt, vier Lagen zu einem Block geheftet. Er liegt auf jeder Seite flach, vom ersten Tag an.',
            ],
          },
        ],
      },
    ],
  },
}
