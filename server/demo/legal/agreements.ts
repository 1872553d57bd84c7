import type { DemoLegalDocument } from './legal-document.ts'

/** What somebody agrees to who opens an account or buys. */
export const termsOfUse: DemoLegalDocument = {
  type: 'terms_of_use',
  title: ['Terms of use', 'Allgemeine Geschäftsbedingungen'],
  text: [
    `These terms hold for everything that you order in this marketplace. It is a demonstration: nothing here is really sold, and no order binds anybody.

## Who sells to you

Three independent stores offer their goods here: Havelton, Saumpfad, and Quire & Crema. Your contract is with the store whose goods you order. An order with goods of several stores is several contracts, paid together.

## How a contract comes about

- What is shown in a store is an invitation to order.
- You order with the button that says so. Before it, you see the goods, the taxes, the postage and the total.
- The contract comes about when the payment is made and you are shown the number of your order.

## Prices and payment

Prices hold as they are shown at the moment of the order. Whether tax is included is said beside each price; the total always includes it. A quote that you were given is honoured until it expires.

## Delivery

Goods are sent to the address that you give. How long it takes, and what it costs, stands beside each way of shipping before you choose it. Downloads are sent by e-mail.

## Faults

If something is broken, missing or not as described, tell the store. It repairs, replaces or pays back, as the law of your country asks.

## Changes

A new version of these terms holds for orders that are placed after it comes into force. The version that you accepted stands on your order, and its text stays where it is.`,
    `Diese Bedingungen gelten für alles, was du auf diesem Marktplatz bestellst. Er ist eine Vorführung: Hier wird nichts wirklich verkauft, und keine Bestellung bindet irgendjemanden.

## Wer dir verkauft

Drei unabhängige Läden bieten hier ihre Waren an: Havelton, Saumpfad und Quire & Crema. Dein Vertrag kommt mit dem Laden zustande, dessen Waren du bestellst. Eine Bestellung mit Waren mehrerer Läden sind mehrere Verträge, die zusammen bezahlt werden.

## Wie ein Vertrag zustande kommt

- Was in einem Laden gezeigt wird, lädt dich ein zu bestellen.
- Du bestellst mit der Schaltfläche, auf der das steht. Vorher siehst du die Waren, die Steuern, den Versand und die Summe.
- Der Vertrag kommt zustande, wenn bezahlt ist und du die Nummer deiner Bestellung siehst.

## Preise und Zahlung

Es gelten die Preise, die im Augenblick der Bestellung angezeigt werden. Ob die Steuer enthalten ist, steht neben jedem Preis; in der Summe ist sie es immer. Ein Angebot, das du erhalten hast, gilt, bis es abläuft.

## Lieferung

Die Waren gehen an die Adresse, die du angibst. Wie lange das dauert und was es kostet, steht bei jeder Versandart, bevor du sie wählst. Downloads kommen per E-Mail.

## Mängel

Wenn etwas kaputt ist, fehlt oder nicht der Beschreibung entspricht, sag dem Laden Bescheid. Er repariert, ersetzt oder erstattet, wie es das Recht deines Landes verlangt.

## Änderungen

Eine neue Fassung dieser Bedingungen gilt für Bestellungen, die nach ihrem Inkrafttreten aufgegeben werden. Die Fassung, der du zugestimmt hast, steht auf deiner Bestellung, und ihr Text bleibt, wo er ist.`,
  ],
}

export const privacyPolicy: DemoLegalDocument = {
  type: 'privacy_policy',
  title: ['Privacy policy', 'Datenschutzerklärung'],
  text: [
    `We keep what an order needs, and nothing that it does not.

## What is kept, and why

- **Your account**: your e-mail address, your name if you give it, and your password as a hash that cannot be turned back.
- **Your orders**: what you bought, where it went, how it was paid, and which documents you accepted. The law asks us to keep these for years.
- **Your cart**: until it has lain untouched for 30 days.
- **Our logs**: what was asked and how long it took, without your address, your name or your password.

## Who learns of it

The store that you buy from, whoever carries the parcel, and whoever takes the payment: each as much as its part needs. Nobody else, and nobody for advertising.

## Your rights

You may ask what we keep of you, have it corrected, have it deleted where no law keeps it, and take it with you. Write to the address under *Contact*.`,
    `Wir speichern, was eine Bestellung braucht, und sonst nichts.

## Was gespeichert wird, und wozu

- **Dein Konto**: deine E-Mail-Adresse, dein Name, wenn du ihn angibst, und dein Passwort als Hash, der sich nicht zurückrechnen lässt.
- **Deine Bestellungen**: was du gekauft hast, wohin es ging, wie bezahlt wurde und welchen Dokumenten du zugestimmt hast. Das Gesetz verlangt, dass wir das jahrelang aufheben.
- **Dein Warenkorb**: bis er 30 Tage lang unberührt war.
- **Unsere Protokolle**: was gefragt wurde und wie lange es dauerte, ohne deine Adresse, deinen Namen oder dein Passwort.

## Wer davon erfährt

Der Laden, bei dem du kaufst, wer das Paket bringt und wer die Zahlung annimmt: jeder nur, was er dafür braucht. Sonst niemand, und niemand zur Werbung.

## Deine Rechte

Du kannst fragen, was wir über dich speichern, es berichtigen lassen, es löschen lassen, soweit kein Gesetz es festhält, und es mitnehmen. Schreib an die Adresse unter *Kontakt*.`,
  ],
}

export const returnPolicy: DemoLegalDocument = {
  type: 'return_policy',
  title: ['Returns and withdrawal', 'Rückgabe und Widerruf'],
  text: [
    `You may withdraw from your order within 14 days of receiving the goods, without giving a reason. Many of our stores give you 30 days: their own pages say so, and what is better for you holds.

## How it works

1. Say it in your order, or write to us.
2. Send the goods back within 14 days. The store tells you where to.
3. You get back what you paid, the cheapest postage included, by the way that you paid.

## What cannot come back

- Food that has been opened, such as coffee and tea.
- Downloads, once the licence key has been sent, which you agree to when you order.
- Goods that were made for you alone.

If you used the goods more than it takes to try them, the store may ask for what they have lost in value.`,
    `Du kannst deine Bestellung innerhalb von 14 Tagen nach Erhalt der Ware ohne Angabe von Gründen widerrufen. Viele unserer Läden geben dir 30 Tage: Das steht auf ihren eigenen Seiten, und es gilt, was für dich besser ist.

## So geht es

1. Sag es in deiner Bestellung, oder schreib uns.
2. Schick die Ware innerhalb von 14 Tagen zurück. Der Laden sagt dir, wohin.
3. Du bekommst zurück, was du bezahlt hast, mit dem günstigsten Versand, auf dem Weg, auf dem du bezahlt hast.

## Was nicht zurückgegeben werden kann

- Geöffnete Lebensmittel wie Kaffee und Tee.
- Downloads, sobald der Lizenzschlüssel verschickt ist. Dem stimmst du bei der Bestellung zu.
- Waren, die nur für dich angefertigt wurden.

Wenn du die Ware mehr benutzt hast, als zum Prüfen nötig ist, kann der Laden den Wertverlust verlangen.`,
  ],
}
