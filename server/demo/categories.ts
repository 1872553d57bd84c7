import type { Both } from './facts.ts'

/** A category with those below it. Slugs are unique in the whole tree, so that a product names its leaf alone. */
export interface CategoryNode {
  readonly slug: string
  readonly name: Both
  readonly description?: Both
  readonly children?: readonly CategoryNode[]
}

export const categories: readonly CategoryNode[] = [
  {
    slug: 'home',
    name: ['Home & Kitchen', 'Wohnen & Küche'],
    description: ['Things for the table, the shelf and the windowsill.', 'Schönes für Tisch, Regal und Fensterbrett.'],
    children: [
      {
        slug: 'tableware',
        name: ['Tableware', 'Geschirr'],
        children: [
          { slug: 'mugs-and-cups', name: ['Mugs & Cups', 'Becher & Tassen'] },
          { slug: 'bowls', name: ['Bowls', 'Schalen & Schüsseln'] },
          { slug: 'plates', name: ['Plates & Platters', 'EventContext & Platten'] },
          { slug: 'jugs-and-teapots', name: ['Jugs & Teapots', 'Krüge & Teekannen'] },
        ],
      },
      {
        slug: 'living',
        name: ['Living', 'Wohnaccessoires'],
        children: [
          { slug: 'vases', name: ['Vases', 'Vasen'] },
          { slug: 'planters', name: ['Planters', 'Übertöpfe'] },
          { slug: 'candles', name: ['Candles & Holders', 'Kerzen & Leuchter'] },
          { slug: 'lamps', name: ['Lamps', 'Leuchten'] },
        ],
      },
      {
        slug: 'kitchen-and-bath',
        name: ['Kitchen & Bath', 'Küche & Bad'],
        children: [
          { slug: 'storage', name: ['Storage', 'Aufbewahrung'] },
          { slug: 'boards-and-linen', name: ['Boards & Linen', 'Bretter & Leinen'] },
          { slug: 'bath', name: ['Bath', 'Bad'] },
        ],
      },
      {
        slug: 'home-textiles',
        name: ['Home Textiles', 'Heimtextilien'],
        children: [
          { slug: 'blankets', name: ['Blankets', 'Decken & Plaids'] },
          { slug: 'cushions', name: ['Cushions', 'Kissen'] },
        ],
      },
    ],
  },
  {
    slug: 'outdoor',
    name: ['Outdoor', 'Draußen'],
    description: ['For nights under canvas and long days on foot.', 'Für Nächte im Zelt und lange Tage zu Fuß.'],
    children: [
      {
        slug: 'camp',
        name: ['Camp', 'Camping'],
        children: [
          { slug: 'tents', name: ['Tents & Shelters', 'Zelte & Tarps'] },
          { slug: 'sleeping', name: ['Sleeping', 'Schlafen'] },
          { slug: 'camp-kitchen', name: ['Camp Kitchen', 'Campingküche'] },
          { slug: 'light', name: ['Light', 'Licht'] },
        ],
      },
      {
        slug: 'carry',
        name: ['Packs & Bags', 'Rucksäcke & Taschen'],
        children: [
          { slug: 'backpacks', name: ['Backpacks', 'Rucksäcke'] },
          { slug: 'totes', name: ['Totes', 'Beutel'] },
        ],
      },
      {
        slug: 'clothing',
        name: ['Clothing', 'Bekleidung'],
        children: [
          { slug: 'jackets', name: ['Jackets & Vests', 'Jacken & Westen'] },
          { slug: 'knitwear', name: ['Knitwear', 'Strick'] },
          { slug: 'shirts', name: ['Shirts', 'Hemden & Shirts'] },
          { slug: 'accessories', name: ['Hats, Gloves & Socks', 'Mützen, Handschuhe & Socken'] },
        ],
      },
      {
        slug: 'way-finding',
        name: ['Finding the Way', 'Unterwegs'],
        children: [{ slug: 'maps-and-guides', name: ['Maps & Guides', 'Karten & Führer'] }],
      },
    ],
  },
  {
    slug: 'paper',
    name: ['Paper & Books', 'Papier & Bücher'],
    description: ['For thinking by hand.', 'Für alle, die mit der Hand denken.'],
    children: [
      {
        slug: 'bound-paper',
        name: ['Notebooks & Planners', 'Hefte & Kalender'],
        children: [
          { slug: 'notebooks', name: ['Notebooks', 'Notizbücher'] },
          { slug: 'planners', name: ['Planners', 'Planer'] },
        ],
      },
      {
        slug: 'writing',
        name: ['Writing', 'Schreiben'],
        children: [
          { slug: 'pens', name: ['Pens', 'Stifte & Füller'] },
          { slug: 'inks', name: ['Inks', 'Tinten'] },
          { slug: 'pencils', name: ['Pencils', 'Bleistifte'] },
        ],
      },
      {
        slug: 'desk-and-wall',
        name: ['Desk & Wall', 'Schreibtisch & Wand'],
        children: [
          { slug: 'desk-things', name: ['Desk Things', 'Für den Schreibtisch'] },
          { slug: 'prints', name: ['Prints & Calendars', 'Drucke & Wandkalender'] },
          { slug: 'cards', name: ['Cards & Letters', 'Karten & Briefpapier'] },
        ],
      },
      {
        slug: 'reading',
        name: ['Reading', 'Lesen'],
        children: [
          { slug: 'books', name: ['Books', 'Bücher'] },
          { slug: 'downloads', name: ['Downloads', 'Downloads'] },
        ],
      },
    ],
  },
  {
    slug: 'coffee-and-tea',
    name: ['Coffee & Tea', 'Kaffee & Tee'],
    description: ['Roasted on Tuesdays, posted on Wednesdays.', 'Dienstags geröstet, mittwochs verschickt.'],
    children: [
      {
        slug: 'coffee',
        name: ['Coffee', 'Kaffee'],
        children: [
          { slug: 'espresso', name: ['Espresso Roasts', 'Espressoröstungen'] },
          { slug: 'filter', name: ['Filter Roasts', 'Filterröstungen'] },
        ],
      },
      {
        slug: 'leaf-and-cocoa',
        name: ['Tea & Chocolate', 'Tee & Schokolade'],
        children: [
          { slug: 'tea', name: ['Tea', 'Tee'] },
          { slug: 'chocolate', name: ['Chocolate', 'Schokolade'] },
        ],
      },
      {
        slug: 'brewing',
        name: ['Brewing', 'Zubereitung'],
        children: [
          { slug: 'brewers', name: ['Brewers', 'Handfilter & Kannen'] },
          { slug: 'kettles-and-mills', name: ['Kettles & Mills', 'Kessel & Mühlen'] },
        ],
      },
    ],
  },
  {
    slug: 'gifts',
    name: ['Gifts', 'Geschenke'],
    children: [
      {
        slug: 'vouchers',
        name: ['Vouchers', 'Gutscheine'],
        children: [
          { slug: 'gift-cards', name: ['Gift Cards', 'Geschenkgutscheine'] },
          { slug: 'workshops', name: ['Workshops', 'Kurse'] },
        ],
      },
    ],
  },
]
