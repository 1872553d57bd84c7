import type { DemoLegalDocument } from './legal-document.ts'

/** What is there to be read. */
export const shippingPolicy: DemoLegalDocument = {
  type: 'shipping_policy',
  title: ['Shipping', 'Versand'],
  text: [
    `Each store packs and sends its own goods. An order with goods of several stores arrives in several parcels, and the postage of each is shown before you order.

- **Havelton** sends from Germany, in straw and paper.
- **Saumpfad** sends from Austria.
- **Quire & Crema** sends from Hudson, New York; coffee leaves the day after it was roasted.

Where we ship to, what it costs and how long it takes stands beside each way of shipping in the checkout. You are sent the number of your parcel as soon as it is on its way. Where customs are due, the recipient pays them.`,
    `Jeder Laden packt und verschickt seine Waren selbst. Eine Bestellung mit Waren mehrerer Läden kommt in mehreren Paketen, und den Versand eines jeden siehst du vor der Bestellung.

- **Havelton** verschickt aus Deutschland, in Stroh und Papier.
- **Saumpfad** verschickt aus Österreich.
- **Quire & Crema** verschickt aus Hudson im Staat New York; Kaffee geht am Tag nach dem Rösten raus.

Wohin wir liefern, was es kostet und wie lange es dauert, steht an der Kasse bei jeder Versandart. Sobald dein Paket unterwegs ist, schicken wir dir seine Nummer. Zoll, wo er anfällt, zahlt die Empfängerin oder der Empfänger.`,
  ],
}

export const cookiePolicy: DemoLegalDocument = {
  type: 'cookie_policy',
  title: ['Cookies', 'Cookies'],
  text: [
    `Our own pages set two cookies, and both are needed:

- \`visit\` shows that a form was filled in on a page that we gave you. It ends with your browser.
- \`customer\` keeps you signed in for twelve hours, once you have signed in.

There is none for measuring, none for advertising, and none of anybody else. So there is nothing to agree to, and no banner.`,
    `Unsere eigenen Seiten setzen zwei Cookies, und beide sind nötig:

- \`visit\` zeigt, dass ein Formular auf einer Seite ausgefüllt wurde, die du von uns hast. Es endet mit deinem Browser.
- \`customer\` hält dich zwölf Stunden lang angemeldet, sobald du dich angemeldet hast.

Es gibt keines zum Messen, keines für Werbung und keines von anderen. Darum ist nichts zu bestätigen, und es gibt kein Banner.`,
  ],
}

export const imprint: DemoLegalDocument = {
  type: 'imprint',
  title: ['Imprint', 'Impressum'],
  text: [
    `This marketplace and its stores are invented. They show what Vitrine does and sell nothing.

**The demonstration marketplace**\\
1 Example Quay\\
10000 Example Town

E-mail: [hello@marketplace.example](mailto:hello@marketplace.example)

Whoever runs Vitrine for real puts their own name, address, register and tax number here.`,
    `Dieser Marktplatz und seine Läden sind erfunden. Sie zeigen, was Vitrine kann, und verkaufen nichts.

**Der Vorführ-Marktplatz**\\
Beispielkai 1\\
10000 Beispielstadt

E-Mail: [hallo@marketplace.example](mailto:hallo@marketplace.example)

Wer Vitrine wirklich betreibt, setzt hier Namen, Anschrift, Register- und Steuernummer ein.`,
  ],
}
