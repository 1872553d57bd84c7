import { type Choice, store } from '../facts.ts'

const COVER = { name: 'colour', label: ['Cover', 'Einband'] } as const
const COLOUR = { name: 'colour', label: ['Colour', 'Farbe'] } as const

const RULING: Choice = {
  name: 'ruling',
  label: ['Ruling', 'Lineatur'],
  values: [
    { value: 'plain', code: 'P', label: ['Plain', 'Blanko'] },
    { value: 'lined', code: 'L', label: ['Lined', 'Liniert'] },
    { value: 'dotted', code: 'D', label: ['Dotted', 'Punktraster'] },
  ],
}

const NIB: Choice = {
  name: 'nib',
  label: ['Nib', 'Feder'],
  values: [
    { value: 'F', code: 'F', label: ['Fine', 'Fein'] },
    { value: 'M', code: 'M', label: ['Medium', 'Mittel'] },
    { value: 'B', code: 'B', label: ['Broad', 'Breit'] },
  ],
}

const BAG: Choice = {
  name: 'weight',
  label: ['Weight', 'Gewicht'],
  values: [
    { value: '250g', code: '250', label: ['250 g', '250 g'] },
    { value: '500g', code: '500', label: ['500 g', '500 g'], priceFactor: 1.9, weightFactor: 1.95 },
    { value: '1kg', code: '1000', label: ['1 kg', '1 kg'], priceFactor: 3.6, weightFactor: 3.85 },
  ],
}

const TEA_BAG: Choice = { ...BAG, values: [{ value: '100g', code: '100', label: ['100 g', '100 g'] }, { value: '250g', code: '250', label: ['250 g', '250 g'], priceFactor: 2.2, weightFactor: 2.3 }] }

const PRINT_SIZE: Choice = {
  name: 'size',
  label: ['Size', 'Format'],
  values: [
    { value: '30x40', code: '30', label: ['30 × 40 cm', '30 × 40 cm'] },
    { value: '50x70', code: '50', label: ['50 × 70 cm', '50 × 70 cm'], priceFactor: 1.6, weightFactor: 1.7 },
  ],
}

