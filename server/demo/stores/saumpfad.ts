import { type Choice, store } from '../facts.ts'

const COLOUR = { name: 'colour', label: ['Colour', 'Farbe'] } as const

const SIZE: Choice = {
  name: 'size',
  label: ['Size', 'Größe'],
  values: [
    { value: 'S', code: 'S' },
    { value: 'M', code: 'M', weightFactor: 1.06 },
    { value: 'L', code: 'L', weightFactor: 1.13 },
    { value: 'XL', code: 'XL', weightFactor: 1.2 },
  ],
}

const SOCK_SIZE: Choice = {
  name: 'size',
  label: ['Size', 'Größe'],
  values: [
    { value: '36-38', code: '36', label: ['EU 36–38', '36–38'] },
    { value: '39-41', code: '39', label: ['EU 39–41', '39–41'] },
    { value: '42-44', code: '42', label: ['EU 42–44', '42–44'] },
    { value: '45-47', code: '45', label: ['EU 45–47', '45–47'] },
  ],
}

const BLANKET_SIZE: Choice = {
  name: 'size',
  label: ['Size', 'Größe'],
  values: [
    { value: '130x180', code: '130', label: ['130 × 180 cm', '130 × 180 cm'] },
    { value: '150x220', code: '150', label: ['150 × 220 cm', '150 × 220 cm'], priceFactor: 1.35, weightFactor: 1.4 },
  ],
}

const BAG_LENGTH: Choice = {
  name: 'length',
  label: ['Length', 'Länge'],
  values: [
    { value: 'regular', code: 'R', label: ['Regular, to 185 cm', 'Normal, bis 185 cm'] },
    { value: 'long', code: 'L', label: ['Long, to 200 cm', 'Lang, bis 200 cm'], priceFactor: 1.08, weightFactor: 1.07 },
  ],
}

