import type { Both } from './facts.ts'

/** A way to reach the people behind the marketplace. */
export interface DemoChannel {
  readonly id: string
  readonly type: 'email' | 'phone' | 'form' | 'post'
  readonly label: Both
  readonly value: Both
  readonly url?: Both
  readonly hours?: Both
}

export const contactChannels: readonly DemoChannel[] = [
  {
    id: 'support-mail',
    type: 'email',
    label: ['Customer service', 'Kundenservice'],
    value: ['hello@marketplace.example', 'hallo@marketplace.example'],
    url: ['mailto:hello@marketplace.example', 'mailto:hallo@marketplace.example'],
    hours: ['We answer within one working day.', 'Wir antworten innerhalb eines Werktags.'],
  },
  {
    id: 'support-phone',
    type: 'phone',
    label: ['By telephone', 'Telefon'],
    // A number that is kept for films and examples.
    value: ['+49 30 23125 000', '030 23125 000'],
    url: ['tel:+493023125000', 'tel:+493023125000'],
    hours: ['Monday to Friday, 9 to 17 h', 'Montag bis Freitag, 9 bis 17 Uhr'],
  },
  {
    id: 'post',
    type: 'post',
    label: ['By post', 'Post'],
    value: [
      'The demonstration marketplace, 1 Example Quay, 10000 Example Town',
      'Der Vorführ-Marktplatz, Beispielkai 1, 10000 Beispielstadt',
    ],
  },
]