/** Paper, books and coffee on Warren Street. Its prices are net, as prices in America are. */
export const quire = store({
  slug: 'quire-and-crema',
  name: ['Quire & Crema', 'Quire & Crema'],
  description: [
    'A shop for paper at the front and a roastery at the back, in Hudson, New York. A quire is twenty-four sheets; the rest of the name is what the espresso wears. We bind notebooks, fill ink bottles, roast on Tuesdays and put the books we love between the two.',
    'Vorne ein Laden für Papier, hinten eine Rösterei, in Hudson im Staat New York. Ein Quire sind vierundzwanzig Bogen, die Crema trägt der Espresso. Wir binden Hefte, füllen Tinte ab, rösten dienstags und stellen die Bücher, die wir lieben, dazwischen.',
  ],
  backdrop: 'disc',
  currencies: ['USD', 'EUR'],
  locales: ['en', 'de'],
  countries: ['US', 'GB', 'DE', 'AT', 'FR', 'NL'],
  pricesIncludeTax: false,
  logo: { motif: 'notebook', tone: 'ink', second: 'oat' },
  contactEmail: 'hello@quire-and-crema.example',
  policies: [
    {
      type: 'returns',
      title: ['Returns within 60 days', 'Rückgabe innerhalb von 60 Tagen'],
      text: [
        'Unused paper goods and unread books come back within 60 days, no reason asked. Coffee and tea are food and cannot be returned, but tell us if one disappoints you: we will find you another.',
        'Unbenutzte Papierwaren und ungelesene Bücher nehmen wir 60 Tage lang ohne Begründung zurück. Kaffee und Tee sind Lebensmittel und davon ausgenommen. Wenn einer enttäuscht, schreib uns: Wir finden einen anderen.',
      ],
    },
    {
      type: 'shipping',
      title: ['Posted on Wednesdays and Saturdays', 'Versand mittwochs und samstags'],
      text: [
        'Orders with coffee leave the day after roasting. Everything travels in paper; there is no plastic in our boxes.',
        'Bestellungen mit Kaffee gehen am Tag nach dem Rösten raus. Alles reist in Papier, Plastik kommt uns nicht in den Karton.',
      ],
    },
  ],
  families: {
    notebook: {
      category: 'notebooks', colour: COVER, choice: RULING, weightGrams: 340, material: ['Cotton paper, book cloth', 'Baumwollpapier, Buchleinen'], origin: ['Bound in Hudson, New York', 'Gebunden in Hudson, New York'],
      details: [
        'Thread-sewn, so it lies flat on every page. The 100 g paper takes fountain pens without bleeding.',
        'Fadengeheftet, darum liegt es auf jeder Seite flach. Das 100-g-Papier verträgt Füller, ohne durchzuschlagen.',
      ],
    },
    sketchbook: {
      category: 'notebooks', colour: COVER, weightGrams: 520, material: ['Rag paper', 'Hadernpapier'], origin: ['Bound in Hudson, New York', 'Gebunden in Hudson, New York'],
      details: ['Acid-free and heavy enough for a wash of water.', 'Säurefrei und kräftig genug für eine Lage Wasserfarbe.'],
    },
    planner: {
      category: 'planners', colour: COVER, weightGrams: 390, material: ['Recycled paper, book cloth', 'Recyclingpapier, Buchleinen'], origin: ['Printed in Vermont, USA', 'Gedruckt in Vermont, USA'],
      details: ['With two ribbons, a pocket at the back and no advice on how to live.', 'Mit zwei Lesebändchen, einer Tasche hinten und ohne Ratschläge fürs Leben.'],
    },
    pen: {
      category: 'pens', colour: COLOUR, weightGrams: 60, material: ['Brass, lacquer', 'Messing, Lack'], origin: ['Turned in Connecticut, USA', 'Gedreht in Connecticut, USA'],
      details: ['Takes the refill that you can buy anywhere. Comes in a cardboard tube.', 'Nimmt die Mine, die es überall gibt. Kommt in einer Papphülse.'],
    },
    fountainPen: {
      category: 'pens', colour: COLOUR, choice: NIB, weightGrams: 70, material: ['Resin, steel nib', 'Edelharz, Stahlfeder'], origin: ['Made in Baden, Germany', 'Hergestellt in Baden'],
      details: ['With a converter for bottled ink and one cartridge to begin with. Every nib is written in by hand.', 'Mit Konverter für Tinte aus dem Glas und einer Patrone zum Anfangen. Jede Feder wird von Hand eingeschrieben.'],
    },
    ink: {
      category: 'inks', weightGrams: 210, origin: ['Mixed in Hudson, New York', 'Gemischt in Hudson, New York'],
      details: ['Water-based, safe for every fountain pen, washable from cotton if you are quick.', 'Auf Wasserbasis, für jeden Füller geeignet und aus Baumwolle auswaschbar, wenn du schnell bist.'],
    },
    pencil: {
      category: 'pencils', weightGrams: 50, material: ['Incense cedar', 'Weihrauchzeder'], origin: ['Made in Tennessee, USA', 'Hergestellt in Tennessee, USA'],
      details: ['Sharpened at the factory once; after that it is up to you.', 'Einmal werkseitig gespitzt, danach bist du dran.'],
    },
    desk: {
      category: 'desk-things', weightGrams: 620, material: ['Solid wood, stoneware', 'Massivholz, Steinzeug'], origin: ['Made in the Hudson Valley, USA', 'Hergestellt im Hudson Valley, USA'],
      details: ['Felt underneath, so that the desk stays as it is.', 'Unten mit Filz, damit der Tisch bleibt, wie er ist.'],
    },
    print: {
      category: 'prints', choice: PRINT_SIZE, weightGrams: 180, material: ['Risograph on 200 g paper', 'Risografie auf 200-g-Papier'], origin: ['Printed in Hudson, New York', 'Gedruckt in Hudson, New York'],
      details: ['Three inks, printed one after the other, so every sheet is a little its own. Sold without the frame.', 'Drei Farben, nacheinander gedruckt, darum ist jeder Bogen ein wenig eigen. Ohne Rahmen.'],
    },
    calendar: {
      category: 'prints', weightGrams: 260, material: ['Recycled paper', 'Recyclingpapier'], origin: ['Printed in Hudson, New York', 'Gedruckt in Hudson, New York'],
      details: ['Perforated: each month becomes a postcard when it is over.', 'Perforiert: Jeder Monat wird zur Postkarte, wenn er vorbei ist.'],
    },
    card: {
      category: 'cards', weightGrams: 40, material: ['Cotton paper', 'Baumwollpapier'], origin: ['Printed in Hudson, New York', 'Gedruckt in Hudson, New York'],
      details: ['Letterpress, with an envelope of the same paper. Blank inside.', 'Im Buchdruck gedruckt, mit Umschlag aus demselben Papier. Innen leer.'],
    },
    book: {
      category: 'books', weightGrams: 410, taxCategory: 'books', material: ['Hardback', 'Gebunden'],
      details: ['In English. We read every book before it gets a place on the shelf.', 'In englischer Sprache. Jedes Buch wird bei uns gelesen, bevor es ins Regal darf.'],
    },
    ebook: {
      category: 'downloads', weightGrams: 0, taxCategory: 'books',
      details: ['EPUB and PDF without copy protection, sent by e-mail.', 'EPUB und PDF ohne Kopierschutz, per E-Mail.'],
    },
    template: {
      category: 'downloads', weightGrams: 0, taxCategory: 'digital',
      details: ['A PDF for tablets and for printing on A4 or letter paper.', 'Ein PDF fürs Tablet und zum Ausdrucken auf A4 oder US-Letter.'],
    },
    coffee: {
      category: 'espresso', choice: BAG, weightGrams: 270, taxCategory: 'coffee_tea', origin: ['Roasted in Hudson, New York', 'Geröstet in Hudson, New York'],
      details: ['Whole beans. Roasted on Tuesday and best between the second and the sixth week.', 'Ganze Bohnen. Dienstags geröstet und zwischen der zweiten und sechsten Woche am besten.'],
    },
    filterCoffee: {
      category: 'filter', choice: BAG, weightGrams: 270, taxCategory: 'coffee_tea', origin: ['Roasted in Hudson, New York', 'Geröstet in Hudson, New York'],
      details: ['Whole beans, roasted light. Start with 60 g to a litre and water just off the boil.', 'Ganze Bohnen, hell geröstet. Für den Anfang 60 g auf einen Liter, das Wasser knapp unter dem Siedepunkt.'],
    },
    tea: {
      category: 'tea', choice: TEA_BAG, weightGrams: 190, taxCategory: 'coffee_tea',
      details: ['Loose leaf in a tin that closes tightly and may be refilled.', 'Lose Blätter in einer Dose, die dicht schließt und gern wieder aufgefüllt wird.'],
    },
    chocolate: {
      category: 'chocolate', weightGrams: 85, taxCategory: 'food', origin: ['Made in Brooklyn, New York', 'Hergestellt in Brooklyn, New York'],
      details: ['Three ingredients, two of them cocoa. Keep it cool, and not for long.', 'Drei Zutaten, zwei davon Kakao. Kühl lagern, aber nicht lange.'],
    },
    brewer: {
      category: 'brewers', colour: COLOUR, weightGrams: 640, material: ['Porcelain, glass, beech', 'Porzellan, Glas, Buche'],
      details: ['All parts can be bought one by one, should you drop something before the first cup.', 'Alle Teile gibt es einzeln, falls vor der ersten Tasse etwas herunterfällt.'],
    },
    machine: {
      category: 'kettles-and-mills', colour: COLOUR, weightGrams: 980, material: ['Steel, walnut', 'Stahl, Nussbaum'],
      details: ['Two years of warranty and spare parts for ten.', 'Zwei Jahre Garantie, zehn Jahre Ersatzteile.'],
    },
    voucher: {
      category: 'gift-cards', weightGrams: 0, taxCategory: 'vouchers',
      choice: {
        name: 'value', label: ['Value', 'Wert'],
        values: [
          { value: '20', code: '20', label: ['20', '20'] },
          { value: '50', code: '50', label: ['50', '50'], priceFactor: 2.5 },
          { value: '100', code: '100', label: ['100', '100'], priceFactor: 5 },
        ],
      },
      details: ['Arrives by e-mail within a minute and never expires.', 'Kommt binnen einer Minute per E-Mail und verfällt nie.'],
    },
  },
  products: [
    { slug: 'daily-notebook', code: 'QUI-NDAI', family: 'notebook', name: ['Daily Notebook', 'Notizbuch Alltag'], text: ['A5, 192 pages, a label on the front for the one word that says what it is for.', 'A5, 192 Seiten und vorne ein Schild für das eine Wort, das sagt, wofür es da ist.'], price: [2200, 2200], picture: { motif: 'notebook', tone: 'ink' }, colours: ['ink', 'terracotta', 'forest'], measure: 'A5', rating: [4.8, 231] },
    { slug: 'field-notebook', code: 'QUI-NFIE', family: 'notebook', name: ['Field Notebook', 'Feldbuch'], text: ['For coats with deep pockets. The elastic keeps pressed leaves in and rain out.', 'Für Mäntel mit tiefen Taschen. Das Gummiband hält gepresste Blätter drin und Regen draußen.'], price: [1600, 1600], picture: { motif: 'notebook', tone: 'moss', elastic: true, label: 'none', second: 'charcoal' }, colours: ['moss', 'ochre'], measure: '9 × 14 cm', weightGrams: 150, rating: [4.7, 144] },
    { slug: 'leaf-notebook', code: 'QUI-NLEA', family: 'notebook', name: ['Leaf Notebook', 'Notizbuch Blatt'], text: ['The cover paper is printed from a wood block that a customer found in her attic.', 'Das Bezugspapier drucken wir von einem Holzstock, den eine Kundin auf ihrem Dachboden fand.'], price: [2400, 2400], picture: { motif: 'notebook', tone: 'blush', second: 'forest', label: 'pattern' }, colours: ['blush', 'sky'], measure: 'A5', rating: [4.8, 76] },
    { slug: 'spiral-notebook', code: 'QUI-NSPI', family: 'notebook', name: ['Kraft Spiral', 'Spiralheft Kraftpapier'], text: ['The one for recipes, rehearsals and meetings. Folds back on itself and stands a coffee ring.', 'Das Heft für Rezepte, Proben und Sitzungen. Lässt sich ganz umschlagen und verträgt einen Kaffeerand.'], price: [1200, 1200], picture: { motif: 'notebook', tone: 'kraft', spiral: true }, measure: 'A5', rating: [4.5, 98] },
    { slug: 'large-ledger', code: 'QUI-NLED', family: 'notebook', name: ['Ledger', 'Kontorbuch'], text: ['A4 and two fingers thick. People use it for accounts, novels and choir scores.', 'A4 und zwei Finger dick. Manche führen darin Buch, andere schreiben Romane oder Chorsätze.'], price: [3800, 3900], picture: { motif: 'notebook', tone: 'berry', second: 'sand' }, colours: ['berry', 'charcoal'], measure: 'A4', weightGrams: 890, rating: [4.9, 42] },
    { slug: 'pocket-trio', code: 'QUI-NTRI', family: 'notebook', name: ['Three Pocket Books', 'Drei Taschenhefte'], text: ['Stapled, thin and light: one for the list, one for the thought, one to give away.', 'Geheftet, dünn und leicht: eins für die Liste, eins für den Gedanken, eins zum Verschenken.'], price: [1400, 1400], was: [1700, 1700], picture: { motif: 'notebook', tone: 'honey', label: 'pattern', second: 'rust' }, measure: '3 × A6', weightGrams: 120, stock: [22, 8, 3], rating: [4.6, 110] },
    { slug: 'travel-journal', code: 'QUI-NTRA', family: 'notebook', name: ['Travel Journal', 'Reisetagebuch'], text: ['A map pocket at the back, a ticket pocket in front, and in between room for forty days.', 'Hinten ein Fach für Karten, vorne eins für Fahrscheine und dazwischen Platz für vierzig Tage.'], price: [2900, 2900], picture: { motif: 'notebook', tone: 'teal', elastic: true, second: 'honey' }, colours: ['teal', 'walnut'], measure: 'A5', rating: [4.8, 59] },
    { slug: 'night-book', code: 'QUI-NNIG', family: 'notebook', name: ['Night Book', 'Nachtbuch'], text: ['Black paper for white ink and gold pencils. The constellations you have to bring yourself.', 'Schwarzes Papier für weiße Tinte und goldene Stifte. Die Sternbilder bringst du selbst mit.'], price: [2600, 2600], picture: { motif: 'notebook', tone: 'charcoal', label: 'none', elastic: true, second: 'honey' }, measure: 'A5', stock: [6, 0, 2], whenOutOfStock: 'backorder' },
    { slug: 'sketchbook', code: 'QUI-SKET', family: 'sketchbook', name: ['Sketchbook', 'Skizzenbuch'], text: ['Square, so that a landscape has to decide. 80 sheets with a tooth that pencils like.', 'Quadratisch, damit sich die Landschaft entscheiden muss. 80 Blatt mit einer Körnung, die der Bleistift mag.'], price: [3200, 3200], picture: { motif: 'notebook', tone: 'ochre', label: 'none', second: 'ink' }, colours: ['ochre', 'slate'], measure: '21 × 21 cm', rating: [4.7, 68] },
    { slug: 'watercolour-block', code: 'QUI-SWAT', family: 'sketchbook', name: ['Watercolour Journal', 'Aquarellbuch'], text: ['300 g rag paper that does not buckle. Opens as a panorama across two pages.', '300-g-Hadernpapier, das sich nicht wellt. Aufgeschlagen wird daraus ein Panorama über zwei Seiten.'], price: [4200, 4400], picture: { motif: 'notebook', tone: 'sky', label: 'plate', second: 'snow' }, measure: 'A5', weightGrams: 610, rating: [4.8, 33] },

    { slug: 'week-planner', code: 'QUI-PWEE', family: 'planner', name: ['Week Planner', 'Wochenplaner'], text: ['A week on the left, blank on the right. Undated, so that it begins when you do.', 'Links eine Woche, rechts eine leere Seite. Ohne Datum, damit er dann beginnt, wenn du beginnst.'], price: [2800, 2900], picture: { motif: 'notebook', tone: 'sage', elastic: true, second: 'terracotta' }, colours: ['sage', 'plum'], measure: 'A5', rating: [4.7, 121] },
    { slug: 'day-planner', code: 'QUI-PDAY', family: 'planner', name: ['Day Planner 2027', 'Tagesplaner 2027'], text: ['A page for each day and none for the weekend that has to be shared.', 'Eine Seite für jeden Tag, und auch Samstag und Sonntag müssen sich keine teilen.'], price: [3400, 3500], picture: { motif: 'notebook', tone: 'rust', second: 'oat' }, colours: ['rust', 'ink'], measure: 'A5', stock: 0, whenOutOfStock: 'preorder', weightGrams: 560 },
    { slug: 'garden-planner', code: 'QUI-PGAR', family: 'planner', name: ['Garden Planner', 'Gartenplaner'], text: ['Five years side by side: what was sown when, what came up, and what the snails had.', 'Fünf Jahre nebeneinander: was wann gesät wurde, was aufging und was die Schnecken hatten.'], price: [3600, 3700], picture: { motif: 'notebook', tone: 'forest', label: 'pattern', second: 'sage' }, measure: '17 × 24 cm', rating: [4.9, 47] },

    { slug: 'everyday-ballpoint', code: 'QUI-EBAL', family: 'pen', name: ['Everyday Ballpoint', 'Kugelschreiber Alltag'], text: ['Hexagonal, so that it stays on the desk. The click has been approved by an entire reading room.', 'Sechskantig, damit er nicht vom Tisch rollt. Das Klicken wurde von einem ganzen Lesesaal genehmigt.'], price: [3400, 3500], picture: { motif: 'pen', tone: 'ink' }, colours: ['ink', 'terracotta', 'forest', 'honey'], rating: [4.7, 162] },
    { slug: 'brass-ballpoint', code: 'QUI-EBRA', family: 'pen', name: ['Raw Brass Pen', 'Stift aus rohem Messing'], text: ['Unlacquered. In a month it will look like yours and nobody else’s.', 'Unlackiert. Nach einem Monat sieht er aus wie deiner und wie kein anderer.'], price: [4800, 4900], picture: { motif: 'pen', tone: 'brass', second: 'copper' }, rating: [4.8, 54], weightGrams: 90 },
    { slug: 'brush-pen', code: 'QUI-EBRU', family: 'pen', name: ['Brush Pen', 'Pinselstift'], text: ['A nylon tip that springs back. Good for addresses, better for cats.', 'Eine Nylonspitze, die zurückfedert. Gut für Adressen, besser für Katzen.'], price: [1100, 1200], picture: { motif: 'pen', tone: 'charcoal', kind: 'brush' }, colours: ['charcoal', 'berry', 'teal'], rating: [4.6, 83], weightGrams: 20 },
    { slug: 'student-fountain-pen', code: 'QUI-FSTU', family: 'fountainPen', name: ['First Fountain Pen', 'Erster Füller'], text: ['Forgiving and hard to break. We gave one to each of our children, and took them back for ourselves.', 'Verzeiht viel und geht kaum kaputt. Wir haben jedem unserer Kinder einen geschenkt und ihn dann selbst behalten.'], price: [2900, 2900], picture: { motif: 'pen', tone: 'terracotta', kind: 'fountain', second: 'steel' }, colours: ['terracotta', 'sky', 'moss'], rating: [4.7, 129] },
    { slug: 'classic-fountain-pen', code: 'QUI-FCLA', family: 'fountainPen', name: ['Hudson Fountain Pen', 'Füllfederhalter Hudson'], text: ['Slim, black-blue and heavier than it looks. It starts at the first stroke after a week in the drawer.', 'Schlank, blauschwarz und schwerer, als er aussieht. Auch nach einer Woche in der Schublade schreibt er beim ersten Strich.'], price: [8900, 9500], picture: { motif: 'pen', tone: 'ink', kind: 'fountain' }, colours: ['ink', 'plum'], rating: [4.9, 62] },
    { slug: 'gold-nib-pen', code: 'QUI-FGOL', family: 'fountainPen', name: ['Gold Nib Pen', 'Füller mit Goldfeder'], text: ['A 14-carat nib that bends a little and writes the way a violin sounds. For signatures that matter.', 'Eine Feder aus 14-karätigem Gold, die ein wenig nachgibt und schreibt, wie eine Geige klingt. Für Unterschriften, auf die es ankommt.'], price: [24900, 26500], picture: { motif: 'pen', tone: 'forest', kind: 'fountain' }, stock: [2, 1, 0], whenOutOfStock: 'backorder', rating: [5, 11] },

    { slug: 'ink-river-blue', code: 'QUI-IRIV', family: 'ink', name: ['Ink River Blue', 'Tinte Flussblau'], text: ['The Hudson on a clear morning in March. Dries a shade darker than it flows.', 'Der Hudson an einem klaren Morgen im März. Trocknet eine Spur dunkler, als sie fließt.'], price: [1800, 1900], picture: { motif: 'inkBottle', tone: 'cobalt' }, measure: '50 ml', rating: [4.8, 104] },
    { slug: 'ink-maple', code: 'QUI-IMAP', family: 'ink', name: ['Ink Maple', 'Tinte Ahorn'], text: ['A red that has thought about being brown. Shades beautifully with a broad nib.', 'Ein Rot, das darüber nachgedacht hat, braun zu werden. Schattiert mit breiter Feder besonders schön.'], price: [1800, 1900], picture: { motif: 'inkBottle', tone: 'rust' }, measure: '50 ml', rating: [4.7, 56] },
    { slug: 'ink-hemlock', code: 'QUI-IHEM', family: 'ink', name: ['Ink Hemlock', 'Tinte Hemlock'], text: ['A deep green, named after the tree and harmless.', 'Ein tiefes Grün, benannt nach dem Baum und völlig harmlos.'], price: [1800, 1900], picture: { motif: 'inkBottle', tone: 'forest' }, measure: '50 ml', rating: [4.6, 38] },
    { slug: 'ink-soot', code: 'QUI-ISOO', family: 'ink', name: ['Ink Soot', 'Tinte Ruß'], text: ['Black without a blue thought in it. Waterproof once it is dry.', 'Schwarz ohne jeden Gedanken an Blau. Getrocknet wasserfest.'], price: [2000, 2100], picture: { motif: 'inkBottle', tone: 'charcoal', second: 'brass' }, measure: '50 ml', stock: [5], rating: [4.8, 49] },
    { slug: 'five-colour-pencils', code: 'QUI-GFIV', family: 'pencil', name: ['Five Coloured Pencils', 'Fünf Buntstifte'], text: ['Ochre, ink, terracotta, forest, blush: a whole autumn in one fist.', 'Ocker, Tinte, Terrakotta, Tanne, Altrosa: ein ganzer Herbst in einer Faust.'], price: [1400, 1400], picture: { motif: 'pencils', tones: ['ochre', 'ink', 'terracotta', 'forest', 'blush'] }, rating: [4.7, 71] },
    { slug: 'writing-pencils', code: 'QUI-GWRI', family: 'pencil', name: ['Three Writing Pencils', 'Drei Schreibbleistifte'], text: ['Soft, softer, softest. The cedar smells of school, in the good sense.', 'Weich, weicher, am weichsten. Das Zedernholz riecht nach Schule, im guten Sinn.'], price: [900, 900], picture: { motif: 'pencils', tones: ['charcoal', 'slate', 'kraft'] }, weightGrams: 25, rating: [4.8, 139] },
    { slug: 'red-blue-pencils', code: 'QUI-GRED', family: 'pencil', name: ['Editor’s Pencils', 'Korrekturstifte'], text: ['Red for what must go and blue for what may stay. Used by two publishers we know.', 'Rot für das, was weg muss, Blau für das, was bleiben darf. Zwei Verlage, die wir kennen, benutzen sie.'], price: [800, 800], picture: { motif: 'pencils', tones: ['berry', 'cobalt'] }, weightGrams: 20 },

    { slug: 'desk-tray', code: 'QUI-DTRA', family: 'desk', name: ['Desk Tray', 'Stiftablage'], text: ['Milled from one piece of oak: a long room for pens and a small one for everything else.', 'Aus einem Stück Eiche gefräst: ein langes Fach für Stifte und ein kleines für den Rest.'], price: [4600, 4900], picture: { motif: 'tray', tone: 'oak' }, measure: '28 × 16 cm', rating: [4.7, 45] },
    { slug: 'pen-cup', code: 'QUI-DCUP', family: 'desk', name: ['Pen Cup', 'Stiftebecher'], text: ['Speckled stoneware from our neighbours in Germany, heavy enough for scissors.', 'Gesprenkeltes Steinzeug von befreundeten Töpfern, schwer genug für Scheren.'], price: [2600, 2800], picture: { motif: 'penCup', tone: 'snow' }, measure: 'Ø 9 cm', rating: [4.8, 52] },
    { slug: 'desk-lamp', code: 'QUI-DLAM', family: 'desk', name: ['Reading Lamp', 'Leselampe'], text: ['Throws its light where the book is and nowhere else.', 'Wirft ihr Licht dorthin, wo das Buch liegt, und nirgends sonst.'], price: [13900, 14500], picture: { motif: 'lamp', tone: 'charcoal', shape: 'dome', shade: 'forest' }, weightGrams: 1900, stock: [4], rating: [4.6, 18] },
    { slug: 'paper-tape', code: 'QUI-DTAP', family: 'desk', name: ['Paper Tape Trio', 'Drei Rollen Papierklebeband'], text: ['Tears straight, sticks twice and comes off again without taking the wall along.', 'Reißt gerade, klebt zweimal und geht wieder ab, ohne die Wand mitzunehmen.'], price: [900, 900], picture: { motif: 'tape', tones: ['terracotta', 'sage', 'honey'] }, measure: '3 × 10 m', weightGrams: 60, rating: [4.6, 125] },

    { slug: 'print-catskills', code: 'QUI-WCAT', family: 'print', name: ['Print: Catskills', 'Druck: Catskills'], text: ['The view from the roastery roof, reduced to three colours and one sun.', 'Der Blick vom Dach der Rösterei, verdichtet auf drei Farben und eine Sonne.'], price: [3500, 3600], picture: { motif: 'poster', tone: 'moss' }, rating: [4.8, 39] },
    { slug: 'print-moon', code: 'QUI-WMOO', family: 'print', name: ['Print: Harvest Moon', 'Druck: Erntemond'], text: ['Printed on the night it shows, as every year.', 'Gedruckt in der Nacht, die er zeigt, wie jedes Jahr.'], price: [3500, 3600], picture: { motif: 'poster', tone: 'ink', second: 'honey', scene: 'moon' }, stock: [9, 2], rating: [4.9, 27] },
    { slug: 'print-shapes', code: 'QUI-WSHA', family: 'print', name: ['Print: Three Friends', 'Druck: Drei Freunde'], text: ['A circle, a square and a triangle who get along. Popular above cots and in law firms.', 'Kreis, Quadrat und Dreieck, die sich gut verstehen. Beliebt über Kinderbetten und in Kanzleien.'], price: [2900, 3000], was: [3500, 3600], picture: { motif: 'poster', tone: 'teal', scene: 'shapes' } },
    { slug: 'print-cup', code: 'QUI-WCUP', family: 'print', name: ['Print: First Cup', 'Druck: Die erste Tasse'], text: ['For the kitchen wall, at the height of tired eyes.', 'Für die Küchenwand, auf Höhe müder Augen.'], price: [2900, 3000], picture: { motif: 'poster', tone: 'rust', scene: 'cup', second: 'ink' }, rating: [4.7, 44] },
    { slug: 'wall-calendar', code: 'QUI-WCAL', family: 'calendar', name: ['Wall Calendar 2027', 'Wandkalender 2027'], text: ['Twelve landscapes within a day’s walk of the shop. Ships in the first week of December.', 'Zwölf Landschaften, vom Laden aus zu Fuß erreichbar. Lieferbar ab der ersten Dezemberwoche.'], price: [2400, 2500], picture: { motif: 'calendar', tone: 'teal' }, stock: 0, whenOutOfStock: 'preorder' },
    { slug: 'card-thank-you', code: 'QUI-CTHA', family: 'card', name: ['Card: Flower', 'Karte: Blume'], text: ['For thanks, for apologies and for no reason.', 'Zum Danken, zum Entschuldigen und einfach so.'], price: [550, 550], picture: { motif: 'card', tone: 'blush' }, rating: [4.8, 63] },
    { slug: 'card-stars', code: 'QUI-CSTA', family: 'card', name: ['Card: Stars', 'Karte: Sterne'], text: ['Goes with birthdays, exams and newborns, in that order.', 'Passt zu Geburtstagen, Prüfungen und Neugeborenen, in dieser Reihenfolge.'], price: [550, 550], picture: { motif: 'card', tone: 'sky', second: 'ink', print: 'stars' }, rating: [4.7, 41] },
    { slug: 'card-heart', code: 'QUI-CHEA', family: 'card', name: ['Card: Heart', 'Karte: Herz'], text: ['Says it, so that you only have to sign.', 'Sagt es für dich, du musst nur noch unterschreiben.'], price: [550, 550], picture: { motif: 'card', tone: 'oat', second: 'berry', print: 'heart' } },
    { slug: 'card-winter', code: 'QUI-CWIN', family: 'card', name: ['Ten Winter Cards', 'Zehn Winterkarten'], text: ['One tree, ten times, no glitter.', 'Ein Baum, zehnmal, kein Glitzer.'], price: [2400, 2500], picture: { motif: 'card', tone: 'sage', second: 'forest', print: 'tree' }, weightGrams: 260, stock: [3], rating: [4.9, 30] },
    { slug: 'writing-paper', code: 'QUI-CPAP', family: 'card', name: ['Writing Paper, 40 Sheets', 'Briefpapier, 40 Bogen'], text: ['With twenty envelopes. The sheet is slightly too small for complaints.', 'Mit zwanzig Umschlägen. Für Beschwerden ist der Bogen ein wenig zu klein.'], price: [1900, 1900], picture: { motif: 'ream', tone: 'sky' }, measure: 'A5', weightGrams: 420, rating: [4.7, 58] },

    { slug: 'book-slow-mornings', code: 'QUI-BSLO', family: 'book', name: ['Slow Mornings', 'Slow Mornings'], text: ['Thirty breakfasts from thirty kitchens, with the radio programmes that belong to them. 208 pages.', 'Dreißig Frühstücke aus dreißig Küchen, samt den Radiosendungen, die dazugehören. 208 Seiten.'], price: [3200, 3400], picture: { motif: 'book', tone: 'ochre', second: 'snow', cover: 'cup' }, rating: [4.7, 36] },
    { slug: 'book-hand-lettering', code: 'QUI-BLET', family: 'book', name: ['A Hand for Letters', 'A Hand for Letters'], text: ['How to draw the alphabet, told by a sign painter who started with fish shops. 176 pages.', 'Wie man das Alphabet zeichnet, erzählt von einer Schildermalerin, die mit Fischläden anfing. 176 Seiten.'], price: [3600, 3800], picture: { motif: 'book', tone: 'berry', second: 'oat', cover: 'letters' }, rating: [4.8, 24] },
    { slug: 'book-the-bean', code: 'QUI-BBEA', family: 'book', name: ['The Bean and the Boat', 'The Bean and the Boat'], text: ['A history of coffee by way of its ships: storms, taxes, and a sack that was swapped for a piano. 320 pages.', 'Eine Geschichte des Kaffees entlang seiner Schiffe: Stürme, Steuern und ein Sack, der gegen ein Klavier getauscht wurde. 320 Seiten.'], price: [2800, 2900], picture: { motif: 'book', tone: 'teal', second: 'honey', cover: 'wave' }, rating: [4.6, 52] },
    { slug: 'book-house-plants', code: 'QUI-BPLA', family: 'book', name: ['Plants That Forgive', 'Plants That Forgive'], text: ['Forty houseplants for people who travel, forget and overwater. 144 pages.', 'Vierzig Zimmerpflanzen für Leute, die verreisen, vergessen und zu viel gießen. 144 Seiten.'], price: [2400, 2500], picture: { motif: 'book', tone: 'forest', second: 'sage', cover: 'leaf' }, rating: [4.8, 61] },
    { slug: 'book-small-houses', code: 'QUI-BHOU', family: 'book', name: ['Small Houses, Long Views', 'Small Houses, Long Views'], text: ['Eighteen cabins under fifty square metres, with plans at the back. 256 pages.', 'Achtzehn Hütten unter fünfzig Quadratmetern, die Pläne hinten im Buch. 256 Seiten.'], price: [4500, 4800], was: [5200, 5500], picture: { motif: 'book', tone: 'rust', second: 'sand', cover: 'house' }, weightGrams: 980, stock: [7] },
    { slug: 'book-valley-poems', code: 'QUI-BPOE', family: 'book', name: ['Valley Poems', 'Valley Poems'], text: ['Fifty-two poems, one for each week, none longer than a cup of coffee. 96 pages.', 'Zweiundfünfzig Gedichte, eines für jede Woche, keines länger als eine Tasse Kaffee. 96 Seiten.'], price: [1800, 1900], picture: { motif: 'book', tone: 'ink', second: 'honey', cover: 'sun' }, weightGrams: 210, rating: [4.9, 19] },
    { slug: 'ebook-the-bean', code: 'QUI-EBEA', family: 'ebook', name: ['The Bean and the Boat (e-book)', 'The Bean and the Boat (E-Book)'], text: ['The same storms and the same piano, in your pocket. In English.', 'Dieselben Stürme und dasselbe Klavier für die Hosentasche. Auf Englisch.'], price: [1400, 1500], picture: { motif: 'download', tone: 'teal', second: 'ochre' }, stock: 'endless', rating: [4.5, 22] },
    { slug: 'template-week', code: 'QUI-ETEM', family: 'template', name: ['Week Planner for Tablets', 'Wochenplaner fürs Tablet'], text: ['Our planner with links between the days, for those who write on glass.', 'Unser Planer mit Sprüngen zwischen den Tagen, für alle, die auf Glas schreiben.'], price: [700, 800], picture: { motif: 'download', tone: 'sage', page: 'planner' }, stock: 'endless', rating: [4.4, 67] },

    { slug: 'espresso-depot', code: 'QUI-KDEP', family: 'coffee', name: ['Depot Espresso', 'Espresso Depot'], text: ['Our house blend: Brazil for the body, Guatemala for the chocolate, a little Ethiopia for the surprise. Kind to milk.', 'Unsere Hausmischung: Brasilien für den Körper, Guatemala für die Schokolade, ein wenig Äthiopien für die Überraschung. Verträgt sich mit Milch.'], price: [1390, 1450], picture: { motif: 'coffeeBag', tone: 'charcoal', second: 'ochre' }, rating: [4.8, 318] },
    { slug: 'espresso-night-train', code: 'QUI-KNIG', family: 'coffee', name: ['Night Train Espresso', 'Espresso Nachtzug'], text: ['Dark, but not burned. Tastes of walnut, molasses and the last carriage to Albany.', 'Dunkel, aber nicht verbrannt. Schmeckt nach Walnuss, Melasse und dem letzten Wagen nach Albany.'], price: [1290, 1350], picture: { motif: 'coffeeBag', tone: 'ink', second: 'rust' }, rating: [4.7, 204] },
    { slug: 'espresso-decaf', code: 'QUI-KDEC', family: 'coffee', name: ['Late Show Decaf', 'Koffeinfrei Spätvorstellung'], text: ['Decaffeinated with water and sugar cane, so the evening stays an evening.', 'Mit Wasser und Zuckerrohr entkoffeiniert, damit der Abend ein Abend bleibt.'], price: [1490, 1550], picture: { motif: 'coffeeBag', tone: 'plum', second: 'blush', label: 'sun' }, rating: [4.6, 77] },
    { slug: 'espresso-single-farm', code: 'QUI-KSIN', family: 'coffee', name: ['Single Farm Espresso', 'Espresso von einer Farm'], text: ['A different farm each quarter; just now a cooperative in Huila, Colombia. Red apple, caramel, a long finish.', 'Jedes Quartal eine andere Farm, zurzeit eine Kooperative in Huila, Kolumbien. Roter Apfel, Karamell, langer Nachklang.'], price: [1690, 1790], picture: { motif: 'coffeeBag', tone: 'oat', second: 'berry', label: 'leaf' }, stock: [26, 4, 0], rating: [4.9, 58] },
    { slug: 'filter-morning-paper', code: 'QUI-KMOR', family: 'filterCoffee', name: ['Morning Paper Filter', 'Filterkaffee Morgenzeitung'], text: ['Mild, round and the same every day, so that the news may be the surprise.', 'Mild, rund und jeden Tag gleich, damit die Überraschungen in der Zeitung stehen.'], price: [1290, 1350], picture: { motif: 'coffeeBag', tone: 'kraft', second: 'ink' }, rating: [4.7, 251] },
    { slug: 'filter-high-meadow', code: 'QUI-KHIG', family: 'filterCoffee', name: ['High Meadow Filter', 'Filterkaffee Bergwiese'], text: ['Washed Ethiopian beans that smell of jasmine before the water touches them.', 'Gewaschene Bohnen aus Äthiopien, die nach Jasmin duften, noch ehe das Wasser sie berührt.'], price: [1690, 1790], picture: { motif: 'coffeeBag', tone: 'sage', second: 'forest', label: 'mountain' }, rating: [4.9, 112] },
    { slug: 'filter-orchard', code: 'QUI-KORC', family: 'filterCoffee', name: ['Orchard Filter', 'Filterkaffee Obstgarten'], text: ['A natural from Burundi: plum jam, black tea and somebody baking next door.', 'Ein Natural aus Burundi: Pflaumenmus, Schwarztee und jemand, der nebenan backt.'], price: [1790, 1890], picture: { motif: 'coffeeBag', tone: 'blush', second: 'plum', label: 'leaf' }, rating: [4.8, 64] },
    { slug: 'filter-seasonal', code: 'QUI-KSEA', family: 'filterCoffee', name: ['First Snow Filter', 'Filterkaffee Erster Schnee'], text: ['Our winter coffee, with cinnamon in the aroma and none in the bag.', 'Unser Winterkaffee: Zimt im Duft, aber keiner in der Tüte.'], price: [1490, 1550], was: [1690, 1750], picture: { motif: 'coffeeBag', tone: 'snow', second: 'sky', label: 'mountain' }, stock: [18, 6, 3], rating: [4.7, 35] },
    { slug: 'tea-river-mist', code: 'QUI-TRIV', family: 'tea', name: ['River Mist Green', 'Grüntee Flussnebel'], text: ['Steamed Japanese leaves, fresh as a cut lawn. Two minutes at 75 °C, not a second more.', 'Gedämpfte Blätter aus Japan, frisch wie gemähter Rasen. Zwei Minuten bei 75 °C, keine Sekunde länger.'], price: [1400, 1500], picture: { motif: 'tin', tone: 'sage' }, rating: [4.7, 55] },
    { slug: 'tea-study-black', code: 'QUI-TSTU', family: 'tea', name: ['Study Black', 'Schwarztee Lesezimmer'], text: ['Assam and a little Keemun: strong enough for milk and for chapter nine.', 'Assam mit etwas Keemun: stark genug für Milch und für Kapitel neun.'], price: [1200, 1300], picture: { motif: 'tin', tone: 'ink' }, rating: [4.8, 89] },
    { slug: 'tea-porch-herbal', code: 'QUI-TPOR', family: 'tea', name: ['Porch Herbal', 'Kräutertee Veranda'], text: ['Mint, verbena and rose hips from the valley. As good cold, with ice.', 'Minze, Verbene und Hagebutten aus dem Tal. Kalt mit Eis genauso gut.'], price: [1100, 1200], picture: { motif: 'tin', tone: 'terracotta', second: 'honey' }, rating: [4.6, 70] },
    { slug: 'chocolate-seventy', code: 'QUI-HSEV', family: 'chocolate', name: ['Dark Chocolate 70 %', 'Dunkle Schokolade 70 %'], text: ['From Dominican cocoa, ground for three days. Snaps loudly.', 'Aus dominikanischem Kakao, drei Tage lang gewalzt. Bricht mit lautem Knacken.'], price: [750, 800], picture: { motif: 'chocolate', tone: 'plum' }, measure: '75 g', rating: [4.8, 147] },
    { slug: 'chocolate-coffee', code: 'QUI-HCOF', family: 'chocolate', name: ['Coffee Milk Chocolate', 'Kaffee-Milchschokolade'], text: ['With our own Depot espresso, ground as fine as the sugar.', 'Mit unserem Espresso Depot, so fein gemahlen wie der Zucker.'], price: [750, 800], picture: { motif: 'chocolate', tone: 'teal', second: 'blush' }, measure: '75 g', rating: [4.9, 93] },

    { slug: 'porcelain-dripper', code: 'QUI-XDRI', family: 'brewer', name: ['Porcelain Dripper with Server', 'Handfilter mit Kanne'], text: ['Ribs that let the coffee breathe, a collar of beech that keeps fingers cool.', 'Rippen, durch die der Kaffee atmet, und ein Kragen aus Buche, der die Finger kühl hält.'], price: [5400, 5600], picture: { motif: 'dripper', tone: 'snow' }, colours: ['snow', 'terracotta', 'charcoal'], measure: '600 ml', rating: [4.8, 84] },
    { slug: 'french-press', code: 'QUI-XPRE', family: 'brewer', name: ['French Press', 'Stempelkanne'], text: ['Four minutes, four cups, no electricity.', 'Vier Minuten, vier Tassen, kein Strom.'], price: [4400, 4600], picture: { motif: 'press', tone: 'steel' }, colours: ['steel', 'copper'], measure: '1 l', rating: [4.6, 73] },
    { slug: 'paper-filters', code: 'QUI-XFIL', family: 'brewer', name: ['100 Paper Filters', '100 Papierfilter'], text: ['Unbleached and without the taste of cardboard. They fit our dripper and most others.', 'Ungebleicht und ohne Pappgeschmack. Passen in unseren Handfilter und in die meisten anderen.'], price: [690, 750], picture: { motif: 'filters', tone: 'terracotta' }, weightGrams: 150, stock: [210], rating: [4.7, 156] },
    { slug: 'gooseneck-kettle', code: 'QUI-XKET', family: 'machine', name: ['Gooseneck Kettle', 'Schwanenhalskessel'], text: ['A stream as thin as a pencil, exactly where you want it. For gas, electric and induction.', 'Ein Strahl, so dünn wie ein Bleistift und genau da, wo er hinsoll. Für Gas, Elektro und Induktion.'], price: [7900, 8400], picture: { motif: 'kettle', tone: 'charcoal' }, colours: ['charcoal', 'copper', 'sage'], measure: '900 ml', rating: [4.8, 91] },
    { slug: 'hand-grinder', code: 'QUI-XGRI', family: 'machine', name: ['Hand Grinder', 'Handmühle'], text: ['Forty turns for a cup. The steel burrs were designed by somebody who used to make watches.', 'Vierzig Umdrehungen für eine Tasse. Das Mahlwerk aus Stahl hat jemand entworfen, der früher Uhren baute.'], price: [9900, 10500], was: [11900, 12500], picture: { motif: 'grinder', tone: 'steel' }, colours: ['steel', 'ink'], measure: '35 g', weightGrams: 620, rating: [4.9, 108] },
    { slug: 'quire-and-crema-gift-card', code: 'QUI-GIFT', family: 'voucher', name: ['Quire & Crema Gift Card', 'Quire-&-Crema-Gutschein'], text: ['Good for paper, coffee, or the decision between the two.', 'Gilt für Papier, Kaffee oder die Entscheidung dazwischen.'], price: [2000, 2000], picture: { motif: 'giftCard', tone: 'ink', second: 'terracotta' }, stock: 'endless' },
  ],
})