/** A maker of gear and cloth in the Tyrol, named after the old mule tracks. */
export const saumpfad = store({
  slug: 'saumpfad',
  name: ['Saumpfad', 'Saumpfad'],
  description: [
    'Saumpfad makes gear and woollens for people who walk. The name means mule track; the workshop stands where one begins, above Innsbruck. What we sell we have carried over a pass ourselves, and what breaks we mend.',
    'Saumpfad macht Ausrüstung und Wollsachen für Leute, die zu Fuß gehen. Die Werkstatt steht oberhalb von Innsbruck, genau dort, wo ein alter Saumpfad beginnt. Was wir verkaufen, haben wir selbst über einen Pass getragen, und was kaputtgeht, flicken wir.',
  ],
  backdrop: 'hills',
  currencies: ['EUR', 'USD'],
  locales: ['de', 'en'],
  countries: ['AT', 'DE', 'FR', 'NL', 'GB', 'US'],
  pricesIncludeTax: true,
  logo: { motif: 'tent', tone: 'forest', second: 'ochre' },
  contactEmail: 'werkstatt@saumpfad.example',
  policies: [
    {
      type: 'returns',
      title: ['100 days to make up your mind', '100 Tage Bedenkzeit'],
      text: [
        'Try it on, sleep in it, walk in it. Within 100 days you may send back whatever does not suit you; only the traces of a real storm we would ask you to keep.',
        'Anprobieren, probeliegen, einlaufen: Was nicht passt, geht innerhalb von 100 Tagen zurück. Nur die Spuren eines echten Unwetters behältst du bitte selbst.',
      ],
    },
    {
      type: 'shipping',
      title: ['By post and by rail', 'Mit Post und Bahn'],
      text: [
        'Parcels leave on Mondays, Wednesdays and Fridays. Tents travel separately, since their poles need a longer box.',
        'Pakete gehen montags, mittwochs und freitags raus. Zelte reisen getrennt, weil ihr Gestänge einen längeren Karton braucht.',
      ],
    },
    {
      type: 'warranty',
      title: ['Mended for life', 'Ein Leben lang geflickt'],
      text: [
        'Seams, zips and poles are repaired free of charge for as long as you own the piece. You pay the postage to us, we pay the way back.',
        'Nähte, Reißverschlüsse und Gestänge reparieren wir kostenlos, solange dir das Stück gehört. Den Weg zu uns zahlst du, den Rückweg wir.',
      ],
    },
  ],
  families: {
    tent: {
      category: 'tents', colour: COLOUR, weightGrams: 2600, material: ['Ripstop nylon, aluminium poles', 'Ripstop-Nylon, Aluminiumgestänge'], origin: ['Sewn in Innsbruck, Austria', 'Genäht in Innsbruck'],
      details: [
        'Seams taped, 3,000 mm water column. Pegs, guy lines and a repair sleeve are in the bag.',
        'Nähte versiegelt, Wassersäule 3.000 mm. Heringe, Abspannleinen und eine Reparaturhülse liegen im Packsack.',
      ],
    },
    sleepingBag: {
      category: 'sleeping', colour: COLOUR, choice: BAG_LENGTH, weightGrams: 1100, material: ['Recycled polyamide, wool or down', 'Recyceltes Polyamid, Wolle oder Daune'], origin: ['Sewn in Bohemia, Czechia', 'Genäht in Böhmen'],
      details: [
        'Two-way zip with a strip that keeps it from biting the cloth. Comes with a large cotton bag for storing it loosely.',
        'Zwei-Wege-Reißverschluss mit Klemmschutz. Dazu ein großer Baumwollsack, in dem er locker gelagert wird.',
      ],
    },
    sleeping: {
      category: 'sleeping', colour: COLOUR, weightGrams: 620, material: ['Recycled polyester', 'Recycelter Polyester'], origin: ['Made in Slovenia', 'Hergestellt in Slowenien'],
      details: ['Rolls up to the size of a loaf. Patches and glue are included.', 'Lässt sich auf die Größe eines Brotlaibs rollen. Flicken und Kleber sind dabei.'],
    },
    kitchen: {
      category: 'camp-kitchen', weightGrams: 420, material: ['Stainless steel, aluminium', 'Edelstahl, Aluminium'], origin: ['Made in Styria, Austria', 'Hergestellt in der Steiermark'],
      details: ['Clean it with sand and water; soap is for home.', 'Zum Reinigen genügen Sand und Wasser, Spülmittel gibt es zu Hause.'],
    },
    bottle: {
      category: 'camp-kitchen', colour: COLOUR, weightGrams: 310, material: ['Stainless steel', 'Edelstahl'], origin: ['Made in Styria, Austria', 'Hergestellt in der Steiermark'],
      details: ['Powder-coated, leakproof, and the lid comes apart for cleaning. Spare rings are sold by the piece.', 'Pulverbeschichtet und dicht, der Deckel lässt sich zum Reinigen zerlegen. Ersatzringe gibt es einzeln.'],
    },
    light: {
      category: 'light', colour: COLOUR, weightGrams: 280, material: ['Aluminium, glass', 'Aluminium, Glas'], origin: ['Made in Carinthia, Austria', 'Hergestellt in Kärnten'],
      details: ['The battery can be changed by hand and charges by USB-C in two hours.', 'Der Akku lässt sich von Hand tauschen und lädt über USB-C in zwei Stunden.'],
    },
    backpack: {
      category: 'backpacks', colour: COLOUR, weightGrams: 980, material: ['Waxed canvas, leather', 'Gewachste Baumwolle, Leder'], origin: ['Sewn in Innsbruck, Austria', 'Genäht in Innsbruck'],
      details: ['Rewax it once a year and rain will stay outside. Buckles can be replaced without sewing.', 'Einmal im Jahr nachwachsen, dann bleibt der Regen draußen. Schnallen lassen sich ohne Nähen tauschen.'],
    },
    tote: {
      category: 'totes', colour: COLOUR, weightGrams: 240, material: ['Organic cotton', 'Bio-Baumwolle'], origin: ['Sewn in Innsbruck, Austria', 'Genäht in Innsbruck'],
      details: ['Washable at 40 °C. Carries 15 kg, which is more than you would want to.', 'Waschbar bei 40 °C. Trägt 15 kg, also mehr, als man schleppen möchte.'],
    },
    jacket: {
      category: 'jackets', colour: COLOUR, choice: SIZE, weightGrams: 520, material: ['Recycled polyamide', 'Recyceltes Polyamid'], origin: ['Sewn in Portugal', 'Genäht in Portugal'],
      details: ['Cut to be worn over a sweater. Free of fluorocarbons; wash it in again after ten days of rain.', 'So geschnitten, dass ein Pullover darunterpasst. Ohne Fluorcarbone; nach zehn Regentagen neu imprägnieren.'],
    },
    knit: {
      category: 'knitwear', colour: COLOUR, choice: SIZE, weightGrams: 480, material: ['100 % virgin wool', '100 % Schurwolle'], origin: ['Knitted in the Zillertal, Austria', 'Gestrickt im Zillertal'],
      details: ['Wool from mountain sheep, spun with its grease and not itchy. Air it instead of washing it.', 'Wolle vom Bergschaf, mit ihrem Fett gesponnen und nicht kratzig. Lüften statt waschen.'],
    },
    shirt: {
      category: 'shirts', colour: COLOUR, choice: SIZE, weightGrams: 290, material: ['Organic cotton, merino', 'Bio-Baumwolle, Merino'], origin: ['Sewn in Portugal', 'Genäht in Portugal'],
      details: ['Preshrunk and washable at 40 °C. A spare button is sewn into the side seam.', 'Vorgewaschen und bei 40 °C waschbar. Ein Ersatzknopf ist in die Seitennaht genäht.'],
    },
    hat: {
      category: 'accessories', colour: COLOUR, weightGrams: 90, material: ['100 % virgin wool', '100 % Schurwolle'], origin: ['Knitted in the Zillertal, Austria', 'Gestrickt im Zillertal'],
      details: ['One size that stretches to fit. Wash by hand, dry flat.', 'Eine Größe, die sich anpasst. Von Hand waschen, liegend trocknen.'],
    },
    glove: {
      category: 'accessories', colour: COLOUR, choice: { ...SIZE, values: SIZE.values.slice(0, 3) }, weightGrams: 80, material: ['Boiled wool', 'Walkwolle'], origin: ['Knitted in the Zillertal, Austria', 'Gestrickt im Zillertal'],
      details: ['Felted after knitting, so wind stays out. Warm even when wet.', 'Nach dem Stricken gewalkt, darum winddicht. Wärmt auch nass.'],
    },
    sock: {
      category: 'accessories', colour: COLOUR, choice: SOCK_SIZE, weightGrams: 85, material: ['Merino, polyamide', 'Merino, Polyamid'], origin: ['Knitted in Saxony, Germany', 'Gestrickt in Sachsen'],
      details: ['Toe seam linked by hand and flat. Washable at 40 °C; holes are darned free of charge.', 'Spitze von Hand gekettelt und flach. Bei 40 °C waschbar; Löcher stopfen wir kostenlos.'],
    },
    blanket: {
      category: 'blankets', colour: COLOUR, choice: BLANKET_SIZE, weightGrams: 1150, material: ['100 % virgin wool', '100 % Schurwolle'], origin: ['Woven in the Ötztal, Austria', 'Gewebt im Ötztal'],
      details: ['Woven on a loom from 1962 and brushed with real thistles. Shake out, air, done.', 'Auf einem Webstuhl von 1962 gewebt und mit echten Disteln geraut. Ausschütteln, lüften, fertig.'],
    },
    guide: {
      category: 'maps-and-guides', weightGrams: 120, taxCategory: 'books', origin: ['Printed in Innsbruck, Austria', 'Gedruckt in Innsbruck'],
      details: ['Printed on stone paper: it neither tears nor minds the rain.', 'Auf Steinpapier gedruckt: reißt nicht und hat nichts gegen Regen.'],
    },
    track: {
      category: 'maps-and-guides', weightGrams: 0, taxCategory: 'digital',
      details: ['A GPX file and a PDF to download, with updates for two seasons.', 'GPX-Datei und PDF zum Herunterladen, mit Aktualisierungen für zwei Saisons.'],
    },
    voucher: {
      category: 'gift-cards', weightGrams: 0, taxCategory: 'vouchers',
      choice: {
        name: 'value', label: ['Value', 'Wert'],
        values: [
          { value: '50', code: '50', label: ['50', '50'] },
          { value: '100', code: '100', label: ['100', '100'], priceFactor: 2 },
          { value: '250', code: '250', label: ['250', '250'], priceFactor: 5 },
        ],
      },
      details: ['Sent by e-mail at once, valid for five years.', 'Kommt sofort per E-Mail und gilt fünf Jahre.'],
    },
  },
  products: [
    { slug: 'alm-ridge-tent', code: 'SAU-TALM', family: 'tent', name: ['Alm Ridge Tent', 'Firstzelt Alm'], text: ['Two poles, eight pegs, four minutes. The shape has stood in alpine pastures for a hundred years because the wind knows its way around it.', 'Zwei Stangen, acht Heringe, vier Minuten. Die Form steht seit hundert Jahren auf der Alm, weil der Wind an ihr vorbeifindet.'], price: [34900, 37900], picture: { motif: 'tent', tone: 'moss' }, colours: ['moss', 'sand'], measure: '2 P', rating: [4.7, 58] },
    { slug: 'kar-dome-tent', code: 'SAU-TKAR', family: 'tent', name: ['Kar Dome Tent', 'Kuppelzelt Kar'], text: ['Free-standing on rock, where no peg will hold. Two entrances, so nobody climbs over anybody at four in the morning.', 'Steht frei auf Fels, wo kein Hering hält. Zwei Eingänge, damit morgens um vier niemand über den anderen klettert.'], price: [44900, 48900], was: [49900, 53900], picture: { motif: 'tent', tone: 'ochre', shape: 'dome', second: 'ink' }, colours: ['ochre', 'slate'], measure: '2–3 P', weightGrams: 2900, rating: [4.8, 74] },
    { slug: 'joch-tunnel-tent', code: 'SAU-TJOC', family: 'tent', name: ['Joch Tunnel Tent', 'Tunnelzelt Joch'], text: ['Room for four, their boots and a game of cards in the rain. The porch is tall enough to stand in.', 'Platz für vier, ihre Schuhe und eine Partie Karten im Regen. Im Vorzelt kann man stehen.'], price: [62900, 67900], picture: { motif: 'tent', tone: 'forest', shape: 'tunnel' }, measure: '4 P', weightGrams: 5400, stock: [3], rating: [4.6, 21] },
    { slug: 'rast-tarp', code: 'SAU-TRAS', family: 'tent', name: ['Rast Tarp', 'Tarp Rast'], text: ['Three by three metres of dry. Between two trees, two poles or two bicycles it makes a roof in a minute.', 'Drei mal drei Meter Trockenheit. Zwischen zwei Bäumen, zwei Stangen oder zwei Rädern wird in einer Minute ein Dach daraus.'], price: [12900, 13900], picture: { motif: 'tent', tone: 'sand', shape: 'tarp', second: 'terracotta' }, colours: ['sand', 'forest'], measure: '3 × 3 m', weightGrams: 780, rating: [4.9, 92] },
    { slug: 'biwak-solo-tent', code: 'SAU-TBIW', family: 'tent', name: ['Biwak Solo', 'Solozelt Biwak'], text: ['A one-person shelter that weighs as much as a litre of milk and is just as uncomplicated.', 'Ein Zelt für eine Person, so schwer wie ein Liter Milch und genauso unkompliziert.'], price: [29900, 32900], picture: { motif: 'tent', tone: 'slate', second: 'honey' }, measure: '1 P', weightGrams: 1050, stock: [0], whenOutOfStock: 'preorder', rating: [4.8, 33] },

    { slug: 'firn-sleeping-bag', code: 'SAU-SFIR', family: 'sleepingBag', name: ['Firn Sleeping Bag', 'Schlafsack Firn'], text: ['Comfort at minus five, with a down that comes from Bavarian geese and is never plucked alive.', 'Komfort bis minus fünf Grad, gefüllt mit Daunen von bayerischen Gänsen, ohne Lebendrupf.'], price: [32900, 35900], picture: { motif: 'sleepingBag', tone: 'teal' }, colours: ['teal', 'rust'], measure: '−5 °C', rating: [4.8, 66] },
    { slug: 'heu-wool-sleeping-bag', code: 'SAU-SHEU', family: 'sleepingBag', name: ['Heu Wool Sleeping Bag', 'Wollschlafsack Heu'], text: ['Filled with sheep’s wool that dries while you sleep. For huts, hayricks and nights above six degrees.', 'Gefüllt mit Schafwolle, die trocknet, während du schläfst. Für Hütten, Heuböden und Nächte über sechs Grad.'], price: [24900, 26900], picture: { motif: 'sleepingBag', tone: 'moss', second: 'oat' }, colours: ['moss', 'plum'], measure: '+6 °C', weightGrams: 1500, rating: [4.7, 41] },
    { slug: 'hut-liner', code: 'SAU-SHUT', family: 'sleeping', name: ['Hut Liner', 'Hüttenschlafsack'], text: ['A sheet of cotton and silk that folds into its own pocket. Most huts ask for one, and every night is better with it.', 'Ein Laken aus Baumwolle und Seide, das in die eigene Tasche passt. Die meisten Hütten verlangen einen, und jede Nacht dankt es.'], price: [5900, 6500], picture: { motif: 'sleepingBag', tone: 'oat', second: 'sky' }, colours: ['oat', 'mist'], measure: '220 × 80 cm', weightGrams: 190, rating: [4.6, 118] },
    { slug: 'wiese-mat', code: 'SAU-SWIE', family: 'sleeping', name: ['Wiese Sleeping Mat', 'Isomatte Wiese'], text: ['Five centimetres of air and foam between your hip and the root.', 'Fünf Zentimeter Luft und Schaum zwischen Hüfte und Wurzel.'], price: [9900, 10900], picture: { motif: 'mat', tone: 'honey' }, colours: ['honey', 'teal'], measure: '185 × 55 cm', rating: [4.5, 87] },
    { slug: 'eis-mat', code: 'SAU-SEIS', family: 'sleeping', name: ['Winter Sleeping Mat', 'Wintermatte'], text: ['For snow: two layers, R-value 6.2, and a valve that works with mittens on.', 'Für Schnee: zwei Lagen, R-Wert 6,2 und ein Ventil, das sich auch mit Fäustlingen bedienen lässt.'], price: [16900, 18500], picture: { motif: 'mat', tone: 'berry', second: 'charcoal' }, measure: '190 × 60 cm', stock: [5], rating: [4.7, 19] },
    { slug: 'siesta-hammock', code: 'SAU-SHAM', family: 'sleeping', name: ['Siesta Hammock', 'Hängematte Siesta'], text: ['Packs down to a fist and carries 150 kg. The straps are wide, so the bark of the tree is spared.', 'Passt in eine Faust und trägt 150 kg. Die Gurte sind breit, damit die Rinde heil bleibt.'], price: [7900, 8600], picture: { motif: 'hammock', tone: 'teal' }, colours: ['teal', 'rust', 'forest'], measure: '280 × 150 cm', weightGrams: 450, rating: [4.8, 105] },

    { slug: 'herd-pot', code: 'SAU-KHER', family: 'kitchen', name: ['Herd Pot with Burner', 'Kochset Herd'], text: ['A pot, a lid that is a pan, a burner that folds flat. Boils half a litre in three minutes.', 'Ein Topf, ein Deckel, der eine Pfanne ist, ein Kocher, der sich flach legt. Ein halber Liter kocht in drei Minuten.'], price: [8900, 9700], picture: { motif: 'stove', tone: 'steel' }, measure: '1.1 l', rating: [4.7, 70] },
    { slug: 'hut-kettle-pot', code: 'SAU-KHUT', family: 'kitchen', name: ['Hut Pot for Four', 'Hüttentopf für vier'], text: ['Large enough for a pound of dumplings. The handle locks and stays cool.', 'Groß genug für ein Pfund Knödel. Der Griff rastet ein und bleibt kühl.'], price: [7400, 7900], picture: { motif: 'stove', tone: 'charcoal', second: 'copper' }, measure: '3.2 l', weightGrams: 870, rating: [4.6, 24] },
    { slug: 'enamel-camp-mug', code: 'SAU-KENA', family: 'kitchen', name: ['Enamel Mug', 'Emaillebecher'], text: ['Falls, clatters, goes on. Enamelled in a family workshop that has made nothing else since 1908.', 'Fällt, scheppert, macht weiter. Emailliert in einem Familienbetrieb, der seit 1908 nichts anderes macht.'], price: [1600, 1800], picture: { motif: 'mug', tone: 'snow', bands: 'forest', straight: true, height: 210 }, measure: '350 ml', weightGrams: 160, rating: [4.8, 186] },
    { slug: 'quell-bottle', code: 'SAU-KQUE', family: 'bottle', name: ['Quell Bottle', 'Trinkflasche Quell'], text: ['A single wall, so light that you forget it. Fits every side pocket we sew.', 'Einwandig und so leicht, dass man sie vergisst. Passt in jede Seitentasche, die wir nähen.'], price: [2900, 3200], picture: { motif: 'bottle', tone: 'forest' }, colours: ['forest', 'sky', 'terracotta'], measure: '750 ml', weightGrams: 180, rating: [4.7, 143] },
    { slug: 'glut-flask', code: 'SAU-KGLU', family: 'bottle', name: ['Glut Insulated Flask', 'Thermosflasche Glut'], text: ['Tea poured at six is still hot on the summit at noon, and still warm when you are back at the car.', 'Tee, um sechs eingefüllt, ist mittags am Gipfel noch heiß und am Parkplatz noch warm.'], price: [4400, 4800], picture: { motif: 'bottle', tone: 'rust', wide: true, second: 'charcoal' }, colours: ['rust', 'ink'], measure: '1 l', weightGrams: 480, rating: [4.9, 129] },

    { slug: 'stall-lantern', code: 'SAU-LSTA', family: 'light', name: ['Stall Lantern', 'Stalllaterne'], text: ['Warm light that flickers if you want it to. Hangs from the ridge, stands on the table, survives the fall in between.', 'Warmes Licht, das auf Wunsch flackert. Hängt am First, steht auf dem Tisch und übersteht den Sturz dazwischen.'], price: [6900, 7500], picture: { motif: 'lantern', tone: 'forest' }, colours: ['forest', 'rust'], measure: '250 lm', weightGrams: 540, rating: [4.8, 62] },
    { slug: 'gams-headlamp', code: 'SAU-LGAM', family: 'light', name: ['Gams Headlamp', 'Stirnlampe Gams'], text: ['One button, three levels, red light for maps. You can work it without reading a manual in the dark.', 'Ein Knopf, drei Stufen, Rotlicht für die Karte. Bedienbar, ohne im Dunkeln eine Anleitung zu lesen.'], price: [4900, 5400], picture: { motif: 'headlamp', tone: 'ochre' }, colours: ['ochre', 'teal'], measure: '400 lm', weightGrams: 88, rating: [4.7, 97] },
    { slug: 'tent-light', code: 'SAU-LTEN', family: 'light', name: ['Little Tent Light', 'Kleines Zeltlicht'], text: ['The size of an egg, with a hook. Bright enough to find the other sock.', 'So groß wie ein Ei, mit Haken. Hell genug, um die zweite Socke zu finden.'], price: [1900, 2200], picture: { motif: 'lantern', tone: 'honey', second: 'charcoal' }, measure: '60 lm', weightGrams: 70, stock: [41], rating: [4.5, 53] },

    { slug: 'steig-daypack', code: 'SAU-BSTE', family: 'backpack', name: ['Steig Daypack', 'Tagesrucksack Steig'], text: ['A jacket, lunch, a book and a litre of water. Sits high and leaves your back dry.', 'Eine Jacke, die Jause, ein Buch und ein Liter Wasser. Sitzt hoch und lässt den Rücken trocken.'], price: [14900, 16200], picture: { motif: 'backpack', tone: 'moss' }, colours: ['moss', 'ink', 'ochre'], measure: '22 l', rating: [4.8, 113] },
    { slug: 'post-rolltop', code: 'SAU-BPOS', family: 'backpack', name: ['Post Roll-Top', 'Rolltop Post'], text: ['Named after the postmen who carried letters up to the huts. Roll it down for the office, up for the market.', 'Benannt nach den Briefträgern, die die Post auf die Hütten trugen. Fürs Büro weit herunterrollen, für den Markt nur einmal.'], price: [16900, 18500], picture: { motif: 'backpack', tone: 'ink', shape: 'roll', second: 'walnut' }, colours: ['ink', 'rust', 'sand'], measure: '18–26 l', rating: [4.7, 84] },
    { slug: 'pass-trekking-pack', code: 'SAU-BPAS', family: 'backpack', name: ['Pass Trekking Pack', 'Trekkingrucksack Pass'], text: ['Built for a week from hut to hut. The back length adjusts in a minute, the hip belt carries what the shoulders should not.', 'Gebaut für eine Woche von Hütte zu Hütte. Die Rückenlänge stellt sich in einer Minute ein, der Hüftgurt trägt, was die Schultern nicht sollen.'], price: [26900, 28900], was: [29900, 31900], picture: { motif: 'backpack', tone: 'rust', shape: 'trekking', second: 'sand' }, colours: ['rust', 'forest'], measure: '48 l', weightGrams: 1750, rating: [4.8, 49] },
    { slug: 'kinder-pack', code: 'SAU-BKIN', family: 'backpack', name: ['Little Marmot Pack', 'Kinderrucksack Murmel'], text: ['For people from four to eight. A whistle on the strap, a pocket for stones, a label for the name.', 'Für Leute von vier bis acht. Eine Pfeife am Gurt, eine Tasche für Steine, ein Schild für den Namen.'], price: [6900, 7500], picture: { motif: 'backpack', tone: 'sky', second: 'terracotta' }, colours: ['sky', 'honey'], measure: '9 l', weightGrams: 420, rating: [4.9, 77] },
    { slug: 'market-tote', code: 'SAU-BMAR', family: 'tote', name: ['Market Tote', 'Marktbeutel'], text: ['Long handles for the shoulder and a flat bottom for the strawberries.', 'Lange Henkel für die Schulter und ein flacher Boden für die Erdbeeren.'], price: [2900, 3200], picture: { motif: 'tote', tone: 'oat', second: 'forest' }, colours: ['oat', 'sky'], measure: '20 l', rating: [4.6, 134] },
    { slug: 'leaf-tote', code: 'SAU-BLEA', family: 'tote', name: ['Leaf Tote', 'Beutel Blatt'], text: ['Printed by hand with a lino block that has done 3,000 leaves and is still sharp.', 'Von Hand bedruckt mit einem Linolschnitt, der 3.000 Blätter hinter sich hat und noch immer scharf ist.'], price: [3200, 3500], picture: { motif: 'tote', tone: 'ochre', second: 'ink', print: 'leaf' }, colours: ['ochre', 'sage'], measure: '16 l', rating: [4.7, 45] },
    { slug: 'boat-tote', code: 'SAU-BBOA', family: 'tote', name: ['Boat Tote', 'Segeltuchtasche'], text: ['Double canvas from the sailmaker, stands up by itself and forgives wet towels.', 'Doppeltes Tuch vom Segelmacher, steht von allein und verzeiht nasse Handtücher.'], price: [5900, 6500], picture: { motif: 'tote', tone: 'snow', second: 'cobalt', print: 'stripe' }, measure: '28 l', weightGrams: 640, stock: [12], rating: [4.8, 29] },

    { slug: 'regen-shell', code: 'SAU-JREG', family: 'jacket', name: ['Regen Shell', 'Regenjacke Regen'], text: ['Three layers, two pockets, one zip under each arm. It is called rain, so that nobody can complain.', 'Drei Lagen, zwei Taschen, ein Reißverschluss unter jedem Arm. Sie heißt Regen, damit sich niemand beschweren kann.'], price: [24900, 26900], picture: { motif: 'jacket', tone: 'teal' }, colours: ['teal', 'ochre', 'charcoal'], rating: [4.7, 101] },
    { slug: 'daune-jacket', code: 'SAU-JDAU', family: 'jacket', name: ['Dohle Down Jacket', 'Daunenjacke Dohle'], text: ['Weighs less than the bread you carry to the summit, and is worth more at the top.', 'Wiegt weniger als das Brot, das du zum Gipfel trägst, und ist oben mehr wert.'], price: [27900, 29900], picture: { motif: 'jacket', tone: 'ochre', style: 'down', second: 'charcoal' }, colours: ['ochre', 'ink', 'berry'], weightGrams: 360, rating: [4.9, 88] },
    { slug: 'fleece-jacket', code: 'SAU-JFLE', family: 'jacket', name: ['Schaf Fleece', 'Fleecejacke Schaf'], text: ['A fleece that is what the word once meant: wool, looped and brushed. It does not shed plastic.', 'Ein Fleece, wie das Wort einst gemeint war: aus Wolle, geschlungen und geraut. Er verliert kein Plastik.'], price: [17900, 19500], picture: { motif: 'jacket', tone: 'oat', style: 'fleece', second: 'forest' }, colours: ['oat', 'mist'], rating: [4.8, 72] },
    { slug: 'quilt-vest', code: 'SAU-JVES', family: 'jacket', name: ['Quilted Vest', 'Steppweste'], text: ['The piece that turns a shirt into a jacket and leaves both arms free for the wheelbarrow.', 'Das Stück, das aus einem Hemd eine Jacke macht und beide Arme für die Schubkarre frei lässt.'], price: [13900, 14900], was: [15900, 16900], picture: { motif: 'jacket', tone: 'moss', style: 'vest' }, colours: ['moss', 'ink'], weightGrams: 310, rating: [4.6, 60] },
    { slug: 'loden-jacket', code: 'SAU-JLOD', family: 'jacket', name: ['Loden Jacket', 'Lodenjacke'], text: ['Milled until the wind gives up. It smells faintly of sheep when it rains, and of nothing else.', 'So lange gewalkt, bis der Wind aufgibt. Bei Regen riecht sie ein wenig nach Schaf, sonst nach nichts.'], price: [29900, 32900], picture: { motif: 'jacket', tone: 'slate', style: 'fleece', second: 'charcoal' }, weightGrams: 980, stock: [6, 9, 4, 0], whenOutOfStock: 'backorder', rating: [4.9, 34] },
    { slug: 'wind-anorak', code: 'SAU-JWIN', family: 'jacket', name: ['Föhn Anorak', 'Anorak Föhn'], text: ['Named after the warm wind that it keeps out. Fits into its own chest pocket.', 'Benannt nach dem warmen Wind, den er abhält. Passt in die eigene Brusttasche.'], price: [11900, 12900], picture: { motif: 'jacket', tone: 'sky', second: 'rust' }, colours: ['sky', 'honey'], weightGrams: 190, rating: [4.5, 47] },

    { slug: 'zopf-sweater', code: 'SAU-WZOP', family: 'knit', name: ['Zopf Cable Sweater', 'Zopfpullover'], text: ['Three cables, a high collar and enough length to sit down in. Knitted on machines that are older than we are.', 'Drei Zöpfe, ein hoher Kragen und lang genug, um sich damit hinzusetzen. Gestrickt auf Maschinen, die älter sind als wir.'], price: [16900, 18500], picture: { motif: 'sweater', tone: 'oat', knit: 'cable', collar: 'roll' }, colours: ['oat', 'moss', 'ink'], weightGrams: 720, rating: [4.9, 95] },
    { slug: 'stern-sweater', code: 'SAU-WSTE', family: 'knit', name: ['Stern Yoke Sweater', 'Norwegerpullover Stern'], text: ['A yoke of diamonds, worked in the round without a seam. The pattern was on a photo of our grandfather.', 'Eine Passe aus Rauten, ohne Naht in der Runde gearbeitet. Das Muster war auf einem Foto unseres Großvaters.'], price: [18900, 20500], picture: { motif: 'sweater', tone: 'ink', knit: 'fairisle' }, colours: ['ink', 'forest', 'rust'], rating: [4.8, 71] },
    { slug: 'ripp-zip', code: 'SAU-WRIP', family: 'knit', name: ['Ribbed Half-Zip', 'Rippenpullover mit Zip'], text: ['The one you wear from the first autumn morning to the last day on skis.', 'Der, den man vom ersten Herbstmorgen bis zum letzten Skitag anhat.'], price: [14900, 16200], picture: { motif: 'sweater', tone: 'moss', knit: 'rib', collar: 'zip' }, colours: ['moss', 'slate'], rating: [4.7, 54] },
    { slug: 'plain-crew', code: 'SAU-WCRE', family: 'knit', name: ['Plain Crewneck', 'Schlichter Rundhals'], text: ['Nothing on it and nothing wrong with it. Fine enough for the theatre, tough enough for firewood.', 'Nichts dran und nichts daran auszusetzen. Fein genug fürs Theater, zäh genug fürs Holzhacken.'], price: [12900, 13900], picture: { motif: 'sweater', tone: 'rust', knit: 'plain' }, colours: ['rust', 'sage', 'charcoal', 'honey'], weightGrams: 390, rating: [4.7, 126] },
    { slug: 'hut-cardigan', code: 'SAU-WCAR', family: 'knit', name: ['Hut Pullover', 'Hüttenpulli'], text: ['Heavy, wide and meant for the bench behind the stove. Elbows are already reinforced.', 'Schwer, weit und gedacht für die Bank hinterm Ofen. Die Ellbogen sind schon verstärkt.'], price: [15900, 17200], was: [18900, 20500], picture: { motif: 'sweater', tone: 'berry', knit: 'rib', collar: 'roll' }, weightGrams: 840, stock: [2, 5, 0, 3], rating: [4.6, 22] },

    { slug: 'flannel-shirt', code: 'SAU-HFLA', family: 'shirt', name: ['Flannel Shirt', 'Flanellhemd'], text: ['Brushed on both sides. The check is dyed in the yarn and will outlast your taste in checks.', 'Beidseitig geraut. Das Karo ist im Garn gefärbt und hält länger als jede Mode.'], price: [8900, 9700], picture: { motif: 'shirt', tone: 'rust', second: 'ink', weave: 'checks' }, colours: ['rust', 'sage'], rating: [4.8, 109] },
    { slug: 'linen-field-shirt', code: 'SAU-HFIE', family: 'shirt', name: ['Field Shirt', 'Feldhemd'], text: ['Linen and cotton with real horn buttons. Crumples well.', 'Leinen und Baumwolle, Knöpfe aus echtem Horn. Knittert schön.'], price: [9900, 10700], picture: { motif: 'shirt', tone: 'sky' }, colours: ['sky', 'oat'], rating: [4.5, 38] },
    { slug: 'merino-tee', code: 'SAU-HMER', family: 'shirt', name: ['Merino Tee', 'Merinoshirt'], text: ['Four days on the trail and nobody moves away from you at the table. We tested it on ourselves.', 'Vier Tage unterwegs, und am Tisch rückt trotzdem niemand weg. Wir haben es an uns selbst getestet.'], price: [6900, 7500], picture: { motif: 'shirt', tone: 'mist', short: true }, colours: ['mist', 'ink', 'terracotta', 'forest'], weightGrams: 150, rating: [4.7, 204] },
    { slug: 'stripe-tee', code: 'SAU-HSTR', family: 'shirt', name: ['Striped Tee', 'Ringelshirt'], text: ['Stripes as wide as a finger. For lakesides, ferries and Mondays.', 'Ringel, so breit wie ein Finger. Für Seeufer, Fähren und Montage.'], price: [4900, 5400], picture: { motif: 'shirt', tone: 'snow', second: 'cobalt', weave: 'stripes', short: true }, weightGrams: 170, rating: [4.6, 81] },

    { slug: 'fischer-beanie', code: 'SAU-MFIS', family: 'hat', name: ['Ribbed Beanie', 'Rippmütze'], text: ['Stays on in the wind and off the eyes. The cuff turns once or twice, as the weather asks.', 'Hält im Wind und rutscht nicht in die Augen. Der Rand lässt sich je nach Wetter ein- oder zweimal umschlagen.'], price: [3400, 3700], picture: { motif: 'beanie', tone: 'rust' }, colours: ['rust', 'moss', 'charcoal', 'honey'], rating: [4.8, 167] },
    { slug: 'bommel-beanie', code: 'SAU-MBOM', family: 'hat', name: ['Bobble Hat', 'Bommelmütze'], text: ['The bobble is tied by hand and takes eleven metres of yarn. Lined with soft cotton.', 'Die Bommel ist von Hand gebunden und braucht elf Meter Garn. Mit weicher Baumwolle gefüttert.'], price: [4200, 4600], picture: { motif: 'beanie', tone: 'ink', knit: 'fairisle', pompom: true }, colours: ['ink', 'berry', 'forest'], rating: [4.7, 93] },
    { slug: 'light-beanie', code: 'SAU-MLIG', family: 'hat', name: ['Summit Cap', 'Gipfelmütze'], text: ['Thin merino for under the helmet and over the ears.', 'Dünnes Merino für unter den Helm und über die Ohren.'], price: [2600, 2900], picture: { motif: 'beanie', tone: 'sky', knit: 'plain' }, colours: ['sky', 'slate'], weightGrams: 45, rating: [4.5, 40] },
    { slug: 'checked-scarf', code: 'SAU-MSCA', family: 'hat', name: ['Checked Scarf', 'Karierter Schal'], text: ['Two metres long, so that it goes round twice and still reaches the pocket.', 'Zwei Meter lang: Er reicht zweimal herum und immer noch bis zur Tasche.'], price: [5900, 6500], picture: { motif: 'scarf', tone: 'berry' }, colours: ['berry', 'forest', 'slate'], measure: '200 × 32 cm', weightGrams: 220, rating: [4.8, 64] },
    { slug: 'border-scarf', code: 'SAU-MBOR', family: 'hat', name: ['Meadow Scarf', 'Schal Wiese'], text: ['Plain in the middle with a woven border at either end, light enough for May.', 'In der Mitte schlicht, an beiden Enden eine gewebte Borte und leicht genug für den Mai.'], price: [4900, 5400], picture: { motif: 'scarf', tone: 'sage', second: 'terracotta', weave: 'border' }, measure: '180 × 30 cm', weightGrams: 140, stock: [4] },
    { slug: 'walk-mittens', code: 'SAU-MMIT', family: 'glove', name: ['Cable Mittens', 'Zopffäustlinge'], text: ['Warm on a chairlift in January. A loop ties them to the sleeve, for children of every age.', 'Warm auch im Sessellift im Jänner. Eine Schlaufe bindet sie an den Ärmel, für Kinder jeden Alters.'], price: [3900, 4300], picture: { motif: 'gloves', tone: 'forest', knit: 'cable' }, colours: ['forest', 'berry'], rating: [4.7, 58] },
    { slug: 'plain-mittens', code: 'SAU-MPLA', family: 'glove', name: ['Boiled Wool Mittens', 'Walkfäustlinge'], text: ['Snow falls off them, sledge ropes do not slip.', 'Schnee fällt ab, und das Seil vom Schlitten rutscht nicht durch.'], price: [3600, 3900], picture: { motif: 'gloves', tone: 'slate', second: 'ochre' }, colours: ['slate', 'rust'], stock: [8, 3, 0, 6, 14, 9], rating: [4.8, 35] },
    { slug: 'hike-socks', code: 'SAU-CHIK', family: 'sock', name: ['Hiking Socks', 'Wandersocken'], text: ['Padded where the boot presses and thin where it bends. Left and right are different, as feet are.', 'Gepolstert, wo der Schuh drückt, und dünn, wo er sich biegt. Links und rechts sind verschieden, wie die Füße auch.'], price: [2200, 2400], picture: { motif: 'socks', tone: 'slate', second: 'honey', knit: 'rib' }, colours: ['slate', 'moss', 'rust'], rating: [4.8, 241] },
    { slug: 'house-socks', code: 'SAU-CHOU', family: 'sock', name: ['Hut Socks', 'Hüttensocken'], text: ['Thick as a slipper. For the evening, when the boots stand outside the door.', 'Dick wie ein Hausschuh. Für den Abend, wenn die Stiefel vor der Tür stehen.'], price: [2600, 2900], picture: { motif: 'socks', tone: 'oat', second: 'berry', knit: 'cable' }, colours: ['oat', 'ink'], rating: [4.9, 112] },
    { slug: 'everyday-socks', code: 'SAU-CEVE', family: 'sock', name: ['Everyday Socks', 'Alltagssocken'], text: ['Fine merino for shoes that are not boots.', 'Feines Merino für Schuhe, die keine Stiefel sind.'], price: [1600, 1800], picture: { motif: 'socks', tone: 'teal', second: 'ochre' }, colours: ['teal', 'charcoal'], weightGrams: 55, rating: [4.6, 88] },

    { slug: 'stripe-blanket', code: 'SAU-DSTR', family: 'blanket', name: ['Alpine Stripe Blanket', 'Decke Almstreif'], text: ['Stripes in the order in which the meadows are mown. It has seen picnics, sickbeds and one wedding.', 'Streifen in der Reihenfolge, in der die Wiesen gemäht werden. Sie kennt Picknicks, Krankenlager und eine Hochzeit.'], price: [14900, 16200], picture: { motif: 'blanket', tone: 'oat', second: 'slate', weave: 'stripes' }, colours: ['oat', 'sage'], rating: [4.8, 82] },
    { slug: 'check-blanket', code: 'SAU-DCHE', family: 'blanket', name: ['Lake Check Blanket', 'Karodecke See'], text: ['The greens of the lake in April, the yellow of the cowslips beside it.', 'Das Grün des Sees im April, daneben das Gelb der Schlüsselblumen.'], price: [15900, 17200], picture: { motif: 'blanket', tone: 'teal', second: 'honey', weave: 'checks' }, rating: [4.9, 47] },
    { slug: 'plain-blanket', code: 'SAU-DPLA', family: 'blanket', name: ['Felted Blanket', 'Walkdecke'], text: ['One colour, thick as a coat and edged with blanket stitch.', 'Einfarbig, dick wie ein Mantel und mit Schlingstich gesäumt.'], price: [16900, 18500], picture: { motif: 'blanket', tone: 'rust', weave: 'plain', fringe: false }, colours: ['rust', 'ink', 'mist'], weightGrams: 1500, rating: [4.8, 39] },
    { slug: 'border-blanket', code: 'SAU-DBOR', family: 'blanket', name: ['Homestead Blanket', 'Bauerndecke'], text: ['A border at each end, as on the blankets that used to be part of every dowry in the valley.', 'Eine Borte an jedem Ende, wie auf den Decken, die im Tal früher zu jeder Aussteuer gehörten.'], price: [13900, 14900], was: [16900, 18500], picture: { motif: 'blanket', tone: 'forest', second: 'oat', weave: 'border' }, colours: ['forest', 'plum'], stock: [7, 2, 1, 0], rating: [4.7, 28] },
    { slug: 'picnic-blanket', code: 'SAU-DPIC', family: 'blanket', name: ['Picnic Blanket', 'Picknickdecke'], text: ['Wool above, waxed cotton below. Dew stays in the grass.', 'Oben Wolle, unten gewachste Baumwolle. Der Tau bleibt im Gras.'], price: [12900, 13900], picture: { motif: 'blanket', tone: 'sky', second: 'snow', weave: 'checks', fringe: false }, weightGrams: 1700, rating: [4.6, 73] },

    { slug: 'seven-passes-map', code: 'SAU-GMAP', family: 'guide', name: ['Seven Passes: the Map', 'Sieben Pässe: die Karte'], text: ['Our favourite week on foot, drawn at 1 : 50,000 with every spring and every bench.', 'Unsere liebste Woche zu Fuß, gezeichnet im Maßstab 1 : 50.000, mit jeder Quelle und jeder Bank.'], price: [1690, 1890], picture: { motif: 'map', tone: 'moss' }, rating: [4.9, 66] },
    { slug: 'hut-book', code: 'SAU-GHUT', family: 'guide', name: ['The Hut Book', 'Das Hüttenbuch'], text: ['Forty huts that cook well, with their hosts, their beds and the way up. 224 pages that fit a trouser pocket.', 'Vierzig Hütten, in denen gut gekocht wird, mit Wirtsleuten, Betten und dem Weg hinauf. 224 Seiten, die in die Hosentasche passen.'], price: [2400, 2700], picture: { motif: 'book', tone: 'forest', second: 'honey', cover: 'house' }, weightGrams: 290, rating: [4.8, 51] },
    { slug: 'seven-passes-tracks', code: 'SAU-GGPX', family: 'track', name: ['Seven Passes: the Tracks', 'Sieben Pässe: die Tracks'], text: ['The same week for your watch or phone, with variants for rain and for tired knees.', 'Dieselbe Woche für Uhr oder Telefon, mit Varianten für Regen und für müde Knie.'], price: [990, 1090], picture: { motif: 'download', tone: 'moss', page: 'map' }, stock: 'endless', rating: [4.6, 37] },
    { slug: 'saumpfad-gift-card', code: 'SAU-GIFT', family: 'voucher', name: ['Saumpfad Gift Card', 'Saumpfad-Gutschein'], text: ['For somebody who would rather be outside.', 'Für jemanden, der lieber draußen wäre.'], price: [5000, 5000], picture: { motif: 'giftCard', tone: 'forest', second: 'ochre' }, stock: 'endless' },
  ],
})
