/**
 * Builds the documentation: `npm run docs -- --url https://docs.example/ --output FOLDER`. With a URL, it also has a sitemap and
 * canonical links.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildSite } from './build.ts'

const { values } = parseArgs({ options: { url: { type: 'string' }, output: { type: 'string' } } })
const output = resolve(values.output ?? `${import.meta.dirname}/../dist`)
const pages = await buildSite({ output, url: values.url === undefined ? null : new URL('./', values.url).href })
console.log(`${pages.length} pages in ${output}`)
