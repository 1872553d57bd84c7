import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastify from 'fastify'
import { securityContact } from './security-txt.ts'

const NOW = new Date('2026-11-23T10:00:00Z')
const deps = { pagesUrl: 'https://pay.shop.example', clock: { now: () => NOW } }

test('security.txt names the contact, and expires within a year', async () => {
  const door = fastify()
  securityContact('mailto:security@shop.example', deps)(door)
  const { statusCode, headers, body } = await door.inject('/.well-known/security.txt')
  assert.deepEqual([statusCode, headers['content-type']], [200, 'text/plain; charset=utf-8'])
  assert.deepEqual(body.split('\r\n'), [
    'Contact: mailto:security@shop.example',
    'Expires: 2027-05-22T00:00:00Z',
    'Preferred-Languages: en, de',
    'Canonical: https://pay.shop.example/.well-known/security.txt',
    '',
  ])
})

test('404 without a contact', async () => {
  const door = fastify()
  securityContact(null, deps)(door)
  assert.equal((await door.inject('/.well-known/security.txt')).statusCode, 404)
})
