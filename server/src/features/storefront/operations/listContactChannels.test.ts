import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { refuses } from '../../../../../test/support/refuses.ts'
import { siteOf } from '../../../../../test/support/site.ts'
import { startWorld, type World } from '../../../../../test/support/world.ts'
import type { ContactChannelInput } from '../index.ts'

let world: World
let site: ReturnType<typeof siteOf>
before(async () => {
  world = await startWorld()
  site = siteOf(world)
})

const path = '/api/v1/public/contact'
const mail: ContactChannelInput = {
  id: 'mail',
  type: 'email',
  label: 'Help',
  value: 'help@example.com',
  languages: ['en'],
}
const phone: ContactChannelInput = {
  id: 'phone',
  type: 'phone',
  label: 'Call',
  value: '+4930',
  url: 'tel:+4930',
  languages: ['en'],
}

describe('listContactChannels', () => {
  test('200 with nothing, where nothing was said', async () => {
    assert.deepEqual((await world.anonymous.get(path)).body, { data: [] })
  })

  test('200 tells the channels in their order, in the language that fits best', async () => {
    await site.contact('en', [phone, mail])
    await site.contact('de', [{ ...mail, label: 'Hilfe' }])

    const { body } = await world.anonymous.get(path)
    assert.deepEqual(body.data, [
      { ...phone, locale: 'en' },
      { ...mail, locale: 'en' },
    ])
    const { body: german } = await world.anonymous.get(`${path}?locale=de-CH`)
    assert.deepEqual(german.data, [{ ...mail, label: 'Hilfe', locale: 'de' }])
  })

  test('200 in the site’s own language to who speaks none of them', async () => {
    await site.settings({ name: 'Markt', locales: ['de', 'en'] })
    const { body } = await world.anonymous.get(`${path}?locale=ja`)
    assert.equal(body.data[0].locale, 'de')
  })

  test('200 at once as it was changed, and without a language whose list is empty', async () => {
    await site.contact('de', [])
    const { body } = await world.anonymous.get(`${path}?locale=de`)
    assert.equal(body.data[0].locale, 'en')
  })

  test('an operator is told what is wrong: a link that runs a script, two channels of one id', async () => {
    const script = { ...mail, url: 'javascript:alert(1)' }
    const link = await refuses('validation_failed', () => site.contact('en', [script]))
    assert.equal(link.facts.details?.[0]?.pointer, '/channels/0/url')
    const twins = await refuses('validation_failed', () => site.contact('en', [mail, mail]))
    assert.equal(twins.facts.details?.[0]?.pointer, '/channels/1/id')
  })
})
