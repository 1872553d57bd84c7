import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import ini from 'highlight.js/lib/languages/ini'
import json from 'highlight.js/lib/languages/json'
import nginx from 'highlight.js/lib/languages/nginx'
import php from 'highlight.js/lib/languages/php'
import python from 'highlight.js/lib/languages/python'
import typescript from 'highlight.js/lib/languages/typescript'
import yaml from 'highlight.js/lib/languages/yaml'
import { escaped, Html, html } from './html.ts'

const LANGUAGES = { bash, ini, json, nginx, php, python, typescript, yaml }
const NAMES: Readonly<Record<string, string>> = {
  sh: 'bash',
  ts: 'typescript',
  js: 'typescript',
  jsonc: 'json',
  yml: 'yaml',
  caddyfile: 'nginx',
}

for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language)

/** A highlighted block of code, which can be scrolled by keyboard. The script adds its copy button. */
export function codeBlock(code: string, language = '', label = 'Code'): Html {
  const name = NAMES[language] ?? language
  const known = hljs.getLanguage(name) !== undefined
  const colored = known ? hljs.highlight(code, { language: name }).value : escaped(code)
  return html`<div class="code"><pre tabindex="0" role="group" aria-label="${label}"><code>${new Html(colored)}</code></pre></div>`
}
