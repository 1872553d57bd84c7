/**
 * Builds the documentation: `npm run docs -- --url https://docs.example/ --output FOLDER`. With an address there are a map of
 * the site and canonical links as well.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildSite } from './build.ts'

const { values } = parseArgs({ options: { url: { type: 'string' }, output: { type: 'string' } } })
const output = resolve(values.output ?? `${import.meta.dirname}/../dist`)
const pages = await buildSite({ output, url: values.url === undefined ? null : new URL('./', values.url).href })
console.log(`${pages.length} pages in ${output}`)
